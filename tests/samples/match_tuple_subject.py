# min: 3.10
def f(a, b, *c):
    match a, b:
        case 0, 0:
            return "zeros"
        case 0, y:
            return y
        case x, 0:
            return x
    match a, *c:
        case p, q:
            return p + q
    match [a, b]:
        case [1, 1]:
            return "ones"
    match (a if a > b else b):
        case 5:
            return "five"
    match a or b:
        case int() as n:
            return n

print(f(0, 0), f(0, 2), f(3, 0), f(1, 2, 3), f(1, 1), f(5, 4), f(7, 8))
