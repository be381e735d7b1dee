# min: 3.12
def f(base):
    class C[T](base):
        x: T
        def g[U](self, a: U, b: T) -> "C":
            return a, b, base.__name__
    return C

print(f(dict)().g(1, 2), f(list).__type_params__)
