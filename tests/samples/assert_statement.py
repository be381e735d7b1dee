def f(x):
    assert x
    assert x > 1, "too small: %d" % x
    assert x != 3 and (x < 9 or x == 10), (x, "bad")
    return x

for x in (0, 1, 2, 3, 9, 10):
    try:
        print(f(x))
    except AssertionError as e:
        print("assert", e.args)
