def f():
    x = "not doc"
    return x

def g():
    f"{1}"
    return g.__doc__

def h():
    None
    return h.__doc__

class C:
    x = 1
    "late"

print(f.__doc__, g(), h(), C.__doc__)
