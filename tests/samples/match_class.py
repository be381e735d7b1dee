# min: 3.10
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y

def f(p):
    match p:
        case P(0, 0):
            return "origin"
        case P(x=0, y=y):
            return "y axis", y
        case P(x, y=0):
            return "x axis", x
        case P(P(a, b), c):
            return "nested", a, b, c
        case P() as q:
            return "point", q.x
        case int(n) | float(n):
            return "number", n
        case str():
            return "str"

for p in (P(0, 0), P(0, 1), P(2, 0), P(P(1, 2), 3), P(5, 6), 3, 1.5, "s", None):
    print(f(p))
