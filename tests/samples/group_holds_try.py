# min: 3.11
"""`try` statements in the clauses of `except*`, with names of their own."""


def holds(action, inner, log):
    try:
        action()
    except* ValueError as outer:
        try:
            inner()
        except KeyError as error:
            log.append(repr(error))
    except* TypeError:
        log.append("type")
        try:
            raise ExceptionGroup("again", [OSError(1)])
        except* OSError as error:
            log.append(repr(error.exceptions))
        finally:
            log.append("finally")
    return log


def loops(action, items, log):
    try:
        action()
    except* ValueError:
        for item in items:
            try:
                log.append(1 // item)
            except ZeroDivisionError:
                continue
    else:
        log.append("else")
    return log


def raises(*errors):
    def action():
        raise ExceptionGroup("some", errors)

    return action


def key():
    return {}["k"]


print(holds(list, list, []))
print(holds(raises(ValueError(1)), key, []))
print(holds(raises(ValueError(1), TypeError(2)), list, []))
print(loops(raises(ValueError(1)), [1, 0, 2], []), loops(list, [], []))
for each in range(2):
    try:
        raise ExceptionGroup("x", [ValueError(each)])
    except* ValueError as error:
        found = error.exceptions
    else:
        found = None
    break
print(found)
