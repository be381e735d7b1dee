# min: 3.10
import contextlib

@contextlib.contextmanager
def managed(name):
    print("enter", name)
    try:
        yield name
    finally:
        print("exit", name)

def f(x):
    with managed("outer") as name:
        match x:
            case 1:
                return name
            case [y, *_]:
                with managed("inner"):
                    return y
            case _:
                x = None
    return x

print(f(1), f([2, 3]), f("s"))
