def f(xs):
    r = []
    try:
        for x in xs:
            if x is None:
                return "none", r
            r.append(x)
    finally:
        for y in r:
            if y == 2:
                print("two")
                break
        else:
            print("no two")
    return r

print(f([1]), f([2, None]), f([2, 3]))
