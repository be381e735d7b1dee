class CM:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        print("exit", exc[0])

def f(xs):
    for x in xs:
        with CM():
            if x == 1:
                continue
            if x == 2:
                break
            if x == 3:
                return "ret"
            print(x)
    return "end"

print(f([1, 0, 2, 3]), f([0, 3]), f([]))
