def f(xs):
    for x in xs:
        for y in x:
            if y:
                return y
    return None

print(f([[0, 0], [0, 3]]), f([]))
