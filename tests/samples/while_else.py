def f(n, stop):
    while n:
        n -= 1
        if n == stop:
            print("stop")
            break
    else:
        print("else")
    return n

print(f(5, 2), f(5, 9))
