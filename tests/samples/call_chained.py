class B:
    def __init__(self):
        self.xs = []
    def add(self, x):
        self.xs.append(x)
        return self
    def __getitem__(self, i):
        return lambda y: self.xs[i] + y

print(B().add(1).add(2)[1](10), (lambda f: f(f))(lambda f: 3), [str.upper][0]("a"))
