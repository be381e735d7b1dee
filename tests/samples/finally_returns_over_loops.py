# min: 3.9
"""A `return` in a loop whose value a `return` in `finally` replaces."""


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
