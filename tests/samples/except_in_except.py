def f(first, second):
    value = None
    for _ in range(2):
        try:
            value = first()
        except ZeroDivisionError:
            try:
                value = second()
            except (ZeroDivisionError, KeyError):
                pass
        if value is None:
            continue
        return value
    return "none"

print(f(lambda: 1 / 0, lambda: {}[1]), f(lambda: 1 / 0, lambda: 2), f(lambda: 3, None))
