def f(x):
    try:
        return 1 / x
    except ZeroDivisionError:
        return "zero"
    except TypeError:
        return "type"
    finally:
        print("done")

print(f(1), f(0), f("a"))
