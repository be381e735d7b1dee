# min: 3.10
def f(x, limit):
    match x:
        case [a, b] if a and b or a > limit:
            return "and or"
        case [a, b] if not a and (b if limit else a):
            return "ternary"
        case [a, b] if 0 <= a < b <= limit:
            return "chain"
        case [a, _] if any(item == a for item in range(limit)):
            return "generator"
        case [a, _] if [item for item in range(a)]:
            return "list"
        case y if (z := y) is None:
            return "walrus", z
        case _ if limit == 9:
            return "limit"
        case int() if x not in (1, 2):
            return "not in"
        case _:
            return "default"

for x, limit in (([1, 1], 3), ([0, 2], 1), ([0, 3], 3), ([5, 0], 9), ([2, 0], 2), (None, 0), (4, 9), (4, 0), (1, 0)):
    print(f(x, limit))
