def f(n):
    log = []
    try:
        try:
            if n == 1:
                raise ValueError("v")
            if n == 2:
                raise KeyError("k")
            log.append("ok")
        except ValueError:
            log.append("inner")
            if n == 1:
                raise TypeError("t")
        finally:
            log.append("inner finally")
    except TypeError as e:
        log.append(repr(e))
    except KeyError:
        log.append("outer")
    finally:
        log.append("outer finally")
    return log

print(f(0), f(1), f(2))
