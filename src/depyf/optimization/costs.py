"""What the guards of a call cost, group by group, and what the rest of torch.compile adds.

Everything is timed in turns in one run, in seconds of CPU time of this thread. The guards as a
whole, the call around them and the single groups are measured independently of each other; only
the groups are then scaled to the whole, as asking for one at a time has a price of its own.
"""

from __future__ import annotations

import re
from time import perf_counter, thread_time
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .breaks import has_graph_break
from .bytecode import arguments_of
from .dynamo import (
    Entry,
    Target,
    compile_around,
    entries_of,
    is_marked,
    name_of,
    target_of,
    without_backend,
)
from .guards import Check, Group, Guards, Values
from .unguarded import UnguardedError, to_choose_from, unguarded

# Of a call that takes long there are fewer, so that all of them take about this many seconds.
SECONDS = 2.0
ROUNDS = 40
FEWEST_ROUNDS = 3
CALLS = 100
CALLS_PER_GROUP = 20
AROUND = "the call through torch.compile"
SHOWN = 20
WIDEST = 90
NUMBER = re.compile(r"\d+")

SEVERAL_PLACES = (
    "{} has a graph break, so its guards are in several places: "
    "remove the break, or measure functions for the parts"
)
NOT_COMPILED = (
    "{} is as it is written, so calling it evaluates no guards: pass what torch.compile returned"
)
NOT_THIS_ONE = (
    "choose= asked for entry {} of {}, but that is not the one that torch runs for this call: "
    "choose that one, or measure a call that runs this one"
)

Call = Callable[[], object]
Cost = Tuple[str, Tuple[str, ...], float]


class GuardCost(NamedTuple):
    """Some guards that are evaluated together: `what` torch asks about, and the `guards`.

    `seconds` is what they take in one call, `share` their part of it, from 0 to 1.
    """

    what: str
    guards: Tuple[str, ...]
    seconds: float
    share: float


class GuardCosts(NamedTuple):
    """The costs of one call as `rows`, dearest first. Printing it gives a table.

    `call_seconds` is a call through torch.compile, `unguarded_seconds` the same without guards.
    """

    rows: Tuple[GuardCost, ...]
    call_seconds: float
    unguarded_seconds: float

    @property
    def seconds(self) -> float:
        """What all guards of a call take together."""
        return sum(row.seconds for row in self.rows)

    def __str__(self) -> str:
        lines = [f"{'µs':>9}  {'share':>6}  {'groups':>6}  guards"]
        alike = _alike(self.rows)
        lines += [_line(rows, self.call_seconds) for rows in alike[:SHOWN]]
        rest = [row for rows in alike[SHOWN:] for row in rows]
        if rest:
            lines.append(_line(rest, self.call_seconds, "others"))
        lines.append(_line(self.rows, self.call_seconds, "together"))
        lines.append(
            f"a call takes {self.call_seconds * 1e6:.2f} µs, "
            f"without guards {self.unguarded_seconds * 1e6:.2f} µs"
        )
        return "\n".join(lines)


def _alike(rows: Sequence[GuardCost]) -> List[List[GuardCost]]:
    """Rows that differ in numbers alone, as those of a hundred layers do; dearest first."""
    found: Dict[str, List[GuardCost]] = {}
    for row in rows:
        found.setdefault(NUMBER.sub("#", _title(row)), []).append(row)
    return sorted(found.values(), key=lambda rows: -sum(row.seconds for row in rows))


def _title(row: GuardCost) -> str:
    """The guard without its comment, or how many there are and on what."""
    if len(row.guards) == 1:
        return " ".join(row.guards[0].split("  # ")[0].split())
    if row.guards:
        return f"{len(row.guards)} guards on {row.what}"
    return row.what if row.what == AROUND else f"reaching {row.what}"


def _line(rows: Sequence[GuardCost], call_seconds: float, title: str = "") -> str:
    seconds = sum(row.seconds for row in rows)
    title = title or _title(rows[0]) + (", and alike" if len(rows) > 1 else "")
    title = title if len(title) <= WIDEST else title[: WIDEST - 3] + "..."
    return f"{seconds * 1e6:9.2f}  {seconds / call_seconds:6.1%}  {len(rows):6}  {title}"


def guard_costs(
    compiled: Callable[..., Any],
    /,
    *args: Any,
    choose: Optional[Callable[..., int]] = None,
    **kwargs: Any,
) -> GuardCosts:
    """Tell what the guards of a call cost, in seconds of CPU time of the thread that asks.

    The function really runs, and with it whatever it does besides computing: as often as two
    seconds allow, but not more than 20,100 times and not less than 20. `choose` is that of
    `unguarded`, and has to choose the entry that torch runs for this call.
    """
    target = target_of(compiled)
    if not is_marked(compiled):
        # Torch may have code for it all the same, made for what torch.compile returned.
        raise UnguardedError(NOT_COMPILED.format(name_of(target.function)))
    bare = unguarded(compiled, *args, choose=choose, check_every=0, **kwargs)
    entry = entries_of(target.function.__code__)[0]
    if has_graph_break(entry.code):
        raise UnguardedError(SEVERAL_PLACES.format(name_of(target.function)))
    values = arguments_of(target, args, kwargs)
    if choose is not None:
        _refuse_another(target, entry, choose(*args, **kwargs), values)
    calls = _calls(compiled, bare, entry.guards, values, args, kwargs)
    with without_backend():
        seconds = _in_turns(calls)
    guards = max(seconds["small and guards"] - seconds["small"] - seconds["nothing"], 0.0)
    around = seconds["small"] - seconds["small inside"] + seconds["nothing"]
    costs = [(AROUND, (), max(around, 0.0)), *_groups(entry.guards, values, guards)]
    return _sorted(costs, seconds["plain"], seconds["bare"])


def _refuse_another(target: Target, served: Entry, number: int, values: Values) -> None:
    """Two calls that run different code cannot tell what the guards of one of them cost."""
    there = to_choose_from(target, entries_of(target.function.__code__), values)
    if not any(n == number and entry.code is served.code for n, entry in enumerate(there)):
        raise UnguardedError(NOT_THIS_ONE.format(number, name_of(target.function)))


def _calls(
    compiled: Callable[..., Any],
    bare: Callable[..., Any],
    guards: Guards,
    values: Values,
    args: Tuple[Any, ...],
    kwargs: Dict[str, Any],
) -> Dict[str, Call]:
    def work() -> object:
        return bare(*args, **kwargs)

    def work_with_guards() -> object:
        check(values)
        return work()

    check = guards.check
    small, small_bare, small_check = _small(work)
    # In a loop of their own, guards take half the time that they take in a real call, where the
    # caches of the processor hold something else. Here they are where torch has them.
    small_with_guards, _, _ = _small(work_with_guards)
    return {
        "plain": lambda: compiled(*args, **kwargs),
        "bare": work,
        "small": small,
        "small inside": lambda: (small_bare(), small_check()),
        "small and guards": small_with_guards,
        # Called like a check, and over at once.
        "nothing": lambda: id(values),
    }


def _sorted(costs: List[Cost], plain: float, bare: float) -> GuardCosts:
    rows = [GuardCost(what, texts, cost, cost / plain) for what, texts, cost in costs]
    return GuardCosts(tuple(sorted(rows, key=lambda row: -row.seconds)), plain, bare)


def _small(work: Call) -> Tuple[Call, Call, Call]:
    """A function with next to no guards that does the same work: called, bare, its guards."""
    compiled, argument = compile_around(work)
    bare = unguarded(compiled, argument, check_every=0)
    target = target_of(compiled)
    guards = entries_of(target.function.__code__)[0].guards
    values = arguments_of(target, (argument,), {})
    return lambda: compiled(argument), lambda: bare(argument), lambda: guards.check(values)


def _in_turns(calls: Dict[str, Call]) -> Dict[str, float]:
    """The best of several rounds for each, taken in turns so that all see the same machine."""
    best = dict.fromkeys(calls, float("inf"))
    times = _calls_in_a_turn(calls)
    end = perf_counter() + SECONDS
    for turn in range(ROUNDS):
        if turn >= FEWEST_ROUNDS and perf_counter() > end:
            break
        for name, call in calls.items():
            best[name] = min(best[name], _seconds(call, times))
    return best


def _calls_in_a_turn(calls: Dict[str, Call]) -> int:
    started = perf_counter()
    for _ in range(FEWEST_ROUNDS):
        calls["plain"]()
    one = (perf_counter() - started) / FEWEST_ROUNDS
    return max(1, min(CALLS, int(SECONDS / (one * len(calls) * ROUNDS))))


def _seconds(call: Call, times: int) -> float:
    repetitions = range(times)
    start = thread_time()
    for _ in repetitions:
        call()
    return (thread_time() - start) / times


def _groups(guards: Guards, values: Values, whole: float) -> Iterator[Cost]:
    """The cost of each group, so that together they are the whole."""
    groups = guards.groups()
    scope = guards.scope(values)
    nothing = _best(lambda: id(scope))
    alone = [_cost_alone(group, scope, nothing) for group in groups]
    # What is left is walking from value to value, a step for each group.
    step = max(whole - sum(alone), 0.0) / len(groups)
    scale = whole / (sum(alone) + step * len(groups) or 1.0)
    for group, seconds in zip(groups, alone):
        yield group.source, group.guards, (seconds + step) * scale


def _cost_alone(group: Group, scope: Dict[str, object], nothing: float) -> float:
    try:
        value = eval(group.source, dict(scope))
    except Exception:  # not every value has an expression
        return 0.0
    return sum(max(_best(_call_of(check, value)) - nothing, 0.0) for check in group.checks)


def _call_of(check: Check, value: object) -> Call:
    return lambda: check(value)


def _best(call: Call) -> float:
    return min(_seconds(call, CALLS_PER_GROUP) for _ in range(3))
