"""`if x is not None: …` at the end of a loop, and `if x is None: continue`, which is as good."""


def nested(items, log):
    for item in items:
        if item is not None:
            log.append(item)


def skipped(items, log):
    for item in items:
        if item is None:
            continue
        log.append(item)


def chained(items, log):
    for first, second in items:
        if first is not None:
            log.append(first)
            log.append("first")
        elif second is not None:
            log.append(second)


seen = []
nested([1, None, 2], seen)
skipped([None, 3], seen)
chained([(4, None), (None, 5), (None, None)], seen)
print(seen)
