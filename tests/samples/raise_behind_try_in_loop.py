# reads: as written
"""What stands behind a `try` in a loop and is copied into its handlers, far from the loop."""


def retried(attempts, wrong):
    while attempts():
        if wrong:
            try:
                print("trying")
            except KeyError:
                pass
            raise ValueError("gave up")


def looked_up(table, keys):
    for key in keys:
        if key:
            try:
                table = table[key]
            except KeyError:
                pass
            return table
    print("no key")


def loop_before_it(attempts, wrong):
    while attempts():
        if wrong:
            while attempts():
                try:
                    raise KeyError("again")
                except KeyError:
                    pass
            raise ValueError("gave up at last")


answers = [True, False]
retried(answers.pop, False)
try:
    retried([True].pop, True)
except ValueError as error:
    print(error)
try:
    loop_before_it([False, True, True].pop, True)
except ValueError as error:
    print(error)
print(looked_up({1: 2}, [0, 1]), looked_up({}, [0, 1]), looked_up({}, []))
