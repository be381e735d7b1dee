n = 3
xs = [i for i in range(n) if i]
print(xs, {i: j for i, j in enumerate(xs)}, [[a, b] for a in xs for b in xs])
