# min: 3.8
def f(items):
    out = []
    for i in items:
        try:
            z = [a.real for a in i]
        except TypeError:
            z = [[b for b in (i, i)] for a in range(2)]
        finally:
            w = {c for c in range(3)}
        out.append((z, w))
    with open(__file__ if "__file__" in globals() else __import__("os").devnull):
        return [o for o in out if o], [n for n in range(2)]

class Skip:
    values = [i for i in range(3)]
    if values:
        doubled = {i: j for i in values for j in range(i)}

print(f([[1], 5]), Skip.values, Skip.doubled, [m for m in range(2)], {m: m for m in range(2)})
