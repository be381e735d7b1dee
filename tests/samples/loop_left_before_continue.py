def first_only(go, values):
    while go():
        try:
            for value in values:
                break
            continue
        except TypeError as error:
            print(error)


def until(go, done):
    while not go():
        while go() and not done:
            try:
                next(go.left)
                break
            except StopIteration:
                print("none")
        else:
            assert done


class Go:
    def __init__(self, answers):
        self.answers = iter(answers)
        self.left = iter([1])

    def __call__(self):
        return next(self.answers)


first_only(Go([1, 1, 0]), [1])
first_only(Go([1, 1, 0]), 3)
until(Go([0, 1, 0, 0, 1]), True)
until(Go([0, 1, 0, 1, 1, 0, 1]), 0 or [1])
try:
    until(Go([0, 1, 0, 1, 1, 0]), False)
except AssertionError:
    print("not done")


def first_or_none(go, values):
    while go():
        try:
            for value in values:
                if value:
                    break
                return value
            else:
                print("empty")
            continue
        except TypeError as error:
            print(error)
        print("again")


print(first_or_none(Go([1, 1, 0]), []), first_or_none(Go([1]), [0]))
print(first_or_none(Go([1, 0]), [1]), first_or_none(Go([1, 0]), 3))
