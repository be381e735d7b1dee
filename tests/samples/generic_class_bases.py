# min: 3.12
class Meta(type):
    pass

bases = (dict,)
options = {"metaclass": Meta}

class A[T](*bases, **options):
    def get(self, x: T) -> T:
        return x

class B[K, V](A[K], metaclass=Meta):
    pair: tuple[K, V]

    class Inner[X]:
        outer = V
        def method[Y](self, a: X, b: Y, c: K): return a, b, c

def decorate(cls):
    cls.decorated = True
    return cls

@decorate
class C[T]:
    pass

print(A.__bases__, B.__type_params__, B.Inner.outer, B.Inner().method(1, 2, 3), C.decorated)
