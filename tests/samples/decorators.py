def deco(*args):
    def wrap(f):
        print("deco", args, getattr(f, "__name__", f))
        return f
    return wrap

@deco(1)
@deco(2, 3)
def f():
    return "f"

@deco("class")
class C:
    @staticmethod
    def s():
        return "s"
    @classmethod
    def c(cls):
        return cls.__name__
    @property
    def p(self):
        return self._p
    @p.setter
    def p(self, v):
        self._p = v
    @deco("method")
    def m(self):
        pass

c = C()
c.p = 4
print(f(), C.s(), C.c(), c.p)
