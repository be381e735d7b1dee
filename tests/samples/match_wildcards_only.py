# min: 3.10
def f(x):
    match x:
        case []:
            return 0
        case [_]:
            return 1
        case [_, _]:
            return 2
        case [*_]:
            return "many"
        case {}:
            return "mapping"
        case str(_):
            return "text"

print([f(x) for x in ([], [1], [1, 2], [1, 2, 3], {}, "s", 5)])
