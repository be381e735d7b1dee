# min: 3.10
def f(x, limit):
    match x:
        case int() as n if n > limit:
            return "big", n
        case (int() | str()) as v if v:
            return "truthy", v
        case [int(a), str(b) as c, *d] if len(d) > 1:
            return a, b, c, d
        case other:
            return "other", other

for x in (10, 3, 0, "", "s", [1, "a", 2, 3], [1, "a"]):
    print(f(x, 5))
