"""Tuples with stars in every place where grammars have not always let them stand bare."""


class Keys:
    def __getitem__(self, key):
        return key

    def __setitem__(self, key, value):
        print("set", key, value)

    def __delitem__(self, key):
        print("del", key)


def subscripts(a, b, keys):
    keys[(*a,)] = 1
    keys[(b, *a)] += (2,)
    del keys[(*a, b)]
    return keys[(..., *a)], keys[(*a,)], keys[(None, 1, *a, b)], keys[(1, *a), b]


def loops(a, b):
    for x in (*a, b):
        print(x)
    return [y for y in (*a, b)], {y: y for y in (b, *a)}


def assignments(a, b):
    x = (*a, b)
    x += (*a, b)
    y: tuple = (b, *a)
    return (*x, *y)


def generator(a, b):
    yield (*a, b)
    x = yield (b, *a)
    return (*x,)


def values(a, b, test):
    first = (*a, b) if test else (b, *a)
    second = test and (*a,) or (*a, *a)
    third = lambda: (*a, b)
    fourth = f"{(*a, b)}"
    fifth = {"key": (*a,), **{"other": (*a, b)}}
    sixth = [(*a,), (*a, b)]
    return first, second, third(), fourth, fifth, sixth


def conditions(a, b):
    if (*a, b):
        print("yes")
    while (*a,):
        break
    return not (*a,), (*a, b) == (b, *a), b in (*a, b), -len((*a,))


def arguments(a, b, call):
    return call((*a, b)), call((*a,), key=(b, *a)), call(*(*a, b)), call(*a, b)


def raises(a, b, kinds):
    try:
        raise ValueError((*a, b))
    except (*kinds, KeyError) as error:
        return (*error.args, b)


keys = Keys()
print(subscripts((1, 2), 3, keys))
print(loops((1, 2), 3))
print(assignments((1, 2), 3))
made = generator((1, 2), 3)
print(next(made), made.send(None))
for test in (False, True):
    print(values((1, 2), 3, test))
print(conditions((1, 2), 3))
print(arguments((1, 2), 3, lambda *args, **kwargs: (args, kwargs)))
print(raises((1, 2), 3, (ValueError,)))
