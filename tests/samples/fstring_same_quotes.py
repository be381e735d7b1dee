# min: 3.12
def f(d):
    return f"{d["a"]} {"\n".join(d["b"])} {f"{f"{1 + 1}"}"}"

print(f({"a": 1, "b": ["x", "y"]}))
