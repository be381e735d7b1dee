# min: 3.12
def first[T](xs: list[T]) -> T:
    return xs[0]

class Box[T: int, *Ts, **P]:
    def __init__(self, x: T):
        self.x = x
    def map[U](self, f) -> "Box[U]":
        return Box(f(self.x))

print(first([1]), Box(2).map(lambda x: x + 1).x, first.__type_params__, Box.__type_params__, Box.__type_params__[0].__bound__)
