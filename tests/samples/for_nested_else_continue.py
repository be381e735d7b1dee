def f(n):
    primes = []
    for i in range(2, n):
        for j in range(2, i):
            if i % j == 0:
                break
        else:
            primes.append(i)
            continue
        if i % 5 == 0:
            primes.append(-i)
    return primes

print(f(30))
