"""Names that look like what replaces the hidden iterator of a comprehension."""

_0, _1 = ("zero", "one")


def use(values):
    return [(_0, value) for value in values], list(_1 for value in values)


print(_0, use([1, 2]), {value for value in (1,)})
