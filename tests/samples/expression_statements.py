def f(xs):
    xs.append(1)
    xs
    xs[0]
    len(xs)
    (xs.pop)
    xs.append(2), xs.append(3)
    xs and xs.append(4)
    xs or xs.append(5)
    xs.append(6) if xs else xs.append(7)
    not xs.append(8)
    ...
    "string"
    return xs

print(f([]))
