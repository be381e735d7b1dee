# min: 3.10
class K:
    key = "k"

def f(x):
    match x:
        case {"only": 1, **nothing} if not nothing:
            return "only"
        case {K.key: v, "z": _, **rest}:
            return v, rest
        case {5: a, None: b, True: c, -2: d, "e": [e, *_]}:
            return a, b, c, d, e
        case {**everything}:
            return everything

for x in ({"only": 1}, {"k": 1, "z": 2, "w": 3}, {5: 1, None: 2, True: 3, -2: 4, "e": [5]}, {"q": 1}, []):
    print(f(x))
