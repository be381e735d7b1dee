def f(n):
    try:
        try:
            if n == 0:
                return "inner"
            if n == 1:
                raise ValueError
        finally:
            print("f1")
            if n == 2:
                return "from finally"
    finally:
        print("f2")
    return "end"

print(f(0), f(2), f(3))
try:
    f(1)
except ValueError:
    print("raised")
