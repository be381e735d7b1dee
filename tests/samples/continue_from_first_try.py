"""`continue` out of a `try` that is all of what `while True` repeats."""


def repeats(console, more):
    while True:
        try:
            try:
                console("start")
            except OSError:
                pass
            if more():
                continue
            console("end")
            break
        except KeyError:
            console("key")
        except ValueError:
            console("value")


def in_loop(items, log):
    for item in items:
        while True:
            try:
                log.append(item)
                if item > 2:
                    item -= 1
                    continue
                log.append(1 // item)
            except ZeroDivisionError:
                item = 5
            else:
                break
    return log


def asks_again(read, log):
    while True:
        try:
            while True:
                line = read()
                if line:
                    break
            if line == "again":
                continue
            return line
        except KeyError:
            log.append("none")


def generates(read):
    while True:
        try:
            line = read()
            if not line:
                continue
            yield line
        except StopIteration:
            return


def run(actions):
    log, left = [], iter(actions)

    def console(word):
        log.append(word)
        error = next(left)
        if error:
            raise error(word)

    more = iter([True, False, True, False]).__next__
    try:
        repeats(console, more)
    except BaseException as error:
        log.append(repr(error))
    return log


print(run([None, None, None]), run([OSError, None, KeyError, None]))
print(run([ValueError, OSError, None, None]), run([TypeError]))
print(in_loop([4, 0, 1], []))
log = []
print(asks_again(iter(["", "again", "", "x"]).__next__, log), log)
print(list(generates(iter(["a", "", "b"]).__next__)))
