def f(fail):
    tries = 0
    while True:
        try:
            tries += 1
            if tries <= fail:
                raise OSError(tries)
            return tries
        except OSError as e:
            if tries > 3:
                raise
            print("retry", e)

print(f(2))
try:
    f(9)
except OSError as e:
    print("gave up", e)
