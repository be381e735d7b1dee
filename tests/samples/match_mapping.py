# min: 3.10
def f(x):
    match x:
        case {"op": "add", "args": [a, b]}:
            return a + b
        case {"op": str(name), **rest}:
            return name, rest
        case {"k": {"deep": v}}:
            return v
        case {}:
            return "mapping"
    return "none"

for x in ({"op": "add", "args": [1, 2]}, {"op": "mul", "z": 1}, {"k": {"deep": 9}}, {}, 3):
    print(f(x))
