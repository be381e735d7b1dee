class CM:
    def __enter__(self):
        return iter([1, 0, 2])
    def __exit__(self, *a):
        print("exit")

def f():
    with CM() as it:
        for x in it:
            try:
                print(1 / x)
            except ZeroDivisionError:
                print("zero")
            else:
                if x == 2:
                    return x

print(f())
