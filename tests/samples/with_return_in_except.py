class Lock:
    def __enter__(self):
        print("in")
    def __exit__(self, *a):
        print("out")

def f(d, key):
    with Lock():
        try:
            value = d.pop(key)
        except KeyError:
            d[key] = "new"
            return
    print("had", value)

f({1: 2}, 1)
f({}, 1)
