"""A comprehension over a conditional expression, returned at once."""


def same(a, b):
    return [b for each in (a if a else b)]


def other(a, b):
    return {each: b for each in (a if b[0] else b)}


def whole(a, b):
    return list(each for each in (a.keys() if a else b))


def unless(a, b):
    return [each for each in (b if a is None else a)]


print(same([], [1]), same([2, 3], [1]))
print(other([2], [1]), other([2], [0]))
print(whole({}, [1]), whole({2: 3}, [1]))
print(unless(None, [1]), unless([2], [1]))
