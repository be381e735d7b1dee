def f(x):
    return (), [], {}, (1,), (1, (2, None)), x in {1, 2}, x in [3, 4], {1: (2, 3)}, ..., [1, 2, 3], frozenset({1}), {"a", "a"}, True is not False

print(f(1))
for i in (1, 2, 3):
    for j in [4, 5]:
        print(i, j)
