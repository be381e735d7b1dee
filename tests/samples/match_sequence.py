# min: 3.10
def f(x):
    match x:
        case []:
            return "empty"
        case [a]:
            return "one", a
        case [a, b]:
            return "two", a, b
        case [1, *rest]:
            return "starts with one", rest
        case (a, *_, z) if a == z:
            return "same ends", a
        case [*_, [x, y]]:
            return "nested end", x, y
        case _:
            return "no"

for x in ([], [5], (5, 6), [1, 2, 3], [7, 8, 7], [2, 3, [4, 5]], "ab", [3, 4, 5]):
    print(f(x))
