class A:
    class B:
        def name(self):
            return __class__.__name__
    def cls(self):
        return __class__, super().__repr__ is not None

def f(x):
    class L:
        y = x
        def get(self):
            return self.y, x
    return L

print(A.B().name(), A().cls()[1], f(4)().get(), f(4).__qualname__)
