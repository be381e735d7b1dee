class CM:
    def __init__(self, x=None):
        self.x = x
    def __enter__(self):
        return self.x
    def __exit__(self, *a):
        return True

def f():
    with CM((1, 2)) as pair:
        a, b = pair
        raise ValueError
    return a, b

def g():
    with CM():
        return "inside"

print(f(), g())
