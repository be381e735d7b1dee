def log(x):
    print("eval", x)
    return x

def f():
    d = {}
    d[log("k")] = log("v")
    log([1, 2, 3])[log(0)] = log("w")
    a, d[log("x")] = log(1), log(2)
    return d, a, log(1) + log(2) * log(3), {log("a"): log("b"), log("c"): log("d")}

print(f())
