# min: 3.10
def f(x):
    match x:
        case [y, (a, b, c, 9) |
                 (b, c, a, 10), z]:
            return y, a, b, c, z
        case {"first": first,
              "second": [second,
                         *_]}:
            return first, second
        case (
            1
            | 2
        ):
            return "number"

print(f([0, (1, 2, 3, 9), 4]), f([0, (1, 2, 3, 10), 4]), f({"first": 1, "second": [2, 3]}), f(2), f(3))
