# reads: as written
"""Conditions whose parts are negated, some of them by an instruction of its own."""


def turned(a, b, found):
    if a is not None and not b:
        found.append(1)
    if a is not None and b:
        found.append(2)
    if a is not None and b is None and not found:
        found.append(3)
    if a is None or b:
        found.append(4)
    if not a and not b:
        found.append(5)
    if not (a or b or len(found) > 2):
        found.append(6)
    while a is not None and not b:
        a = None
    for number in found:
        if not a and number > 1:
            break
        if a is not None and number > 1:
            continue
        found = found[1:]
    return found


def asserted(a, b):
    assert a is not None and not b
    assert a is None or b is None, "one"
    assert not (a and b), "both"
    return a


print([turned(a, b, []) for a in (None, 0, 1) for b in (None, 0, 1)])
for a, b in ((1, 0), (1, 1), (None, 0), (1, None)):
    try:
        print(asserted(a, b))
    except AssertionError as error:
        print(repr(error))
