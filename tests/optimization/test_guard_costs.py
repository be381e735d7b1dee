"""`guard_costs`: every guard is in the table, the sums are right, and measuring harms nothing."""

from __future__ import annotations

import time

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

from depyf.optimization import UnguardedError, guard_costs  # noqa: E402
from depyf.optimization.costs import AROUND  # noqa: E402


class Add(torch.nn.Module):
    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def forward(self, x):
        return x + self.number


class Chain(torch.nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.parts = torch.nn.ModuleList([Add(number) for number in range(count)])

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


def test_every_guard_is_there_and_the_dearest_comes_first() -> None:
    costs = guard_costs(torch.compile(Chain(5), backend="eager"), torch.ones(1))
    texts = [text for row in costs.rows for text in row.guards]
    for number in range(5):
        assert any(f".number == {number}" in text for text in texts)
    assert any("x" in text and "tensor" in text.lower() for text in texts)
    assert [row.seconds for row in costs.rows] == sorted(
        (row.seconds for row in costs.rows), reverse=True
    )
    assert any(row.what == AROUND for row in costs.rows)


def test_shares_are_shares_of_the_call() -> None:
    costs = guard_costs(torch.compile(Chain(5), backend="eager"), torch.ones(1))
    for row in costs.rows:
        assert row.share == pytest.approx(row.seconds / costs.call_seconds)
    assert costs.seconds == pytest.approx(sum(row.seconds for row in costs.rows))
    assert 0 < costs.unguarded_seconds < costs.call_seconds


def test_the_table_shows_guards_that_are_alike_as_one() -> None:
    costs = guard_costs(torch.compile(Chain(50), backend="eager"), torch.ones(1))
    lines = str(costs).splitlines()
    assert len(lines) < 30
    assert "share" in lines[0]
    (numbers,) = [line for line in lines if ".number ==" in line]
    assert numbers.split()[2] == "50"
    together = next(line for line in lines if line.endswith("together"))
    assert float(together.split()[0]) == pytest.approx(costs.seconds * 1e6, abs=0.01)
    assert lines[-1].startswith("a call takes")


def test_measuring_neither_recompiles_nor_breaks_the_guards() -> None:
    counter = torch._dynamo.testing.CompileCounter()
    compiled = torch.compile(lambda x, y: x + y, backend=counter)
    x, y = torch.ones(2), torch.zeros(2)
    for _ in range(3):
        guard_costs(compiled, x, y)
    assert compiled(x, y).tolist() == [1.0, 1.0]
    assert counter.frame_count == 1
    compiled(torch.ones(2, dtype=torch.int64), y)
    assert counter.frame_count == 2


def test_dear_calls_are_fewer() -> None:
    ran = []

    def backend(graph, inputs):
        def run(*arguments):
            ran.append(graph)
            time.sleep(0.01)
            return graph.forward(*arguments)

        return run

    started = time.perf_counter()
    guard_costs(torch.compile(lambda x: x + 1, backend=backend), torch.ones(1))
    assert 20 <= len(ran) < 250
    assert time.perf_counter() - started < 20


def test_it_can_be_asked_often() -> None:
    compiled = torch.compile(Chain(1), backend="eager")
    for _ in range(12):
        assert guard_costs(compiled, torch.ones(1)).rows


def test_a_graph_break_is_refused() -> None:
    @torch.compile(backend="eager")
    def broken(x):
        x = x + 1
        torch._dynamo.graph_break()
        return x * 2

    with pytest.raises(UnguardedError, match="several places"):
        guard_costs(broken, torch.ones(1))


def test_a_function_as_it_is_written_is_refused_though_it_has_been_compiled() -> None:
    def add(x):
        return x + 1

    torch.compile(add, backend="eager")(torch.ones(1))
    with pytest.raises(UnguardedError, match=r"add is as it is written.*torch\.compile returned"):
        guard_costs(add, torch.ones(1))


def in_place():
    module = Chain(1)
    module.compile(backend="eager")
    return module


def forward_alone():
    module = Chain(1)
    module.forward = torch.compile(module.forward, backend="eager")
    return module


@pytest.mark.parametrize("make", [in_place, forward_alone])
def test_modules_that_are_compiled_in_other_ways_are_measured(make) -> None:
    costs = guard_costs(make(), torch.ones(1))
    assert any(".number == 0" in text for row in costs.rows for text in row.guards)


def choosing():
    @torch.compile(backend="eager")
    def add(x, number):
        return x + {"one": 1, "two": 2}[number]

    add(torch.ones(1), "one")
    add(torch.ones(1), "two")
    return add


def test_several_entries_are_chosen_from() -> None:
    add, x = choosing(), torch.ones(1)
    with pytest.raises(UnguardedError, match="choose="):
        guard_costs(add, x, "two")
    costs = guard_costs(add, x, number="two", choose=lambda x, number: int(number == "two"))
    texts = [text for row in costs.rows for text in row.guards]
    assert any("'two'" in text for text in texts)
    assert not any("'one'" in text for text in texts)


@pytest.mark.parametrize("number", [0, 2, None, [1]])
def test_the_guards_of_a_call_that_runs_another_entry_are_refused(number) -> None:
    with pytest.raises(UnguardedError, match="not the one that torch runs"):
        guard_costs(choosing(), torch.ones(1), "two", choose=lambda x, kind: number)


def test_an_argument_may_be_called_compiled() -> None:
    def add(x, compiled):
        return x + compiled

    assert guard_costs(torch.compile(add, backend="eager"), torch.ones(1), compiled=2).rows
