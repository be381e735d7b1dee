# min: 3.14
def f(name, x):
    t = t"hello {name!r:>10} and {x + 1}{x}"
    return [(i.value, i.expression, i.conversion, i.format_spec) for i in t.interpolations], t.strings

print(f("a", 2))
