def gen(n):
    for i in range(n):
        try:
            if i == 1:
                continue
            yield i
            if i == 3:
                break
        finally:
            yield ("f", i)
    else:
        yield "else"

print(list(gen(3)), list(gen(5)))
