def inner():
    x = yield 1
    print("got", x)
    return "inner result"

def outer():
    r = yield from inner()
    yield r
    yield from [7, 8]
    return (yield from inner())

g = outer()
print(next(g), g.send("hello"), next(g), next(g), next(g))
