def f(xs):
    for x in xs:
        try:
            1 / x
        except ZeroDivisionError:
            print("zero")
        finally:
            if x > 2:
                break
    return x

print(f([0, 1, 3, 4]), f([1]))
