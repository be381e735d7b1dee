"""`finally: pass` inside another one: ends of regions with nothing between them."""


def in_loop(items):
    seen = []
    for item in items:
        try:
            try:
                seen.append(1 // item)
            finally:
                pass
        except ZeroDivisionError:
            pass
        finally:
            pass
    return seen


def endless(limit):
    while 1:
        if limit == 0:
            raise ValueError(limit)
        limit -= 1
        try:
            try:
                print(limit)
            except TypeError as error:
                print(error)
            finally:
                pass
        finally:
            pass


def returns_inside(value):
    try:
        try:
            first, second = value
        except TypeError:
            print("no pair")
        finally:
            try:
                print("last")
            except OSError:
                pass
            return value
    finally:
        pass


try:
    try:
        _ = in_loop([1, 0, 2])
    finally:
        pass
finally:
    pass
print(_)
try:
    endless(2)
except ValueError as error:
    print("raised", error)
print(returns_inside(1), returns_inside((1, 2)), returns_inside((1, 2, 3)))
