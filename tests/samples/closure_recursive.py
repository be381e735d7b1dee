def f(n):
    def fact(k):
        return 1 if k < 2 else k * fact(k - 1)
    even = lambda k: k == 0 or odd(k - 1)
    odd = lambda k: k != 0 and even(k - 1)
    return fact(n), even(n), odd(n)

print(f(5))
