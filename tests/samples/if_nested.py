def f(a, b, c):
    if a:
        if b:
            r = 1
        else:
            if c:
                r = 2
        r2 = 3
    else:
        r2 = 4
    return locals()

for a in (0, 1):
    for b in (0, 1):
        for c in (0, 1):
            print(sorted(f(a, b, c).items()))
