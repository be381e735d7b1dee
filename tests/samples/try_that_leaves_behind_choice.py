"""A `try` that leaves at once, behind statements of which several ways lead to it."""


def say(what):
    print("say", what)
    return what


def returns(a):
    try:
        say(1 // a)
    except TypeError:
        say("type")
    except ZeroDivisionError:
        say("zero")
    try:
        return missing
    except NameError:
        say("name")


def raises(a, b):
    if a:
        say(a)
    elif b:
        say(b)
    try:
        raise KeyError
    except LookupError:
        say("lookup")
    say("end")


def raises_twice():
    try:
        raise IndexError
    except TypeError:
        pass
    except LookupError:
        pass
    try:
        raise KeyError
    except (LookupError,):
        return
    except Exception:
        say("no")


for value in (0, 1, ""):
    print(returns(value), raises(value, 0), raises(value, 2))
print(raises_twice())
