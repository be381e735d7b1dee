from contextlib import contextmanager

@contextmanager
def cm():
    try:
        yield "in"
    finally:
        print("out")

def gen():
    with cm() as c:
        for i in range(2):
            yield c, i
    yield "end"

print(list(gen()))
