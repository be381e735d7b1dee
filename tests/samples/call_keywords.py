def f(a, b=0, *, c=0):
    return a, b, c

class O:
    def m(self, x, *, y):
        return x, y

print(f(1, c=2), f(b=1, a=2, c=3), O().m(1, y=2), f(a=1))
