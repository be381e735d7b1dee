"""`return` and `break` in `with` bodies inside loops, handlers and `try` bodies."""


class Manager:
    def __init__(self, swallows=False):
        self.swallows = swallows

    def __enter__(self):
        return self

    def __exit__(self, *args):
        print("exit", args[0])
        return self.swallows


def returns_in_handler(items):
    try:
        for item in items:
            try:
                print(1 // item)
            except ZeroDivisionError:
                with Manager() as manager:
                    return
    finally:
        pass


def breaks_in_handler(items):
    try:
        for item in items:
            try:
                print(1 // item)
            except ZeroDivisionError:
                with Manager() as manager:
                    break
    finally:
        print("last")


def endless(test):
    while 1:
        if test():
            return 1
        with Manager(True) as manager:
            print(1 // manager.count)
            break
    print("behind")


def returns_behind_handler(items):
    try:
        for item in items:
            try:
                print(1 // item)
                break
            except ZeroDivisionError:
                print("zero")
            return items[0]
    finally:
        pass


for items in ([], [1], [1, 0, 2], [0]):
    returns_in_handler(items)
    breaks_in_handler(items)
    print(returns_behind_handler(items))
answers = iter([0, 0, 1])
print(endless(lambda: next(answers)))
Manager.count = 1
print(endless(int))
