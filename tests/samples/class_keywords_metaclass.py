class Meta(type):
    def __new__(m, name, bases, ns, **kw):
        cls = super().__new__(m, name, bases, ns)
        cls.kw = kw
        return cls
    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)

class A(metaclass=Meta, flag=True):
    pass

bases = (A,)
opts = {"x": 1}
class B(*bases, y=2, **opts):
    pass

print(A.kw, B.kw, type(B).__name__)
