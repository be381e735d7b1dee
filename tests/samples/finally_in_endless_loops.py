"""`try … finally` as the whole body of an endless loop, and endless loops inside `finally`."""


class Counter:
    def __init__(self, limit):
        self.left = limit

    def step(self):
        self.left -= 1
        if self.left < 0:
            raise KeyError("spent")
        return self.left


def only_finally(counter):
    while True:
        try:
            seen = counter.step()
        finally:
            print("finally")


def with_handler(counter):
    while True:
        try:
            seen = counter.step()
        except ValueError as error:
            pass
        finally:
            print("finally")


def loop_in_finally(counter):
    try:
        yield counter.left
    finally:
        while True:
            try:
                counter.step()
            except ValueError as error:
                pass
            if counter.left == 1:
                break
            print("again")


def returns_twice(counter):
    try:
        if counter.left == 3:
            return
        try:
            admitted = counter.step()
        finally:
            print("inner")
        if admitted:
            return
    finally:
        print("outer")
    print("behind")


for function in (only_finally, with_handler, loop_in_finally, returns_twice):
    for limit in (1, 2, 3):
        try:
            result = function(Counter(limit))
            print(function.__name__, limit, result if result is None else list(result))
        except KeyError as error:
            print(function.__name__, limit, repr(error))
