class P:
    __slots__ = ("a", "b")
    def __init_subclass__(cls, **kw):
        print("subclass", cls.__name__, kw)

class Q(P, tag="t"):
    __slots__ = ()

q = Q()
q.a = 1
print(q.a)
