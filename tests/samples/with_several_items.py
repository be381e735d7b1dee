from contextlib import contextmanager

@contextmanager
def cm(x):
    print("enter", x)
    yield x
    print("exit", x)

def f():
    with cm(1) as a, cm(2), cm(a + 2) as b:
        print(a, b)
    with cm(5):
        with cm(6) as c:
            print(c)
        print("between")

f()
