"""Programs about variables, cells, closures, generators and ways to call."""

from __future__ import annotations

import functools
import inspect

import torch
from torch import nn

from .running import Compile, counted


def closure_across_break(compiled: Compile) -> object:
    k = 5

    def f(x):
        y = x + 1

        def g(z):
            return z + y + k

        torch._dynamo.graph_break()
        return g(x)

    return compiled(f)(counted(3))


def cell_written_across_break(compiled: Compile) -> object:
    cnt = 0

    def f(x):
        nonlocal cnt
        cnt += 1
        y = x * cnt
        print("said")
        cnt += 1
        return y

    r = compiled(f)(counted(3))
    return r, cnt


def lambda_compiled(compiled: Compile) -> object:
    f = compiled(lambda x: (x + 1, print("said"), x * 2)[2])
    return f(counted(3))


def lambdas_over_cells(compiled: Compile) -> object:

    def f(x):
        y = x + 1
        g = lambda z: z + y  # noqa: E731
        h = lambda: g(x)  # noqa: E731
        torch._dynamo.graph_break()
        y = y + 1
        return h()

    return compiled(f)(counted(3))


def closure_returned(compiled: Compile) -> object:

    def f(x):
        y = x + 1

        def g(z):
            return z + y

        return g

    return compiled(f)(counted(3))(counted(3))


def class_made_inside(compiled: Compile) -> object:

    def f(x):

        class A:
            v = 3

            def m(self, q):
                return q + self.v

        torch._dynamo.graph_break()
        return A().m(x)

    return compiled(f)(counted(3))


def generator_with_break(compiled: Compile) -> object:

    def f(x):

        def g():
            yield (x + 1)
            torch._dynamo.graph_break()
            yield (x + 2)

        return sum(g())

    return compiled(f)(counted(3))


def comprehensions(compiled: Compile) -> object:

    def f(x):
        both = [a * 2 for a in (x, x + 1)]
        d = {k: v + 1 for k, v in zip("ab", both)}
        torch._dynamo.graph_break()
        s = sum(v.sum() for v in d.values())
        return d, s

    return compiled(f)(counted(3))


def cell_that_nothing_binds_any_more(compiled: Compile) -> object:
    """The comprehension is in the graph; Dynamo's code keeps the cell of its size."""

    def f(x):
        size = (x.size(0), 2)
        made = [torch.zeros(*size) + i for i in range(3)]
        return x.sum() + made[1].sum()

    return compiled(f)(counted(3))


def generator_consumed(compiled: Compile) -> object:

    def gen(x):
        for i in range(3):
            y = x + i
            yield y

    def f(x):
        t = 0
        for y in gen(x):
            t = t + y
            if t.sum() > 5:
                print("said")
        return t

    return compiled(f)(counted(3))


def iterator_consumed(compiled: Compile) -> object:

    def f(it):
        a = next(it)
        b = next(it)
        torch._dynamo.graph_break()
        return a + b + next(it)

    return compiled(f)(iter([counted(2), counted(2), counted(2)]))


def star_arguments(compiled: Compile) -> object:

    def f(*a, **k):
        s = a[0] + k["b"]
        torch._dynamo.graph_break()
        return s * len(a)

    return compiled(f)(counted(3), counted(3), b=counted(3))


def keyword_only(compiled: Compile) -> object:

    def f(x, *, a, b=2):
        y = x * a
        torch._dynamo.graph_break()
        return y + b

    return compiled(f)(counted(3), a=4)


def call_with_keywords(compiled: Compile) -> object:

    def g(a, *r, k=1, **kw):
        torch._dynamo.graph_break()
        return a + len(r) + k + sum(kw.values())

    def f(x):
        return g(x, 1, 2, k=5, z=3)

    return compiled(f)(counted(3))


def starred_unpacking(compiled: Compile) -> object:

    def f(xs):
        a, *b = xs
        torch._dynamo.graph_break()
        return [*b, a], (*b,)

    return compiled(f)([counted(1), counted(2), counted(3)])


def mutable_defaults(compiled: Compile) -> object:

    def f(x, xs=[], d={}):  # noqa: B006
        xs.append(x.shape[0])
        d[len(d)] = x
        torch._dynamo.graph_break()
        return len(xs), len(d)

    g = compiled(f)
    return g(counted(3)), g(counted(3)), f.__defaults__


def partial_compiled(compiled: Compile) -> object:

    def g(a, b, k=0):
        torch._dynamo.graph_break()
        return a + b + k

    p = functools.partial(g, counted(3), k=2)
    return compiled(p)(counted(3))


def method_compiled(compiled: Compile) -> object:

    class A:
        k = 2

        @compiled
        def m(self, x):
            x = x * self.k
            self.k += 1
            print("said")
            return x + self.k

    a = A()
    return a.m(counted(3)), a.m(counted(3)), a.k


def static_and_class_method(compiled: Compile) -> object:

    class A:
        @staticmethod
        def sm(x):
            return x + 1

        @classmethod
        def cm(cls, x):
            torch._dynamo.graph_break()
            return cls.sm(x)

    return compiled(A.cm)(counted(3))


def super_call(compiled: Compile) -> object:

    class A(nn.Module):
        def forward(self, x):
            return x + 1

    class B(A):
        def forward(self, x):
            y = super().forward(x)
            torch._dynamo.graph_break()
            return super().forward(y)

    return compiled(B())(counted(3))


def locals_deleted(compiled: Compile) -> object:

    def f(x):
        y = x + 1
        z = y * 2
        del y
        torch._dynamo.graph_break()
        w = z + 1
        del z
        return w

    return compiled(f)(counted(3))


def locals_asked_for_behind_break(compiled: Compile) -> object:
    """The first frame keeps the names of all instructions, and has none of those left."""

    def f(x):
        y = x + 1
        torch._dynamo.graph_break()
        return y if x is None else inspect.currentframe() is None

    return compiled(f)(counted(3))


TALLY = 0


def _tallied(x):
    global TALLY
    TALLY = TALLY + 1
    return x + TALLY


def global_called_like_an_argument(compiled: Compile) -> object:
    """What is inlined writes a global that the function around it has a variable for."""

    def f(x, TALLY):
        y = _tallied(x)
        torch._dynamo.graph_break()
        return y * TALLY

    return compiled(f)(counted(3), 3), _tally_put_back()


def global_called_like_a_cell(compiled: Compile) -> object:

    def f(x):
        TALLY = 5

        def own():
            return TALLY

        y = _tallied(x)
        torch._dynamo.graph_break()
        TALLY = 7
        return y * own()

    return compiled(f)(counted(3)), _tally_put_back()


def global_called_like_a_free_variable(compiled: Compile) -> object:
    TALLY = 8

    def f(x):
        nonlocal TALLY
        TALLY += 1
        y = _tallied(x)
        torch._dynamo.graph_break()
        return y * TALLY

    return compiled(f)(counted(3)), TALLY, _tally_put_back()


def _tally_put_back() -> int:
    global TALLY
    found, TALLY = TALLY, 0
    return found


def forty_tensors(compiled: Compile) -> object:

    def f(*xs):
        r = [x + i for i, x in enumerate(xs)]
        torch._dynamo.graph_break()
        return tuple(r), {str(i): x for i, x in enumerate(r)}

    return compiled(f)(*[counted(2) for _ in range(40)])


def functions_and_classes_in_the_rest(compiled: Compile) -> object:
    k = 3

    def f(x):
        y = x + 1
        torch._dynamo.graph_break()
        z = y.mul(2)
        z = z.add(1)
        # Nothing can go on from here: the rest of the continuation stays as it was written.
        print(z.grad_fn is None)

        def made(n):
            return lambda v: v + n + k

        class Kept:
            def get(self):
                return [lambda: k for _ in range(2)]

        return made(1)(z), made(1).__qualname__, Kept().get()[0].__qualname__, Kept.__qualname__

    return compiled(f)(counted(3).requires_grad_())
