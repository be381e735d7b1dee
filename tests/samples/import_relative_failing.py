def f():
    try:
        from . import something
    except ImportError as e:
        return "relative"
    try:
        from ..other.thing import name as alias
    except ImportError:
        return "relative 2"

print(f())
