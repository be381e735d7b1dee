# min: 3.11
def f(eg):
    try:
        raise eg
    except* ValueError as e:
        print("value", len(e.exceptions))
    except* (KeyError, TypeError):
        print("key or type")
    else:
        print("else")
    finally:
        print("finally")

f(ExceptionGroup("g", [ValueError(1), ValueError(2), KeyError("a")]))
try:
    f(ExceptionGroup("g", [OSError(1), TypeError(2)]))
except ExceptionGroup as e:
    print(e.exceptions)
