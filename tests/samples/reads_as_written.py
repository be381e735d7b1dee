# reads: as written
def choices(a, b, c, d):
    first = (a if b else c and d) or a
    second = a if not b else c
    third = a() < b < (c if d else a)
    return first or (second if not third else d)


def loops(items, limit):
    for item in items:
        if item is not None:
            yield item
    for item in items:
        if not item:
            continue
        yield limit
        yield item
    for item in items:
        if item is None:
            continue
        if item > limit:
            yield item
    while limit:
        if items():
            limit -= 1
        elif limit(3):
            yield items
        else:
            break
    yield items


def forever(source, limit):
    while True:
        if limit():
            raise source
        if source():
            try:
                source = source.next
            except ValueError:
                break
            return source
        if limit > 3:
            limit -= source
            break
    limit(3)


def managers(lock, other, limit):
    while True:
        if limit():
            raise lock
        with lock as a, other as b:
            if a > b:
                break
        limit -= 1
    return limit


def handlers(tasks, log):
    for task in tasks:
        try:
            task()
        except ValueError:
            with log:
                break
        log(task)
    return log


def kinds(self, kind):
    if kind in ("NONE", "ULAW"):
        self.kind = kind
    else:
        raise ValueError(kind)


def results(future, call):
    try:
        data = call()
    except ValueError as error:
        future.set_exception(error)
    else:
        future.set_result(data)
