# min: 3.11
def f(group):
    caught = []
    try:
        raise group
    except* ValueError as error:
        caught.append(("value", len(error.exceptions)))
    except* (KeyError, IndexError) as error:
        caught.append(("lookup", [type(each).__name__ for each in error.exceptions]))
    except* OSError:
        caught.append("os")
    return caught

print(f(ExceptionGroup("g", [ValueError(1), KeyError(2), ValueError(3), IndexError(4)])))
print(f(ExceptionGroup("g", [OSError(1)])))
try:
    f(ExceptionGroup("g", [TypeError(1), OSError(2)]))
except ExceptionGroup as rest:
    print(rest.exceptions)
