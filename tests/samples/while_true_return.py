def f(n):
    while True:
        n += 1
        if n > 5:
            return n
        if n % 3:
            continue
        n += 10

print(f(0), f(2))
