def f(t):
    nil, a, nil, nil = t
    return a, nil

print(f((1, 2, 3, 4)))
