def seen(items, t):
    return [1 for item in items if t or 2]


def nested(items, t):
    return [x for item in items if item and (t or 2) for x in item]


class Holder:
    t = 0
    found = {a for a in range(2) if len or 1}


print(seen([1, 2], []), nested([[], [1]], 0), Holder.found, list(a for a in "ab" if print or 1))
