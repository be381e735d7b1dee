# min: 3.8
import sys

x: int
if sys:
    y: str = "a"
else:
    z: bytes

class C:
    a: "A"
    b: "B" = 2
    def method(self, v: "a") -> "b": return v
    c: "C"
    if b:
        d: int = 3
    for i in range(2):
        e: float
    try:
        f: list = []
    except ValueError:
        g: dict

w: float = 1.5
print(C.__annotations__, __annotations__, C.d, w, y)
