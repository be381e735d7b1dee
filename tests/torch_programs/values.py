"""Programs about what goes in and comes out: constants, containers, shapes, modules, gradients."""

from __future__ import annotations

import collections
import copy
import dataclasses
import enum
import math

import numpy as np
import torch
from torch import nn
from torch.utils import checkpoint as checkpointing

from .running import Compile, counted


@dataclasses.dataclass
class Both:
    a: torch.Tensor
    b: int = 3


Pair = collections.namedtuple("Pair", "p q")


def dynamic_shape(compiled: Compile) -> object:

    def f(x):
        return x.shape[0] * x.sum()

    g = compiled(f, dynamic=True)
    return g(counted(3)), g(counted(5))


def autograd_function(compiled: Compile) -> object:

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 3

    def f(x):
        return Fn.apply(x).sum()

    x = counted(3).requires_grad_()
    compiled(f)(x).backward()
    return x.grad


def containers_returned(compiled: Compile) -> object:

    def f(x):
        return Both(x + 1), Pair(x, x * 2), {"k": x, "l": [x + 3, (x, 2)]}

    return compiled(f)(counted(3))


def dtype_and_device_constants(compiled: Compile) -> object:

    def f(x, dt=torch.float64, dev=torch.device("cpu")):  # noqa: B008
        y = x.to(dt)
        torch._dynamo.graph_break()
        return y.to(dev).to(dt) + 1, dt, dev

    return compiled(f)(counted(3))


def module_with_state(compiled: Compile) -> object:

    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.l = nn.Linear(3, 3)
            self.n = 0
            self.register_buffer("b", torch.zeros(3))

        def forward(self, x):
            self.n += 1
            self.b = self.b + 1
            y = self.l(x)
            if y.sum() > 0:
                y = y + self.b
            return y

    m = M()
    r = compiled(m)(counted(3))
    return r, m.n, m.b


def same_value_returned_twice(compiled: Compile) -> object:

    def f(x):
        y = x + 1
        z = y
        return y, z, [y, z], x

    x = counted(3)
    y, z, both, same = compiled(f)(x)
    return y, [y is z, both[0] is y, both[1] is y, same is x]


def formatted_text(compiled: Compile) -> object:

    def f(x, s):
        y = x + 1
        t = f"{s}-{y.sum().item():.1f}"
        print(t, end="")
        return y, t

    return compiled(f)(counted(3), "q")


def higher_order_op(compiled: Compile) -> object:

    def f(x):
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))

    return compiled(f)(counted(3))


def enum_argument(compiled: Compile) -> object:
    E = enum.Enum("E", "A B")

    def f(x, e):
        if e is E.A:
            x = x + 1
        torch._dynamo.graph_break()
        return x, e.name

    return compiled(f)(counted(3), E.A)


def training(compiled: Compile) -> object:
    m = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Dropout(0.0), nn.Linear(4, 2))
    g = compiled(m)
    o = torch.optim.SGD(m.parameters(), 0.1)
    for _ in range(2):
        loss = g(counted(2, 3)).sum()
        o.zero_grad()
        loss.backward()
        o.step()
    return loss, list(m.parameters())


def optimizer_step(compiled: Compile) -> object:
    p = counted(3).requires_grad_()
    o = torch.optim.Adam([p], 0.1)

    @compiled
    def step():
        o.step()

    p.grad = counted(3)
    step()
    step()
    return p


def forward_hook(compiled: Compile) -> object:
    m = nn.Linear(3, 3)
    m.register_forward_hook(lambda m, i, o: o + 1)
    return compiled(m)(counted(3))


def numpy_function(compiled: Compile) -> object:

    def f(x):
        a = np.sin(x) + 1
        b = a.sum()
        if b > 0:
            a = a * 2
        return a

    return compiled(f)(np.arange(3.0))


def set_of_constants(compiled: Compile) -> object:

    def f(x):
        kinds = {"b", ("a", 1), 3, None}
        y = x + len(kinds)
        torch._dynamo.graph_break()
        return y + 1, kinds

    return compiled(f)(counted(3))


def frozen_sets(compiled: Compile) -> object:

    def f(x, given):
        made = frozenset(given) & {9, 55}
        return x + len(made), made, (1, frozenset({"a"}))

    return compiled(f)(counted(3), {9, 55, 7})


def math_constants(compiled: Compile) -> object:

    def f(x, n):
        y = x * math.sqrt(n)
        torch._dynamo.graph_break()
        return y + math.floor(n)

    return compiled(f)(counted(3), 2.5)


def string_keys(compiled: Compile) -> object:

    def f(x, s):
        t = s.upper() + "!"
        d = {t: x}
        torch._dynamo.graph_break()
        return d[t] + len(t), t

    return compiled(f)(counted(3), "ab")


def deep_copy(compiled: Compile) -> object:
    def f(x):
        nested = [x, [x + 1]]
        k = copy.deepcopy(nested)
        torch._dynamo.graph_break()
        return k

    return compiled(f)(counted(3))


def dynamic_list(compiled: Compile) -> object:

    def f(x):
        n = x.shape[0]
        rows = [x + i for i in range(n)]
        torch._dynamo.graph_break()
        return torch.stack(rows).view(n, -1)

    g = compiled(f, dynamic=True)
    return g(counted(3)), g(counted(4))


def tolist_and_where(compiled: Compile) -> object:

    def f(x, flag):
        y = torch.where(x > 1, x, -x) if flag else x
        z = y.tolist()
        return z, y

    return compiled(f)(counted(3), True)


def recompiled_for_a_string(compiled: Compile) -> object:

    def f(x, k):
        r = x
        if k == "a":
            r = r + 1
        elif k == "b":
            r = r + 2
        else:
            print("said")
        return r

    g = compiled(f)
    return g(counted(3), "a"), g(counted(3), "z")


def backward_inside(compiled: Compile) -> object:

    def f(x):
        y = x.clone()
        y.requires_grad_(True)
        z = (y * 2).sum()
        z.backward()
        return y.grad

    return compiled(f)(counted(3))


def vmap_and_grad(compiled: Compile) -> object:

    def f(x):
        return torch.func.grad(lambda a: (a**2).sum())(x), torch.vmap(lambda a: a + 1)(x)

    return compiled(f)(counted(3))


def checkpoint(compiled: Compile) -> object:
    def f(x):
        return checkpointing.checkpoint(lambda a: torch.sin(a) * 2, x, use_reentrant=False)

    x = counted(3).requires_grad_()
    compiled(f)(x).sum().backward()
    return x.grad


def sorted_by_key(compiled: Compile) -> object:

    def f(xs):
        s = sorted(xs, key=lambda t: -t.shape[0])
        torch._dynamo.graph_break()
        return s[0] + 1

    return compiled(f)([counted(1), counted(3)])
