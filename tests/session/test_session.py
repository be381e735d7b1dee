"""Events become a session, and a session goes to JSON and back; all without torch."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from depyf.session.break_text import (
    parse_break,
    parse_failure,
    parse_recompilation,
    with_aftermath,
)
from depyf.session.builder import NOTHING_TO_COMPILE, build_session, is_wanted
from depyf.session.clean import (
    clean,
    clean_code,
    clean_condition,
    clean_fields,
    clean_names,
)
from depyf.session.events import Event, events_from_json, events_to_json
from depyf.session.json import from_json, to_json
from depyf.session.model import Frame, Guard, Location, Recompilation, Session

CAPTURES = Path(__file__).resolve().parent.parent / "captures"
RECORDED = sorted(path.stem for path in CAPTURES.glob("*.json"))


def recorded(name: str) -> Session:
    events = events_from_json((CAPTURES / f"{name}.json").read_text(encoding="utf-8"))
    return build_session(events, "2.13.0", "3.11.7")


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_session_goes_through_json_without_loss(name: str) -> None:
    session = recorded(name)
    assert from_json(to_json(session, with_varying=True)) == session
    text = to_json(session)
    assert to_json(from_json(text)) == text
    assert '"seconds"' not in text


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_events_go_through_json_without_loss(name: str) -> None:
    text = (CAPTURES / f"{name}.json").read_text(encoding="utf-8")
    assert events_to_json(events_from_json(text)) == text


def test_training() -> None:
    session = recorded("toy_training")
    main, *resumed = session.frames
    assert main.name == "toy_example" and main.outcome == "compiled" and len(resumed) == 2
    assert sorted(main.resumes) == sorted(name for frame in resumed for name in frame.resumed_by)
    assert [frame.graphs for frame in session.frames] == [[g.number] for g in session.graphs]
    for graph in session.graphs:
        assert [(stage.kind, stage.direction) for stage in graph.stages] == [
            ("Captured_Graph", ""),
            ("Joint_graph", ""),
            ("Forward_graph", "forward"),
            ("Backward_graph", "backward"),
        ]


def test_recompilations_and_the_limit() -> None:
    session = recorded("recompilations")
    assert [frame.compile_id for frame in session.frames] == ["0/0", "0/1", "0/2", "0/3"]
    assert [frame.outcome for frame in session.frames] == ["compiled"] * 3 + ["skipped"]
    assert {frame.name for frame in session.frames} == {"grows"}
    # The fourth was refused: no recompilation, and nothing broke.
    assert [each.compile_id for each in session.recompilations] == ["0/1", "0/2"]
    assert [len(each.failures) for each in session.recompilations] == [1, 2]
    last = session.frames[-1]
    assert last.reason == "Dynamo recompile limit exceeded, recompile_limit is 3"
    assert [one.partition(": ")[0] for one in last.failures] == ["0/2", "0/1", "0/0"]
    assert session.breaks == []


def test_failures() -> None:
    skipped, refused, unsupported = recorded("failures").frames
    assert (skipped.name, skipped.outcome) == ("breaks_inside_try", "skipped")
    assert "graph_break()" in skipped.reason
    assert refused.outcome == "failed" and "the backend refuses" in refused.reason
    assert unsupported.outcome == "failed" and unsupported.reason


# Single rules


def test_caches_stand_in_one_order() -> None:
    """A hit of the outer cache is told before the inner one's, a miss after it."""
    texts = []
    for kinds in (("aotautograd_cache", "fx_graph_cache"), ("fx_graph_cache", "aotautograd_cache")):
        named = Event("depyf_graph_name", "0/0", data={"number": 1})
        told = [Event(f"{kind}_hit", "0/0") for kind in kinds]
        texts.append(to_json(build_session([start("0/0"), named, *told])))
    assert texts[0] == texts[1] and '"inductor": "hit"' in texts[0]


def start(compile_id: str, attempt: int = 0, name: str = "f") -> Event:
    stack = [{"file": "a.py", "line": 3, "function": name, "text": ""}]
    return Event("dynamo_start", compile_id, attempt, {"stack": stack})


def graph_named(compile_id: str, number: int, attempt: int = 0) -> Event:
    return Event("depyf_graph_name", compile_id, attempt, {"number": number})


def captured(compile_id: str, text: str, attempt: int = 0) -> Event:
    return Event("dynamo_output_graph", compile_id, attempt, {}, text)


def finished(compile_id: str) -> Event:
    return Event("compilation_metrics", compile_id, 0, {"has_guarded_code": True})


def test_of_several_attempts_the_last_is_real() -> None:
    session = build_session(
        [
            start("0/0"),
            graph_named("0/0", 1),
            captured("0/0", "given up"),
            start("0/0", attempt=1),
            graph_named("0/0", 4, attempt=1),
            captured("0/0", "real", attempt=1),
            finished("0/0"),
        ]
    )
    (frame,) = session.frames
    assert frame.attempts == 2
    assert [(graph.number, graph.stages[0].text) for graph in session.graphs] == [(4, "real")]


def test_an_attempt_that_is_only_known_by_its_number() -> None:
    """Torch writes dynamo_start once; later attempts show in the records that follow."""
    session = build_session(
        [
            start("0/0"),
            graph_named("0/0", 1),
            captured("0/0", "given up"),
            graph_named("0/0", 4, attempt=1),
            captured("0/0", "real", attempt=1),
            finished("0/0"),
        ]
    )
    assert session.frames[0].attempts == 2
    assert [(graph.number, graph.stages[0].text) for graph in session.graphs] == [(4, "real")]


def test_ids_that_begin_again_after_a_reset_are_other_frames() -> None:
    one = [start("0/0", name="f"), graph_named("0/0", 1), captured("0/0", "a"), finished("0/0")]
    two = [start("0/0", name="g"), graph_named("0/0", 2), captured("0/0", "b"), finished("0/0")]
    session = build_session(one + two)
    assert [frame.name for frame in session.frames] == ["f", "g"]
    assert [graph.stages[0].text for graph in session.graphs] == ["a", "b"]


def test_a_backward_that_is_compiled_later_is_filed_under_its_graph() -> None:
    backward = "# AOT ID: ['1_backward']\ndef call(args): pass"
    session = build_session(
        [
            *(start("0/0"), graph_named("0/0", 1), captured("0/0", "a"), finished("0/0")),
            *(start("1/0"), graph_named("1/0", 3), captured("1/0", "b"), finished("1/0")),
            Event("inductor_output_code", "0/0", 0, {"file_path": "x.py"}, backward),
        ]
    )
    kernel = session.graphs[0].stages[-1]
    assert (kernel.kind, kernel.direction, kernel.source_file) == ("kernel", "backward", "x.py")
    assert len(session.graphs[1].stages) == 1


def test_compiled_autograd_shows_its_graph_before_it_has_a_name() -> None:
    session = build_session(
        [
            Event("compiled_autograd_graph", "!0", 0, {}, "autograd"),
            start("!0/1/0"),
            graph_named("!0/1/0", 5),
            captured("!0/1/0", "a"),
        ]
    )
    (graph,) = session.graphs
    assert [stage.kind for stage in graph.stages] == ["Compiled_autograd_graph", "Captured_Graph"]


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        ({"has_guarded_code": False}, ("skipped", NOTHING_TO_COMPILE)),
        ({"has_guarded_code": True}, ("skipped", NOTHING_TO_COMPILE)),
        (
            {"fail_type": "Unsupported", "fail_reason": "Observed exception"},
            ("skipped", "Observed exception"),
        ),
        (
            {"fail_type": "BackendCompilerFailed", "fail_reason": "it refuses"},
            ("failed", "it refuses"),
        ),
    ],
)
def test_a_continuation_without_code_keeps_the_reason_that_torch_gave(
    failure: dict[str, object], expected: tuple[str, str]
) -> None:
    name = "torch_dynamo_resume_in_f_at_3"
    never = Frame("", name, name, "a.py", 3, outcome="skipped", resumed_by=["__resume_at_4_1"])
    place: dict[str, object] = {"co_name": name, "co_filename": "a.py", "co_firstlineno": 3}
    session = build_session(
        [
            Event("dynamo_start", "1/0", 0, {}),
            Event("compilation_metrics", "1/0", 0, {**place, **failure}),
            Event("depyf_not_compiled", data=asdict(never)),
        ]
    )
    (frame,) = session.frames
    assert (frame.outcome, frame.reason) == expected
    assert frame.resumed_by == ["__resume_at_4_1"]


@pytest.mark.parametrize(("told", "reason"), [(True, NOTHING_TO_COMPILE), (False, "")])
def test_a_continuation_that_torch_left_alone_without_a_word(told: bool, reason: str) -> None:
    """It has no tensors, where torch is one that tells of everything else."""
    name = "torch_dynamo_resume_in_f_at_3"
    never = Frame("", name, name, "a.py", 3, outcome="skipped", resumed_by=["__resume_at_4_1"])
    of_f = [
        Event("dynamo_start", "0/0", 0, {}),
        Event("compilation_metrics", "0/0", 0, {"co_name": "f"}),
    ]
    session = build_session([*of_f * told, Event("depyf_not_compiled", data=asdict(never))])
    assert (session.frames[-1].outcome, session.frames[-1].reason) == ("skipped", reason)


def test_a_function_that_was_given_up_for_a_break_is_not_empty() -> None:
    """Torch 2.8 calls it compiled where the break is in a loop."""
    events = [
        Event("dynamo_start", "0/0", 0, {}),
        Event("dynamo_graph_break_reason", "0/0", 0, {}, NEW_BREAK),
        Event("compilation_metrics", "0/0", 0, {"co_name": "f"}),
    ]
    (frame,) = build_session(events).frames
    assert (frame.outcome, frame.reason) == ("skipped", "Failed to trace builtin operator")


def test_the_reason_of_a_recompilation_has_the_whole_path_and_no_stack() -> None:
    said = "0/0: k == 'a'      # if k == 'a':  # {}:3 in g"
    stack = "\nUser stack trace:\n  File \"/home/me/app.py\", line 3, in g\n    if k == 'a':"
    event = Event("recompile_reasons", "0/1", text=said.format("me/app.py") + stack)
    (found,) = build_session([event]).recompilations
    assert found.failures == [said.format("/home/me/app.py")]


def test_only_what_is_used_is_wanted() -> None:
    for kind in ("dynamo_start", "recompile_reasons", "fx_graph_cache_hit", "aot_joint_graph"):
        assert is_wanted(kind)
    for kind in ("chromium_event", "describe_tensor", "fx_graph_runnable", "dynamo_cpp_guards_str"):
        assert not is_wanted(kind)


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("__compiled_fn_1_be35abb5_4fd8_45a4_bad2_a88f853de746(a)", "__compiled_fn_1(a)"),
        (
            "<built-in method f of Tensor object at 0x7f151adab6b0>",
            "<built-in method f of Tensor object>",
        ),
        (
            "ptr 0x7f151adab6b0, 0xCBF29CE484222325ULL, 0x9E3779B9",
            "ptr <address>, 0xCBF29CE484222325ULL, 0x9E3779B9",
        ),
        ("<eval_with_key>.12 line 3", "<eval_with_key> line 3"),
        ("__compiled_fn_1_helper", "__compiled_fn_1_helper"),
        (
            "a = 1\n_frozen_param2 = None  # device(type='cpu') (2, 1) 7f17fef008c0\nb = 0",
            "a = 1\n_frozen_param2 = None  # device(type='cpu') (2, 1)\nb = 0",
        ),
    ],
)
def test_text_is_cleaned(raw: str, cleaned: str) -> None:
    assert clean(raw) == cleaned


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("f(x, 140119958694752) == 12345678", "f(x, <id>) == 12345678"),
        ("___check_metadata_140119958694752_c0/0", "___check_metadata_<id>_c0/0"),
        ("G['__optimizer_140714127539792_c10']", "G['__optimizer_<id>_c10']"),
        ("L['n'] == 123456789012345", "L['n'] == 123456789012345"),
        ("L['k'] == 'object at 0x7f001234abcd'", "L['k'] == 'object at 0x7f001234abcd'"),
        ("L['k'] == 'it\\'s 0x7f001234abcd'", "L['k'] == 'it\\'s 0x7f001234abcd'"),
        ("torch's <f at 0x7f001234abcd> isn't", "torch's <f> isn't"),
        ("type=<class 'a'> of <f at 0x7f001234abcd>, 'b'", "type=<class 'a'> of <f>, 'b'"),
        ("___dict_version(G['a'].b) == 1095711", "___dict_version(G['a'].b) == <version>"),
        (
            "T == frozenset({<function b at 0x7f001234abcd>, <class 'x'>, <class 'a'>})",
            "T == frozenset({<class 'a'>, <class 'x'>, <function b>})",
        ),
        ("T == '{<b>, <a>}'", "T == '{<b>, <a>}'"),
        (f"___compile_config_hash() == '{'0a' * 16}'", "___compile_config_hash() == '<id>'"),
        (
            "W(compiler='<B object at 0x7f001234abcd>') (id=0x7f001234abcd)",
            "W(compiler='<B object>') (id=<address>)",
        ),
    ],
)
def test_conditions_keep_what_is_the_users(raw: str, cleaned: str) -> None:
    assert clean_condition(raw) == cleaned


LINE = "return x + (x.long() & 0xFFFFFFFFFFF)  # at 0x7f001234abcd"


def test_lines_of_the_users_stay_as_they_are() -> None:
    graph = f"# File: app.py:3 in f, code: {LINE}\ny = call(<f at 0x7f001234abcd>)"
    assert clean(graph) == f"# File: app.py:3 in f, code: {LINE}\ny = call(<f>)"
    assert clean_names(LINE) == LINE
    code = 'k = """a\n at 0x7f001234abcd"""  # <f at 0x7f001234abcd>'
    assert clean_code(code) == 'k = """a\n at 0x7f001234abcd"""  # <f>'


def test_fields_are_cleaned_by_what_they_hold() -> None:
    told = "<f at 0x7f001234abcd>"
    key = "'object at 0x7f001234abcd'"
    guard = Guard("EQUALS_MATCH", f"L[{key}] == {told}", f"L[{key}]", f"is_exactly(L[{key}], 1)")
    guard.cause = Location("app.py", 3, "f", LINE)
    frame = Frame("0/0", "f", "f", "app.py", 1, reason=told, guards=[guard])
    session = Session(
        frames=[frame], recompilations=[Recompilation("0/1", "f", failures=[f"{key}, {told}"])]
    )
    clean_fields(session)
    assert frame.reason == "<f>"
    assert (guard.text, guard.source) == (f"L[{key}] == <f>", f"L[{key}]")
    assert guard.python == f"is_exactly(L[{key}], 1)" and guard.cause.text == LINE
    assert session.recompilations[0].failures == [f"{key}, <f>"]


NEW_BREAK = """\
Graph break in user code at /home/user/a.py:13
Graph Break Reason: Encountered graph break when attempting to trace CALL: a function call:

Failed to trace builtin operator
  Explanation: Dynamo does not know how to trace builtin operator `print`.
  Hint: Avoid calling builtin `print`.
  Hint: Please report an issue
    to PyTorch.

  Developer debug context: builtin print [] False

 For more details about this graph break, please visit: https://example.org/gb0059.html

User code traceback:
  File "/home/user/a.py", line 15, in <module>
    f(torch.randn(n))
  File "/home/user/a.py", line 13, in f
    print("hi")

Traceback (most recent call last):
  File "/site-packages/torch/_dynamo/symbolic_convert.py", line 1076, in wrapper
    return inner_fn(self, inst)
"""
OLD_BREAK = """\
Graph break in user code at /home/user/a.py:7
Reason: Unsupported: call_function BuiltinVariable(print)
User code traceback:
  File "/home/user/a.py", line 7, in f
    print("hi")
"""


def test_a_graph_break_is_taken_apart() -> None:
    found = parse_break("0/0", NEW_BREAK)
    assert found.reason == "Failed to trace builtin operator"
    assert found.explanation == "Dynamo does not know how to trace builtin operator `print`."
    assert found.hints == ["Avoid calling builtin `print`.", "Please report an issue to PyTorch."]
    assert found.details == "builtin print [] False"
    assert found.url == "https://example.org/gb0059.html"
    place = found.location
    assert place is not None
    assert (place.file, place.line, place.function) == ("/home/user/a.py", 13, "f")
    assert place.text == 'print("hi")'


def test_a_graph_break_as_older_versions_tell_it() -> None:
    found = parse_break("0/0", OLD_BREAK)
    assert found.reason == "Unsupported: call_function BuiltinVariable(print)"
    assert found.location is not None and found.location.line == 7


BREAK_IN_LOOP = """\
Data-dependent branching
  Explanation: Detected data-dependent branching.
  Hint: Use `torch.cond`.

  Developer debug context: attempted to jump

 For more details about this graph break, please visit: https://example.org/gb0170.html

*** While handling this graph break, another graph break occurred: ***

graph break in loop
  Explanation: torch.compile detected a graph break in a for/while loop.
  Hint: This graph break may have been caused by an earlier graph break. Resolving it may help.
  Hint: Move the loop.

  Developer debug context: frame skipped: f

 For more details about this graph break, please visit: https://example.org/gb7000.html"""


def test_a_frame_that_is_given_up_for_a_loop_says_so() -> None:
    found = parse_failure("0/0", BREAK_IN_LOOP, None)
    assert found.reason == "Data-dependent branching"
    assert found.explanation == "Detected data-dependent branching."
    # The earlier break is this very one.
    assert found.hints == ["Use `torch.cond`.", "Move the loop."]
    assert found.url == "https://example.org/gb0170.html"
    assert with_aftermath(found, BREAK_IN_LOOP) == "Data-dependent branching; graph break in loop"
    alone = parse_failure("0/0", "Data-dependent branching", None)
    assert with_aftermath(alone, "Data-dependent branching") == "Data-dependent branching"


def test_reasons_of_a_recompilation() -> None:
    assert parse_recompilation("0/1", "f", "0/0: a").failures == ["0/0: a"]
    assert parse_recompilation("0/2", "f", '["0/1: b", "0/0: a"]').failures == ["0/1: b", "0/0: a"]
