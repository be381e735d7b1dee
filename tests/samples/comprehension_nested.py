def f(m):
    return [[x + 1 for x in row] for row in m], [y for row in m for y in row], [[x for x in row if x] for row in m if row]

print(f([[1, 0], [2, 3], []]))
