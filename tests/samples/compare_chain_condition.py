def calls(log, x):
    log.append(x)
    return x

def f(a, b, c):
    log = []
    if calls(log, a) < calls(log, b) < calls(log, c):
        log.append("in")
    else:
        log.append("out")
    while not 0 < a < 5:
        a -= 1
    return log, a

print(f(1, 2, 3), f(9, 2, 3))
