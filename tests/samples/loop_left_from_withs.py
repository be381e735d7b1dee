"""`break` out of several `with` items, behind a `raise` or `return`; `continue` out of handlers."""


class Manager:
    def __init__(self, log, swallows=False):
        self.log, self.swallows = log, swallows

    def __enter__(self):
        self.log.append("in")
        return self.log

    def __exit__(self, kind, *_):
        self.log.append(kind and kind.__name__)
        return self.swallows


def breaks(log, numbers, limit):
    while True:
        if not numbers:
            raise LookupError(limit)
        with Manager(log) as a, Manager(log) as b:
            if numbers.pop() == limit:
                break
        log.append("next")
    return log


def breaks_at_once(log, numbers):
    while 1:
        if not numbers:
            return "none"
        with Manager(log) as a, Manager(log, True) as b:
            numbers.pop().x
            break
        log.append("again")
    return "broken"


def breaks_in_handler(numbers, log):
    for number in numbers:
        try:
            log.append(1 // number)
        except ZeroDivisionError:
            with Manager(log):
                break
        log.append("round")
    return log


def continues(actions, log):
    while actions:
        try:
            try:
                actions.pop()()
            except KeyError:
                continue
            except ValueError as error:
                log.append(str(error))
            except TypeError:
                continue
        except ZeroDivisionError as error:
            log.append("zero")
        else:
            log.append("else")
    return log


def fails(kind):
    def action():
        raise kind("x")

    return action


print(breaks([], [1, 2, 3], 2))
try:
    breaks([], [1], 2)
except LookupError as error:
    print(error)
log = []
print(breaks_at_once(log, [1, 2]), log)
print(breaks_in_handler([1, 2, 0, 3], []), breaks_in_handler([1], []))
kinds = (KeyError, ValueError, TypeError, ZeroDivisionError)
print(continues([list, *map(fails, kinds), print], []))
