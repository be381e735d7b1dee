"""Guards from a tree that is made by hand: no torch is needed to read one."""

from __future__ import annotations

import re
from typing import Any

import pytest

from depyf.torch_capture.guard_lines import take_apart
from depyf.torch_capture.guard_python import kinds, value_text
from depyf.torch_capture.guards import read_guards
from depyf.torch_capture.importable import by_identity, loaded, path_to


class Manager:
    def __init__(
        self, source: str = "", kind: Any = None, leaves: Any = (), **children: Any
    ) -> None:
        self.source, self.kind, self.leaves = source, kind, list(leaves)
        self.steps: list[tuple[str, Manager]] = []

    def to(self, accessor: str, source: str, kind: Any = None, leaves: Any = ()) -> Manager:
        child = Manager(source, kind, leaves)
        self.steps.append((accessor, child))
        return child

    def get_leaf_guards(self) -> list[Any]:
        return self.leaves

    def get_accessors(self) -> list[Any]:
        return [Accessor(text) for text, _ in self.steps]

    def get_child_managers(self) -> list[Manager]:
        return [child for _, child in self.steps]

    def get_source(self) -> str:
        return self.source

    def get_type_of_guarded_value(self) -> Any:
        return self.kind


class Accessor:
    def __init__(self, text: str) -> None:
        self.text = text

    def repr(self) -> str:
        return self.text


def leaf(kind: str, *parts: str) -> Any:
    members = {"verbose_code_parts": lambda self: list(parts), "__call__": lambda self, value: True}
    return type(kind, (), members)()


class Entry:
    def __init__(self, root: Manager, names: dict[str, Any] | None = None) -> None:
        wrapper = type("Wrapper", (), {})()
        wrapper.root = root
        wrapper.global_scope = {"G": names or {}}
        self.guard_manager = wrapper
        self.code = compile("", "/home/user/app/model.py", "exec")


def one_guard(accessor: str, source: str, kind: Any, made: Any) -> Any:
    root = Manager()
    root.to(accessor, source, kind, [made])
    (guard,) = read_guards(Entry(root))
    return guard


X = "FrameLocalsGuardAccessor(key='x', framelocals_idx=0)"


@pytest.mark.parametrize(
    ("kind", "name", "text", "python"),
    [
        (int, "EQUALS_MATCH", "L['x'] == 3", "is_exactly(L['x'], 3)"),
        (str, "EQUALS_MATCH", "L['x'] == 'a # == b'", "is_exactly(L['x'], 'a # == b')"),
        (float, "EQUALS_MATCH", "L['x'] == -inf", "is_exactly(L['x'], float('-inf'))"),
        (bool, "EQUALS_MATCH", "L['x'] == 3", "torch_says(0, L['x'])"),
        (None, "EQUALS_MATCH", "L['x'] == <Odd object>", "torch_says(0, L['x'])"),
        (
            int,
            "TYPE_MATCH",
            f"___check_type_id(L['x'], {id(int)}), type=int",
            "type(L['x']) is int",
        ),
        (int, "TYPE_MATCH", "___check_type_id(L['x'], 7)", "torch_says(0, L['x'])"),
        (
            type,
            "ID_MATCH",
            f"___check_obj_id(L['x'], {id(int)}), type=<class 'int'>",
            "L['x'] is int",
        ),
        (list, "LENGTH_CHECK", "len(L['x']) == 2", "len(L['x']) == 2"),
        (list, "LENGTH_CHECK", "not L['x']", "len(L['x']) == 0"),
        (dict, "DICT_LENGTH", "not L['x']", "isinstance(L['x'], dict) and len(L['x']) == 0"),
        (dict, "DICT_CONTAINS", "not ___dict_contains('k', L['x'])", "'k' not in L['x']"),
        (dict, "DICT_CONTAINS", "___dict_contains(<class 'tuple'>, L['x'])", "tuple in L['x']"),
        (dict, "DICT_CONTAINS", "___dict_contains(<class 'a.B'>, L['x'])", "torch_says(0, L['x'])"),
        (set, "SET_CONTAINS", "set.__contains__(L['x'], 3)", "3 in L['x']"),
        (None, "NO_HASATTR", "not hasattr(L['x'], 'q')", "not hasattr(L['x'], 'q')"),
        (bool, "TRUE_MATCH", "L['x'] == True", "L['x'] is True"),
        (None, "NONE_MATCH", "L['x'] is None", "L['x'] is None"),
        (float, "FLOAT_IS_NAN", "__math_isnan(L['x'])", "is_nan(L['x'], float)"),
        (int, "LAMBDA_GUARD", "int(L['x']) == 3", "int(L['x']) == 3"),
        (int, "LAMBDA_GUARD", "___odd(L['x']) == 3", "torch_says(0, L['x'])"),
        (int, "SOMETHING_NEW", "L['x'] or so", "torch_says(0, L['x'])"),
        (
            None,
            "TENSOR_MATCH",
            "check_tensor(L['x'], Parameter, DispatchKeySet(CPU, AutogradCPU), torch.float32, "
            "device=None, requires_grad=True, size=[None, 3], stride=[3, 1])",
            "tensor_matches(L['x'], torch.nn.Parameter, torch.float32, size=[None, 3], "
            "stride=[3, 1], requires_grad=True, device=None, keys='CPU, AutogradCPU')",
        ),
    ],
    # Texts hold the identities of objects, which are others in every process.
    ids=lambda value: re.sub(r"\d{9,}", "ID", str(value)),
)
def test_leaves(kind: Any, name: str, text: str, python: str) -> None:
    assert one_guard(X, "L['x']", kind, leaf(name, text)).python == python


@pytest.mark.parametrize(
    ("module", "python"), [("torch", "torch.abc"), ("collections", "imported('collections').abc")]
)
def test_guards_that_start_at_a_module(module: str, python: str) -> None:
    root = Manager()
    source = f"__import__('{module}')"
    start = root.to("PythonLambdaGuardAccessor", source, type(pytest))
    start.to("GetAttrGuardAccessor(abc)", f"{source}.abc", None, [leaf("NONE_MATCH", "is None")])
    (guard,) = read_guards(Entry(root))
    assert guard.python == f"{python} is None"


def test_every_kind_that_torch_has_is_known_or_left_to_torch() -> None:
    assert len(kinds()) >= 24


@pytest.mark.parametrize(
    ("steps", "python"),
    [
        (["GlobalsGuardAccessor", "DictGetItemGuardAccessor('torch')"], "G['torch']"),
        (
            ["GlobalsGuardAccessor", "DictGetItemGuardAccessor('__torch_obj_140119958694752_c0')"],
            "generated_global(G, '__torch_obj_*_c0')",
        ),
        (
            ["GlobalsGuardAccessor", "GlobalWeakRefGuardAccessor(__optimizer_140714127539792_c1)"],
            "generated_global(G, '__optimizer_*_c1')()",
        ),
        (
            [
                "GlobalsGuardAccessor",
                "DictGetItemGuardAccessor('__compiled_fn_1_be35abb5_4fd8_45a4_bad2_a88f853de746')",
            ],
            "generated_global(G, '__compiled_fn_1_*')",
        ),
        ([X, "GetAttrGuardAccessor(weight)"], "L['x'].weight"),
        ([X, "GetAttrGuardAccessor(no name)"], "getattr(L['x'], 'no name')"),
        (
            [X, "GetGenericDictGuardAccessor", "DictGetItemGuardAccessor('d')"],
            "L['x'].__dict__['d']",
        ),
        ([X, "DictGetItemGuardAccessor('d')"], "item(L['x'], 'd')"),
        ([X, "TypeGuardAccessor", "TypeMROGuardAccessor"], "type(L['x']).__mro__"),
        ([X, "ClosureGuardAccessor", "TupleGetItemGuardAccessor(0)"], "L['x'].__closure__[0]"),
        ([X, "FuncKwDefaultsGuardAccessor"], "L['x'].__kwdefaults__"),
        ([X, "TupleIteratorGetItemAccessor(1)"], "tuple_iterator_item(L['x'], 1)"),
        ([X, "WeakRefCallGuardAccessor"], "L['x']()"),
        ([X, "GradGuardAccessor"], "L['x'].grad"),
    ],
)
def test_accessors(steps: list[str], python: str) -> None:
    root = manager = Manager()
    for step in steps:
        manager = manager.to(step, "?")
    manager.leaves.append(leaf("NOT_NONE", "? is not None"))
    (guard,) = read_guards(Entry(root))
    assert guard.python == f"{python} is not None"


def test_what_no_expression_reaches_is_no_condition() -> None:
    guard = one_guard("BrandNewAccessor(3)", "?", None, leaf("NONE_MATCH", "? is None"))
    assert guard.python is None


def test_values_that_torch_computes_are_known_by_their_name() -> None:
    root = Manager()
    numpy = root.to(X, "L['x']")
    numpy.to("PythonLambdaGuardAccessor", "___from_numpy(L['x'])", None, [leaf("NOT_NONE", "")])
    numpy.to("PythonLambdaGuardAccessor", "___odd(L['x'])", None, [leaf("NOT_NONE", "")])
    assert [one.python for one in read_guards(Entry(root))] == [
        "from_numpy(L['x']) is not None",
        None,
    ]


def test_a_guard_about_several_values_is_one_condition() -> None:
    shared = leaf("NO_TENSOR_ALIASING", "check_no_aliasing(L['x'], L['y'])")
    root = Manager()
    root.to(X, "L['x']", None, [shared])
    root.to("FrameLocalsGuardAccessor(key='y', framelocals_idx=1)", "L['y']", None, [shared])
    (guard,) = read_guards(Entry(root))
    assert guard.python == "all_different(L['x'], L['y'])"


def test_old_torch_keeps_guards_as_text() -> None:
    check = type("Check", (), {})()
    check.code_parts = ["___check_type_id(L['x'], 140119958694752)", "L['n'] == 3", "___odd()"]
    check.verbose_code_parts = [
        f"{one}  # return x  # app/model.py:7 in f" for one in check.code_parts
    ]
    check.closure_vars = {
        "___check_type_id": lambda value, number: value == 1,
        "___odd": lambda: False,
    }
    check.global_scope = {}
    entry = type("Old", (), {})()
    entry.check_fn, entry.code = check, compile("", "/home/user/app/model.py", "exec")
    guards = read_guards(entry)
    assert [one.python for one in guards] == [
        "torch_says(0, (L, G))",
        "(L['n'] == 3)",
        "torch_says(2, (L, G))",
    ]
    assert guards[0].text == "___check_type_id(L['x'], <id>)"
    assert guards[1].cause is not None and guards[1].cause.file == "/home/user/app/model.py"
    from depyf.torch_capture.guard_parts import asker

    ask = asker(entry)
    assert ask(0, ({"x": 1}, {})) is True and ask(0, ({"x": 2}, {})) is False
    assert ask(2, ({}, {})) is False


@pytest.mark.parametrize(
    ("verbose", "code", "line", "text"),
    [
        ("L['n'] == 3    # return x  # app/model.py:12 in f", "L['n'] == 3", 12, "return x"),
        ("L['n'] == 3    # y  # ome/user/app/model.py:12 in f", "L['n'] == 3", 12, "y"),
        (
            "L['n'] == 3    # x = '#'  # y  # app/model.py:12 in <lambda> (HINT: type int)",
            "L['n'] == 3", 12, "x = '#'  # y",
        ),
        ("ids == None  # _dynamo/output_graph.py:1135 in init_guards", "ids == None", None, ""),
        ("check_no_aliasing(L['a'], L['b'])", "check_no_aliasing(L['a'], L['b'])", None, ""),
    ],
)  # fmt: skip
def test_lines(verbose: str, code: str, line: int | None, text: str) -> None:
    found, cause = take_apart(verbose, "/home/user/app/model.py")
    assert found == code
    if line is None:
        assert cause is None
    else:
        assert cause is not None
        assert (cause.file, cause.line, cause.text) == ("/home/user/app/model.py", line, text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("device(type='cpu')", "torch.device(type='cpu')"),
        ("{'inf': nan}", "{'inf': float('nan')}"),
        ("(1+2j)", "(1+2j)"),
        ("open('x')", None),
        ("x", None),
        ("<Color.RED: 1>", None),
    ],
)
def test_values(text: str, value: str | None) -> None:
    assert value_text(text) == value


def test_paths_lead_to_the_very_object() -> None:
    assert path_to(int) == "builtins.int"
    assert path_to(pytest) == "pytest"
    assert path_to(pytest.raises, "pytest.raises") == "pytest.raises"
    assert path_to(Manager()) is None
    assert path_to(type("int", (), {"__module__": "builtins"})) is None
    assert loaded("no.such.thing") is None
    assert by_identity(id(int), "type=<class 'int'>") == [int]
    assert by_identity(7, "type=<class 'int'>") == []
