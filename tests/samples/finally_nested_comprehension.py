"""Comprehensions inside comprehensions in a `finally` body, of which every way out has a copy."""


def pairs(rows, fail):
    found = None
    try:
        if fail:
            return 1 // 0
        rows = [*rows, 3]
    except ZeroDivisionError:
        return "zero", found
    finally:
        found = {a: [b for b in range(a) if b] for a in rows}
        print(found, [1 for v in rows if {k: 3 for k in rows if k > v}])
    return found


print(pairs([1, 2], False), pairs([1, 2], True))
