def gen():
    try:
        yield 1
        yield 2
    except GeneratorExit:
        print("closed")
        raise
    except ValueError as e:
        yield repr(e)
    finally:
        print("cleanup")

g = gen()
print(next(g))
g.close()
g = gen()
print(next(g), g.throw(ValueError("x")))
print(list(g))
