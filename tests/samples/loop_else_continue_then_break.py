def common_prefix(items):
    prefix = []
    while True:
        first = None
        for item in items:
            if not item:
                break
            if first is None:
                first = item[0]
            elif item[0] != first:
                break
        else:
            for item in items:
                del item[0]
            prefix.append(first)
            continue
        break
    return prefix, items


def found(xs, k):
    for x in xs:
        if x == k:
            x = [x]
            break
    else:
        return "not", k
    return "found", x


print(common_prefix([[1, 2, 3], [1, 2, 4]]), common_prefix([[], [1]]), common_prefix([[1], [2]]))
print(found([1, 2], 2), found([1, 2], 3))
