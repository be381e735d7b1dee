from __future__ import annotations

def f(x: undefined_name, *, y: list[also_undefined] = None) -> 1 + 1:
    z: neither = 3
    return x, z

class C:
    a: missing

print(f(1), f.__annotations__, C.__annotations__)
