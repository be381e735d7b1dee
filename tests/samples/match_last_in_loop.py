# min: 3.10
def f(items):
    total = 0
    for item in items:
        match item:
            case int() | float():
                total += item
            case [x, y]:
                total += x * y
            case {"value": v}:
                total += v
    return total

def g(items):
    for item in items:
        match item:
            case "skip":
                pass
            case str():
                print(item)

print(f([1, 2.5, [3, 4], {"value": 5}, "s"]))
g(["a", "skip", 3, "b"])
