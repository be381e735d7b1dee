def gen():
    total = 0
    while True:
        x = yield total
        if x is None:
            return
        total += x

g = gen()
print(next(g), g.send(1), g.send(5))
print(next(g, "done"))
