class Base:
    """A base."""
    attr = 1
    def __init__(self, x):
        self.x = x
    def show(self):
        return "base", self.x

class Derived(Base):
    attr = Base.attr + 1
    def show(self):
        return "derived", super().show()

print(Base.__doc__, Derived(3).show(), Derived.attr, Derived.__qualname__, Derived.show.__qualname__)
