# min: 3.12
def make():
    return 3

def both[T](x: T, y=make(), *, k: T = make(), z=1) -> list[T]:
    return [x, y, k, z]

def positional[T](x, y=make()):
    return x, y

def keyword[T](x, *, y=make()):
    return x, y

def outer(n):
    def inner[T](x: T = n, *, y=n + 1):
        return x, y, n
    return inner

print(both(1), positional(1), keyword(2), outer(5)(), outer(6)(1, y=2))
