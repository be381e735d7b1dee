# min: 3.10
def f(x):
    match x:
        case [*_, 0]:
            return "ends with zero"
        case [0, *_]:
            return "starts with zero"
        case [*rest, 9]:
            return "rest", rest
        case [8, *rest]:
            return "tail", rest
        case [a, *middle, b] if middle:
            return a, middle, b
        case [_, *_, [c, _]]:
            return "last pair", c
        case [_, _, *_]:
            return "at least two"
        case [*all]:
            return all

for x in ([1, 0], [0, 1], [2, 9], [8, 1, 2], [1, 2, 3], [1, [2, 3]], (4, 5), [7], []):
    print(f(x))
