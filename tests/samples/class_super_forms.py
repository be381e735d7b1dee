class A:
    def f(self):
        return ["A"]
    @classmethod
    def g(cls):
        return "gA"

class B(A):
    def f(self):
        return ["B"] + super().f() + super(B, self).f()
    @classmethod
    def g(cls):
        return "gB" + super().g()
    @property
    def h(self):
        return super().f

print(B().f(), B.g(), B().h())
