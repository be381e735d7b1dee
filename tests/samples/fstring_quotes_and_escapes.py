def f(x):
    return f"tab\t{x}\nline 'single' \"double\" \\ {x!r} \u20ac {{}} {x:>{len(x) + 2}}|"

print(f("it's \"q\""))
