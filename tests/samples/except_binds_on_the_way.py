"""An `except` clause that binds a name while it finds out what to catch."""


def catch(action, find):
    try:
        action()
    except (kind := find()):
        return "first", kind.__name__
    except (other := (ValueError,)) as error:
        return "second", other, str(error)
    finally:
        a = b = action
    return a is b


def choose(action, find):
    try:
        action()
    except (TypeError,) + ((kind,) if (kind := find()) is not None else ()):
        return "caught"
    return "fine"


def last(action):
    try:
        action()
    finally:
        a = b = action
        if (c := a is b):
            print("finally", c)


print(catch(lambda: {}["a"], lambda: KeyError))
print(catch(lambda: int("a"), lambda: KeyError))
print(catch(lambda: 1, lambda: KeyError))
print(choose(lambda: int("a"), lambda: ValueError))
print(choose(lambda: 1 + "a", lambda: None))
last(lambda: 1)
