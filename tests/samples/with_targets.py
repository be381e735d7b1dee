from contextlib import contextmanager

@contextmanager
def cm(x):
    yield x

class O:
    pass

def f():
    o, d = O(), {}
    with cm(1) as o.x, cm(2) as d["k"], cm((3, (4, 5))) as (a, (b, c)), cm("xyz") as [p, *q]:
        print(o.x, d, a, b, c, p, q)

f()
