class CM:
    def __init__(self, name):
        self.name = name
    def __enter__(self):
        print("enter", self.name)
        return self.name
    def __exit__(self, *exc):
        print("exit", self.name, exc[0])
        return self.name == "quiet"

def f(name):
    with CM(name) as n:
        print("body", n)
        if n == "quiet":
            raise ValueError
    return "after"

print(f("a"), f("quiet"))
