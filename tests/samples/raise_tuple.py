def f(a, b):
    raise (a, b)

try:
    f(ValueError, 1)
except TypeError:
    print("a tuple is no exception")
