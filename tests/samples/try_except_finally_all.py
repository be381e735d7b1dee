def f(g):
    log = []
    try:
        log.append("try")
        g()
    except ValueError as e:
        log.append(str(e))
    else:
        log.append("else")
    finally:
        log.append("finally")
    return log

def bad():
    raise ValueError("bad")

print(f(int), f(bad))
