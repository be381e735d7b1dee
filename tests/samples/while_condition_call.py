def f(q):
    while q.pop():
        pass
    return q

print(f([1, 2, 0, 3, 4]))
