# min: 3.11
def f(x):
    try:
        if x:
            return x.missing
    except* AttributeError as e:
        result = "attribute"
    except* (ZeroDivisionError, OverflowError):
        result = "arithmetic"
    else:
        return "else"
    return result

def g():
    try:
        raise ExceptionGroup("g", [ValueError(1)])
    except* ValueError:
        pass

print(f(0), f(1), g())
