def f(n):
    log = []
    for a in range(n):
        while True:
            try:
                with __import__("contextlib").suppress(KeyError):
                    for b in range(n):
                        if a == b:
                            try:
                                if a == 1:
                                    raise KeyError
                                log.append((a, b))
                                continue
                            finally:
                                log.append("f")
                        elif b > a:
                            break
                    else:
                        log.append("for else")
                        break
                log.append("after with")
            except ValueError:
                pass
            else:
                log.append("try else")
                break
    return log

print(f(3))
