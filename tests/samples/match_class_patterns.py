# min: 3.10
import types

class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y

geometry = types.SimpleNamespace(Point=Point)

def f(p):
    match p:
        case Point():
            return where(p)
        case int(0) | float(0.0):
            return "zero"
        case int(n) if n < 0:
            return "negative", n
        case str(s) | bytes(s):
            return s

def where(p):
    match p:
        case geometry.Point(x=0, y=0):
            return "origin"
        case geometry.Point(0, y=Point(a, _)):
            return "nested", a
        case Point(x=Point(y=b)) as q:
            return "other", b, q.y
        case Point(_, y):
            return y

for p in (Point(0, 0), Point(0, Point(1, 2)), Point(Point(3, 4), 5), Point(6, 7), 0, 0.0, -3, "s", b"b", 4):
    print(f(p))
