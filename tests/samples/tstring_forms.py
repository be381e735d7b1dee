# min: 3.14
def f(name, x):
    u = t"{x=} {x:{name}} {{}}"
    v = t'{ x }' t"b{x['a'] if isinstance(x, dict) else "it's"}"
    w = t""
    y = t"{ {1: 2}  } {x!s}{(lambda: 1)()}"
    z = t"""{x = !r:^20}
"""
    return u, v, w, y, z

for template in f("d", 2):
    print(template.strings, [(i.value, i.expression, i.conversion, i.format_spec) for i in template.interpolations])
