def gen(a):
    x = (yield a) + (yield)
    print((yield), x)
    y = [(yield 1), *(yield 2)]
    yield y
    f((yield "arg"), k=(yield "kw"))

def f(*a, **k):
    print(a, k)

g = gen(0)
out = [next(g)]
for v in (10, 20, 30, 40, (50, 60), None, "a", "b"):
    try:
        out.append(g.send(v))
    except StopIteration:
        out.append("stop")
print(out)
