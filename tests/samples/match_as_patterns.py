# min: 3.10
def f(x):
    match x:
        case [1 as one, (2 | 3) as more] as whole:
            return one, more, whole
        case {"k": [a, b] as pair, "l": _}:
            return a, b, pair
        case (([c] as inner) as outer):
            return c, inner, outer
        case str() as text:
            return text

for x in ([1, 3], {"k": [1, 2], "l": 0}, [4], "s", None):
    print(f(x))
