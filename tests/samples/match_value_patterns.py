# min: 3.10
import enum

class Color(enum.Enum):
    RED = 1
    BLUE = 2

class N:
    zero = 0

def f(c):
    match c:
        case Color.RED:
            return "red"
        case Color.BLUE | N.zero:
            return "blue or zero"
        case [Color.RED, *_]:
            return "list"
    return "?"

print(f(Color.RED), f(Color.BLUE), f(0), f([Color.RED]), f(5))
