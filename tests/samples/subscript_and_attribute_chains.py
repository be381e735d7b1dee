class O:
    def __init__(self):
        self.d = {"a": [self, 1]}
        self.v = 0

def f(o):
    o.d["a"][0].v = 5
    o.d["a"][1] += o.d["a"][0].v
    return o.d["a"][0].d["a"][1], o.v

print(f(O()))
