"""Some compilers shorten jumps only within one line: what stands on several is tested twice."""


class Truth:
    def __init__(self, name, value):
        self.name, self.value = name, value

    def __bool__(self):
        print("asked", self.name)
        return self.value

    def __repr__(self):
        return self.name


def and_in_or(a, b, c):
    return (
        a
        and b
    ) or c


def or_in_and(a, b, c):
    x = (
        a
        or b
    ) and not c
    if x:
        return x, 1
    return x, 2


def in_the_middle(a, b, c):
    return [
        a
        or (
            b
            and c
        )
        or b
    ]


def nested(a, b, c):
    return (
        (
            a
            and b
        )
        or c
    ) and (
        b
        or c
    )


def generator(a, b, c):
    return any(
        (
            a
            or b
        )
        and c
        for _ in range(2)
    )


def in_a_call(a, b, c):
    return repr((
        a
        and b
    ) or not c)


for number in range(8):
    values = [Truth(name, bool(number >> i & 1)) for i, name in enumerate("abc")]
    for function in (and_in_or, or_in_and, in_the_middle, nested, generator, in_a_call):
        print(function.__name__, function(*values))
