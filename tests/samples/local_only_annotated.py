x = y = "global"


def read():
    x: int
    return x


def read_later(flag):
    """Documented."""
    y: str
    if flag:
        print("flag")
    return lambda: y


for function in (read, read_later(1), lambda: x):
    try:
        print(function())
    except NameError as error:
        print(type(error).__name__)
print([z := i for i in range(3)], z)
