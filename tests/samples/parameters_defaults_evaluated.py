def make(xs=[], n=len("abc"), f=lambda x: x + 1, *, k={"a": 1}):
    xs.append(n)
    return xs, f(n), k

print(make(), make())
