class CM:
    def __enter__(self):
        return self
    def __exit__(self, kind, *exc):
        print("exit", kind)
        return kind is KeyError

def f(x):
    try:
        with CM():
            try:
                if x == 1:
                    raise ValueError
                if x == 2:
                    raise KeyError
                return "fine"
            finally:
                print("inner")
        print("swallowed")
    except ValueError:
        return "value"
    else:
        return "else"
    finally:
        print("outer")

print(f(0), f(1), f(2))
