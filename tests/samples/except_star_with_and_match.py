# min: 3.11
import contextlib

def f(x):
    out = []
    with contextlib.suppress(ExceptionGroup):
        try:
            match x:
                case 1:
                    raise ExceptionGroup("g", [ValueError(1)])
                case [error]:
                    raise error
            out.append("none")
        except* ValueError as e:
            match e.exceptions:
                case [ValueError(args=[n])]:
                    out.append(n)
                case _:
                    out.append("many")
        except* (A if x else B) as e:
            with contextlib.nullcontext(e) as value:
                out.append(value is e)
        out.append("behind")
    return out

class A(Exception): pass
class B(Exception): pass

print(f(1), f([ValueError(1)]), f([ExceptionGroup("", [ValueError(1), ValueError(2)])]), f([A()]), f([B()]), f(0))
