# min: 3.10
def f(x):
    try:
        match x:
            case 0:
                return 1 / x
            case [a]:
                return a.missing
            case str():
                raise KeyError(x)
            case _:
                y = "default"
    except ZeroDivisionError:
        return "division"
    except (AttributeError, KeyError) as error:
        match error:
            case AttributeError():
                return "attribute"
            case KeyError(args=[key]):
                return "key", key
        return "unknown"
    else:
        y += " else"
    return y

print(f(0), f([1]), f("s"), f(2.5))
