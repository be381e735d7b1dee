# min: 3.11
def f(error):
    try:
        raise ExceptionGroup("g", [error])
    except* ValueError:
        raise
    except* TypeError as e:
        raise RuntimeError("new") from e
    except* KeyError as e:
        if e.exceptions[0].args == (1,):
            raise e
        print("key")

for error in (ValueError(1), TypeError(2), KeyError(1), KeyError(2)):
    try:
        f(error)
    except ExceptionGroup as group:
        print(type(group).__name__, [repr(each) for each in group.exceptions], repr(group.__cause__))
    except RuntimeError as other:
        print(repr(other))
