"""Programs whose flow of control depends on data, or is cut by a graph break."""

from __future__ import annotations

import contextlib
import sys

import torch

from .running import Compile, counted


def data_dependent_if(compiled: Compile) -> object:

    def f(x):
        if x.sum() > 0:
            x = x + 1
        return x * 2

    return compiled(f)(counted(3)), compiled(f)(-counted(3))


def data_dependent_while(compiled: Compile) -> object:

    def f(x):
        while x.sum() < 100:
            x = x * 2
        return x + 1

    return compiled(f)(counted(3))


def data_dependent_for(compiled: Compile) -> object:

    def f(x):
        out = []
        for i in range(3):
            if x[i] > 1:
                out.append(x[i])
        return sum(out)

    return compiled(f)(counted(3))


def break_in_with(compiled: Compile) -> object:

    def f(x):
        with torch.no_grad():
            y = x + 1
            torch._dynamo.graph_break()
            y = y * 2
        return y + x

    return compiled(f)(counted(3))


def break_in_try(compiled: Compile) -> object:

    def f(x):
        try:
            y = x + 1
            torch._dynamo.graph_break()
            y = y * 2
        except ValueError:
            y = x
        finally:
            x = x + 1
        return y + x

    return compiled(f)(counted(3))


def break_in_called_function(compiled: Compile) -> object:

    def g(x):
        torch._dynamo.graph_break()
        return x + 1

    def f(x):
        y = x * 2
        z = g(y)
        return z + y

    return compiled(f)(counted(3))


def break_in_comprehension(compiled: Compile) -> object:

    def f(x):
        both = [x.item() if i else x for i in range(2)]
        return both[0] + both[1]

    return compiled(f)(torch.tensor(2.0))


def break_in_for(compiled: Compile) -> object:

    def f(x):
        for i in range(3):
            x = x + i
            torch._dynamo.graph_break()
        return x

    return compiled(f)(counted(3))


def break_two_calls_deep(compiled: Compile) -> object:

    def h(x):
        x = x + 1
        print("said")
        return x * 3

    def g(x, y=2):
        a = h(x) + y
        return a - 1

    def f(x):
        r = g(x)
        s = g(r, 5)
        return r + s

    return compiled(f)(counted(3))


def many_breaks(compiled: Compile) -> object:

    def f(x):
        a = x + 1
        print("said")
        b = a * 2
        print("said")
        cc = b - a
        print("said")
        d = cc + b
        return a, b, cc, d

    return compiled(f)(counted(3))


def recurrent_loop(compiled: Compile) -> object:

    def f(xs, h):
        outs = []
        for x in xs:
            h = torch.tanh(x + h)
            if h.sum() > 1:
                outs.append(h)
            else:
                outs.append(h * 2)
                print("said")
        return torch.stack(outs), h

    return compiled(f)([counted(2) for _ in range(4)], torch.zeros(2))


def while_true(compiled: Compile) -> object:

    def f(x):
        i = 0
        while True:
            x = x + 1
            i += 1
            if x.sum() > 20:
                break
            if i > 50:
                return None
        return x, i

    return compiled(f)(counted(3))


def try_continue_finally_in_loop(compiled: Compile) -> object:

    def f(x):
        for i in range(3):
            try:
                if i == 1:
                    raise ValueError
                x = x + 1
                print("said")
            except ValueError:
                x = x * 2
                continue
            finally:
                x = x - 1
        return x

    return compiled(f)(counted(3))


def nested_with(compiled: Compile) -> object:

    def f(x):
        with torch.no_grad():
            with torch.autocast("cpu"):
                y = x @ x
                torch._dynamo.graph_break()
                y = y + 1
            torch._dynamo.graph_break()
        return y

    return compiled(f)(counted(3, 3))


def exception_caught(compiled: Compile) -> object:

    def f(x):
        y = x + 1
        try:
            torch._dynamo.graph_break()
            raise ValueError("a")
        except ValueError as e:
            y = y + len(str(e))
        return y

    return compiled(f)(counted(3))


def recursive_function(compiled: Compile) -> object:

    def fac(x, n):
        if n == 0:
            return x
        torch._dynamo.graph_break()
        return fac(x * n, n - 1)

    return compiled(fac)(counted(3), 3)


def break_out_of_zip(compiled: Compile) -> object:

    def f(xs, ys):
        r = 0
        for a, b in zip(xs, ys):
            r = r + a * b
            if r.sum() > 10:
                break
        return r

    return compiled(f)([counted(3), counted(3)], [counted(3), counted(3)])


def dictionary_iterated(compiled: Compile) -> object:

    def f(d):
        r = 0
        for k, v in d.items():
            r = r + v
            if k == "b":
                print("said")
        return r

    return compiled(f)({"a": counted(3), "b": counted(3)})


def walrus(compiled: Compile) -> object:

    def f(x):
        if (n := x.sum().item()) > 3:
            x = x + n
        return x, n

    return compiled(f)(counted(3))


def assert_on_data(compiled: Compile) -> object:

    def f(x):
        assert x.sum() > 0, "m"
        return x + 1

    return compiled(f)(counted(3))


def assert_with_message(compiled: Compile) -> object:

    def f(x):
        torch._check(x.shape[0] == 3)
        assert x.shape[0] == 3, f"bad {x.shape}"
        print("said")
        assert (x > 0).all(), "neg"
        return x

    return compiled(f)(counted(3))


def exception_of_the_program(compiled: Compile) -> object:

    def f(x):
        x.add_(1)
        print("said")
        raise KeyError("hi")

    x = counted(3)
    try:
        compiled(f)(x)
    except KeyError as error:
        return str(error), x
    return None


def leave_off_in_try_in_loop(compiled: Compile) -> object:

    def f(x):
        y = x + 1
        for _ in range(2):
            try:
                y = y * 2
                torch._dynamo.step_unsupported()
                y = y + 1
            except ValueError:
                pass
        return y

    return compiled(f)(counted(3))


def leave_off_in_try(compiled: Compile) -> object:

    def f(x, y):
        try:
            z = x / y
            torch._dynamo.step_unsupported()
            z = z + 1
        finally:
            x.add_(1)
        return z

    return compiled(f)(counted(3), counted(3))


def leave_off_in_with_in_while(compiled: Compile) -> object:

    def f(x):
        i = 0
        while i < 3:
            x = x + i
            with contextlib.nullcontext():
                torch._dynamo.step_unsupported()
            i += 1
        return x

    return compiled(f)(counted(3))


LEAVES_OFF_BEFORE_MATCH = """
def f(x, given):
    def added(one):
        nonlocal y
        y = y + one
        return one

    y = x + 1
    y = added(x) * 2
    with Own():
        torch._dynamo.graph_break()
    match given:
        case [int(first), *_] if first:
            y = y * first
        case {"k": str(text), **_rest}:
            y = y + len(text)
        case complex(real=real):
            y = y - real
    return y
"""


def leave_off_before_match(compiled: Compile) -> object:
    """Dynamo spells the tests of a `match` in its own way."""
    if sys.version_info < (3, 10):
        return None

    class Own:
        def __enter__(self):
            print("in")

        def __exit__(self, *raised):
            print("out")

    space = {"torch": torch, "Own": Own}
    # Torch leaves code of no file alone.
    exec(compile(LEAVES_OFF_BEFORE_MATCH, __file__, "exec"), space)
    return [compiled(space["f"])(counted(3), given) for given in ([2], {"k": "ab"}, 3j, 5)]


def leave_off_in_nested_loops(compiled: Compile) -> object:

    def f(x):
        out = []
        for _ in range(2):
            for j in range(2):
                x = x + 1
                if j:
                    torch._dynamo.step_unsupported()
                out.append(x)
        return out

    return compiled(f)(counted(3))
