def f(n):
    out = []
    while n > 0 and (n % 2 or n > 6) or n == 4:
        out.append(n)
        n -= 1
    return out

print(f(10), f(5), f(2))
