x: int = 3
y: "list[str]"
class O:
    z: float = 1.5
    w: str

def f():
    a: int = 1
    b: str
    o = O()
    o.q: int = 5
    return a, o.q

print(x, sorted(globals().get("__annotations__", ())), sorted(O.__annotations__), f())
