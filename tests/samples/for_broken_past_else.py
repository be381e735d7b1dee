# reads: as written
"""A `for` that is always left by `break`, whose `else` clause leaves as well."""


def first(items, default):
    for item in items:
        break
    else:
        raise ValueError(default)
    return item


def first_or_three(items):
    for item in items:
        break
    else:
        return 3
    print("found", item)
    return -item


def with_a_return(items, other):
    for item in items:
        if other:
            break
        return item
    else:
        raise ValueError(other)
    try:
        for item in other:
            break
        else:
            raise KeyError(other)
        print("other", item)
    except TypeError:
        for item in items:
            break
        else:
            raise
        print("items", item)
    return item


def in_a_loop(groups):
    for group in groups:
        for item in group:
            break
        else:
            return "empty"
        print(item)
    return "none empty"


print(first([1, 2], 0), first_or_three([4]), first_or_three([]))
print(with_a_return([1], []), with_a_return([1], [5]), with_a_return([1], 7))
print(in_a_loop([[1], [2]]), in_a_loop([[1], [], [2]]))
try:
    first([], "nothing")
except ValueError as error:
    print(error)
