# min: 3.10
def f(x):
    match x:
        case None:
            return "none"
        case True:
            return "true"
        case [None, False]:
            return "pair"
        case False | [True, None]:
            return "either"

print([f(x) for x in (None, True, 1, [None, False], False, [True, None], 0)])
