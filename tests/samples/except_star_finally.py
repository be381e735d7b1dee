# min: 3.11
def f(errors):
    out = []
    try:
        if errors:
            raise ExceptionGroup("g", errors)
        out.append("fine")
    except* ValueError as e:
        out.append(len(e.exceptions))
    except* TypeError:
        out.append("type")
    else:
        out.append("else")
    finally:
        out.append("finally")
    return out

print(f([]), f([ValueError(1), TypeError(2)]))
