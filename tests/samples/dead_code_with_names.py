"""Names that only code out of reach uses: cells, free variables, `super()`, locals."""


def outer():
    x = 1

    def inner():
        return 1
        return x

    return inner, x


class Base:
    def dead_super(self):
        return 1
        return super().dead_super()

    def never_super(self):
        if 0:
            super().never_super()
        return 2

    def dead_cell(self):
        return 3
        x = 1

        def inside():
            return x

    def live_super(self):
        return super().__init__()


def bound_behind_the_end(stop):
    while True:
        if stop:
            return x
        stop = True
    x = 5
    for x in stop:
        pass


function, value = outer()
print(value, function(), function.__code__.co_freevars)
for name in ("dead_super", "never_super", "dead_cell", "live_super"):
    method = getattr(Base, name)
    print(name, getattr(Base(), name)(), method.__code__.co_freevars, method.__code__.co_cellvars)
try:
    bound_behind_the_end(False)
except UnboundLocalError as error:
    print(type(error))
