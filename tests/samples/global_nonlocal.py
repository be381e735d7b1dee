counter = 0

def bump():
    global counter, made
    counter += 1
    made = counter * 2

def outer():
    n = 0
    m = 5
    def inner():
        nonlocal n, m
        n += 1
        m = n + m
        def deep():
            nonlocal n
            n *= 10
        deep()
        return n
    return inner(), inner(), n, m

bump()
bump()
print(counter, made, outer())
