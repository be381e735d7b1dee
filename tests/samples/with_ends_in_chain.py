"""A `with` that ends a function and whose body ends in a test with several ways out."""


class Manager:
    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, *error):
        print("exit", error[0])


def chain(manager, a, b, c):
    with manager:
        if a < b < c:
            manager.value = True


def more(manager, a, b, c):
    with manager:
        if not a:
            return
        if a and a < b < c or not b:
            manager.value = True
        elif c < b < a:
            print("down")


def twice(manager, a, b, c):
    with manager:
        with manager:
            if a < b < c:
                manager.value = True


for test in (chain, more, twice):
    for numbers in ((1, 2, 3), (0, 0, 0), (3, 2, 1), (1, 3, 2), (1, 0, 0)):
        manager = Manager()
        test(manager, *numbers)
        print(numbers, hasattr(manager, "value"))
