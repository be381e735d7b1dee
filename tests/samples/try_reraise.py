def f():
    try:
        1 / 0
    except ZeroDivisionError:
        print("log")
        raise

try:
    f()
except ZeroDivisionError as e:
    print(repr(e))
