# min: 3.10
def f(x):
    match x:
        case [*items]:
            for item in items:
                if item:
                    return item
        case {"try": value}:
            try:
                return 1 / value
            except ZeroDivisionError:
                x = "division"
        case int(n):
            while n > 10:
                n //= 2
            x = n
        case str():
            with open(x) as handle:
                return handle.name
    return x

print(f([0, 0, 3]), f([0]), f({"try": 0}), f({"try": 2}), f(100), f(__import__("os").devnull) is not None)
