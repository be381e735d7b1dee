def gen(n):
    i = 0
    while i < n:
        yield i
        i += 1
    yield
    return "value"

print(list(gen(3)))
