# min: 3.9
"""A `yield` in the header of a statement stands in parentheses."""


def loops(log):
    for item in (yield "items"):
        log.append(item)
    for item in (total := log):
        pass
    return total


def decorated(log):
    @(yield "decorator")
    def inner(a=(yield "default")):
        return a

    log.append(inner())


def drive(generator, *answers):
    try:
        print(next(generator))
        for answer in answers:
            print(generator.send(answer))
    except StopIteration as end:
        print(end.value)


seen = []
drive(loops(seen), [1, 2])
drive(decorated(seen), lambda function: function, 4)
print(seen)
