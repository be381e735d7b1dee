def f(a, b):
    return "%s and %r" % (a, b), "%d%%" % 5, "%(k)s" % {"k": a}, "%-5s|" % (a,)

print(f("x", "y"))
