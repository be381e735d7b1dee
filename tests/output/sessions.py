"""Sessions written by hand, as capture would give them."""

from __future__ import annotations

from depyf.session.model import (
    CodeText,
    Frame,
    Graph,
    GraphBreak,
    Guard,
    Location,
    Recompilation,
    Session,
    Stage,
)

FILE = "/home/user/toy.py"
RESUME = "torch_dynamo_resume_in_toy_example_at_16"
ORIGINAL = """\
def toy_example(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b
"""
TRANSFORMED = """\
def __transformed_code_{}_for_toy_example(a, b):
    graph_out_0 = __compiled_fn_{}(a, b)
    if graph_out_0[0]:
        return {}([], [], b, graph_out_0[1])
    return __resume_at_112_3([], [], b, graph_out_0[1])
"""
RESUMED = f"""\
def __transformed_code_0_for_{RESUME}(__nested_resume_fns, __nested_frame_values, b, x):
    return __compiled_fn_5(b, x)[0]
"""
CONTINUATION = f"""\
def {RESUME}(__nested_resume_fns, __nested_frame_values, b, x):
    b = b * -1
    return x * b
"""
PLACE = Location(FILE, 15, "toy_example", "x = a / (torch.abs(a) + 1)")


def guard(python: str | None, text: str = "torch's text", kind: str = "KIND") -> Guard:
    return Guard(kind, text, "L['a']", python, PLACE)


def entry(number: int, graph: int, resume: str, guards: list[Guard], **more: object) -> Frame:
    name = f"__transformed_code_{number}_for_toy_example"
    text = CodeText(name, TRANSFORMED.format(number, graph, resume), "equivalent")
    values: dict[str, object] = {
        "original": CodeText("toy_example", ORIGINAL, "exact"),
        "transformed": text,
        "transformed_file": name + ".py",
        "swapped": True,
        "guards": guards,
        "graphs": [graph],
        "resumes": [resume, "__resume_at_112_3"],
        "seconds": 1.5 + number,
    }
    values.update(more)
    frame_id = f"0/{number}"
    return Frame(frame_id, "toy_example", "toy_example", FILE, 14, **values)  # type: ignore[arg-type]


def continuation(**more: object) -> Frame:
    name = f"__transformed_code_0_for_{RESUME}"
    values: dict[str, object] = {
        "original": CodeText(RESUME, CONTINUATION, "exact"),
        "transformed": CodeText(name, RESUMED, "unverified", "at offset 3: CALL against POP_TOP"),
        "transformed_file": name + ".py",
        "guards": [guard("type(L['b']) is int")],
        "graphs": [5],
        "resumed_by": ["__resume_at_102_2", "__resume_at_102_8"],
    }
    values.update(more)
    return Frame("1/0", RESUME, RESUME, FILE, 16, **values)  # type: ignore[arg-type]


def graph_class(name: str, result: str) -> str:
    return (
        f"class {name}(torch.nn.Module):\n    def forward(self, a, b):\n        return {result}\n"
    )


def toy_session() -> Session:
    frames = [
        entry(0, 1, "__resume_at_102_2", [guard("type(L['a']) is int"), guard("L['a'] == 1")]),
        continuation(),
        entry(1, 7, "__resume_at_102_8", [guard("type(L['a']) is int"), guard("L['a'] > 0")]),
        Frame(
            "2/0", "<lambda>", "outer.<locals>.<lambda>", FILE, 40, "skipped", "no tensors in it"
        ),
    ]
    stages = [
        Stage("Captured_Graph", graph_class("GraphModule", "(True, a)")),
        Stage("Forward_graph", graph_class("<lambda>", "(inf, device(type='cpu'))"), "forward"),
        Stage("Backward_graph", graph_class("<lambda>", "(a,)"), "backward"),
        Stage("kernel", "import torch\n", "forward", "/tmp/cache/abc.py"),
        Stage("kernel", "import torch\n", "backward", "/tmp/cache/def.py"),
        Stage("before split", "===== before split =====\nnot ( python"),
    ]
    graphs = [
        Graph(1, "0/0", stages, {"aot": "miss"}),
        Graph(5, "1/0", [Stage("Captured_Graph", graph_class("GraphModule", "(a * b,)"))]),
        Graph(7, "0/1", missing=["Joint_graph: the cache was warm"]),
    ]
    break_ = GraphBreak(
        "0/0",
        "Data-dependent branching",
        "A branch on a tensor",
        ["Use torch.cond"],
        Location(FILE, 16, "toy_example", "if b.sum() < 0:"),
    )
    again = Recompilation("0/1", "toy_example", PLACE, ["L['a'] == 1"])
    return Session(
        "2.13.0", "3.11.7", frames, graphs, [break_], [again], ["a problem"], ["wrapper sources"]
    )
