# min: 3.11
def f():
    out = []
    try:
        try:
            raise ExceptionGroup("outer", [ValueError(1), TypeError(2), KeyError(3)])
        except* ValueError as e:
            try:
                raise ExceptionGroup("inner", [OSError(4)])
            except* OSError as inner:
                out.append(("inner", len(inner.exceptions)))
            except* ValueError:
                pass
            out.append("value")
        except* TypeError:
            try:
                out.append("type")
                1 / 0
            except ZeroDivisionError as zero:
                out.append(repr(zero))
            finally:
                out.append("finally")
    except* KeyError as e:
        out.append("key")
    return out

print(f())
