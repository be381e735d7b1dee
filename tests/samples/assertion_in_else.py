def declare(known, name, model):
    if name not in known:
        known[name] = model
    else:
        assert known[name] is None
        known[name] = model


def choose(a, b):
    if a:
        x = 1
    elif b:
        x = 2
    else:
        raise AssertionError(a)
    return x


names = {"old": None, "given": 1}
for name in ("new", "old", "given"):
    try:
        declare(names, name, 2)
    except AssertionError as error:
        print("failed", error)
print(names, choose(1, 0), choose(0, 1))
try:
    choose(0, 0)
except AssertionError as error:
    print("failed", error)
