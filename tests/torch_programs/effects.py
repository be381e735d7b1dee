"""Programs that change something that is seen from outside."""

from __future__ import annotations

import contextlib
import random

import torch

from .running import Compile, counted

COUNT = 3


def in_place(compiled: Compile) -> object:

    def f(x, y):
        x.add_(1)
        y[0] = 5
        print("said")
        x.mul_(2)
        return x

    a, b = counted(3), counted(3)
    r = compiled(f)(a, b)
    return r, a, b


def attributes_written(compiled: Compile) -> object:

    class A:
        pass

    a = A()
    a.n = 0
    a.l = []
    a.d = {}

    def f(x):
        a.n += 1
        a.l.append(x)
        a.d["k"] = x + 1
        a.d["z"] = 3
        torch._dynamo.graph_break()
        a.n += 1
        a.d.pop("z")
        a.l.append(x + 1)
        return x + a.n

    r = compiled(f)(counted(3))
    return r, a.n, a.l, a.d


def global_written(compiled: Compile) -> object:

    global COUNT
    COUNT = 3

    def f(x):
        global COUNT
        COUNT = COUNT + 1
        y = x + COUNT
        torch._dynamo.graph_break()
        COUNT = COUNT * 2
        return y

    r = compiled(f)(counted(3))
    return r, COUNT


def list_changed(compiled: Compile) -> object:

    def f(xs):
        xs.append(xs[0] + 1)
        xs[0] = xs[0] * 2
        torch._dynamo.graph_break()
        xs.insert(0, xs[-1])
        del xs[1]
        return len(xs)

    xs = [counted(3), counted(2)]
    return compiled(f)(xs), xs


def dictionary_cleared_late(compiled: Compile) -> object:
    d = {"a": 1}

    def f(x, d):
        d.update({"q": x})
        d["a"] = 2
        d.clear()
        d["z"] = x + 1
        torch._dynamo.graph_break()
        return d["z"] + x

    return compiled(f)(counted(3), d), d


def dictionary_subclass(compiled: Compile) -> object:

    class D(dict):
        pass

    d = D(a=1)

    def f(x):
        d["x"] = x
        d["y"] = [x]
        torch._dynamo.graph_break()
        d["y"].append(x + 1)
        del d["x"]
        return len(d)

    return compiled(f)(counted(3)), dict(d)


def property_written(compiled: Compile) -> object:

    class A:
        def __init__(self):
            self._v = counted(3)

        @property
        def v(self):
            return self._v

        @v.setter
        def v(self, x):
            self._v = x

    a = A()

    def f(x):
        a.v = a.v + x
        torch._dynamo.graph_break()
        a.v = a.v * 2
        return a.v

    return compiled(f)(counted(3)), a.v


def slots_written(compiled: Compile) -> object:

    class S:
        __slots__ = ("p",)

    s = S()
    s.p = counted(3)

    def f(x):
        s.p = s.p + x
        return s.p

    return compiled(f)(counted(3)), s.p


def attribute_deleted(compiled: Compile) -> object:

    class A:
        pass

    a = A()
    a.q = 1

    def f(x):
        del a.q
        a.r = x
        torch._dynamo.graph_break()
        return hasattr(a, "q")

    return compiled(f)(counted(3)), vars(a)


def attributes_of_tensors(compiled: Compile) -> object:

    def f(x):
        x.foo = 3
        y = x + 1
        y.bar = x
        torch._dynamo.graph_break()
        return y

    x = counted(3)
    r = compiled(f)(x)
    return r, x.foo, r.bar is x


def masked_write(compiled: Compile) -> object:

    def f(x):
        x[x > 1] = 0
        y = x.nonzero()
        return y + 1

    x = counted(3)
    return compiled(f)(x), x


def own_context_manager(compiled: Compile) -> object:

    class CM:
        def __init__(self):
            self.l = []

        def __enter__(self):
            self.l.append(1)
            return self

        def __exit__(self, *a):
            self.l.append(2)

    cm = CM()

    def f(x):
        with cm as q:
            y = x + 1
            torch._dynamo.graph_break()
            y = y + len(q.l)
        return y

    return compiled(f)(counted(3)), cm.l


def generator_context_manager(compiled: Compile) -> object:

    @contextlib.contextmanager
    def cm(v):
        v.append(1)
        try:
            yield v
        finally:
            v.append(2)

    log = []

    def f(x):
        with cm(log) as q:
            x = x + len(q)
            torch._dynamo.graph_break()
        return x

    return compiled(f)(counted(3)), log


def random_numbers(compiled: Compile) -> object:

    def f(x):
        a = random.random()
        y = x + a
        torch._dynamo.graph_break()
        return y + random.randint(1, 3)

    return compiled(f)(counted(3))


def item_and_numpy(compiled: Compile) -> object:

    def f(x):
        print("v", x.sum().item())
        n = x.numpy()
        return x + x.sum().item() + n.shape[0]

    return compiled(f)(counted(3))


def item_in_no_grad(compiled: Compile) -> object:

    def f(x):
        with torch.no_grad():
            n = x.sum().item()
            y = x + n
        with torch.enable_grad():
            z = y * 2
            print("said")
            z = z + 1
        return z

    return compiled(f)(counted(3))


def autocast_across_break(compiled: Compile) -> object:

    def f(x):
        with torch.autocast("cpu"):
            y = x @ x
            torch._dynamo.graph_break()
            z = y @ x
        return z

    return compiled(f)(counted(3, 3))


def aliased_arguments(compiled: Compile) -> object:

    def f(x, y):
        x.add_(1)
        torch._dynamo.graph_break()
        y.mul_(2)
        return x + y

    x = counted(3)
    return compiled(f)(x, x), compiled(f)(x, x[:2].expand(1, 2)[0, :1]), x
