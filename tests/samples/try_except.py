def f(g):
    try:
        return g()
    except ValueError:
        return "value"
    except (KeyError, IndexError) as e:
        return type(e).__name__
    except Exception as e:
        print(e)
    return "end"

print(f(lambda: 1), f(lambda: int("x")), f(lambda: {}[1]), f(lambda: [][0]), f(lambda: 1 / 0))
