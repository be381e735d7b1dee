# min: 3.8
from __future__ import annotations

class C:
    a: Later
    b: list[Later] = []
    c: "quoted"

    def f(self, x: Later, *args: Later, k: dict[str, Later] = None) -> C | None:
        y: Later = x
        return y

m: Later = 3
print(C.__annotations__, C.f.__annotations__, __annotations__)
