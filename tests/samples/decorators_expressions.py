# min: 3.9
ds = [lambda f: (print("first"), f)[1], lambda f: f]

@ds[0]
@(lambda f: f)
@(ds[1] if ds else None)
def f():
    return 1

print(f())
