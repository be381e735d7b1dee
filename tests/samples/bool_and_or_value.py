def f(a, b, c):
    return a and b or c, a or b and c, (a or b) and c, not a or not b

for a in (0, 1):
    for b in (0, 2):
        for c in (0, 3):
            print(f(a, b, c))
