def f(d, xs):
    return f"{d['key']} {', '.join(str(x) for x in xs)} {xs[0] if xs else None} {(lambda: 3)()} {xs[1:]} {d!r:>{20}}"

print(f({"key": "v"}, [1, 2, 3]))
