# min: 3.12
def f[T](x):
    y: T = x
    return y

def g[T, U](x):
    y: dict[T, U] = x
    def inner():
        z: T = y
        return z
    return inner()

print(f(1), g(2))
