# min: 3.10
def f(x):
    match x:
        case [a, b, 0] | [0, b, a] | {"b": b, "a": a}:
            return a, b
        case [[p, q] | (q, {"p": p}), r]:
            return "nested", p, q, r
        case (int() | float()) as n:
            return "number", n
        case ([u] as w) | ({"u": u} as w):
            return "both", u, w

for x in ([1, 2, 0], [0, 3, 4], {"a": 5, "b": 6}, [[7, 8], 9], [(1, {"p": 2}), 3], 4, 2.5, [6], {"u": 7}, "?"):
    print(f(x))
