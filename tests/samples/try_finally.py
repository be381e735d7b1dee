def f(x, log):
    try:
        log.append(1 / x)
    finally:
        log.append("f")
    log.append("after")

log = []
f(1, log)
try:
    f(0, log)
except ZeroDivisionError:
    log.append("caught")
print(log)
