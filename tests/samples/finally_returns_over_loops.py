# min: 3.9
"""A `return` in a loop or `with` whose value a `return` in `finally` replaces."""


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, kind, *args):
        print("exit", kind)


def leaves_with(call):
    with Manager() as manager:
        try:
            value = call(2)
        finally:
            if call:
                return call(3)
    return call(4)


def leaves_two_loops(calls):
    try:
        while calls:
            for call in calls:
                if call(3):
                    return 1
            print("round")
            calls = calls[1:]
    finally:
        return len(calls)


def fails(number):
    raise KeyError(number)


print(leaves_two_loops([]), leaves_two_loops([print, fails]), leaves_two_loops([print, print, abs]))
print(leaves_with(abs))
