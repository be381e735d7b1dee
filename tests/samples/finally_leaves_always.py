"""`finally` bodies that return, break, continue or raise, whatever the `try` body wanted."""


def returns_constant(f):
    try:
        return f()
    except KeyError:
        print("key")
    except:
        print("other")
    finally:
        return 1


def returns_none(f):
    try:
        return f()
    except KeyError:
        pass
    finally:
        return


def breaks(items):
    for item in items:
        try:
            print(1 // item)
        finally:
            break
    for item in items:
        try:
            return 2 // item
        except TypeError:
            print("type")
        finally:
            break
    print("behind")


def continues(items):
    for item in items:
        try:
            if 1 // item:
                print("one")
        finally:
            continue
    print("behind")


def raises(f, found):
    try:
        if f():
            found = 1
        elif found:
            print("found")
    except KeyError:
        return found
    finally:
        raise ValueError(found)


def raises_in_loop(items):
    for item in items:
        try:
            for part in item:
                if part:
                    return part
            print(item)
        finally:
            raise ValueError(item)


def fails():
    raise KeyError(1)


for f in (int, fails, lambda: 1 // 0, lambda: 5):
    print(returns_constant(f), returns_none(f))
    try:
        raises(f, 0)
    except ValueError as error:
        print(error)
for items in ([], [0, 1], [1, 2], ["a"]):
    print(breaks(items))
    continues(items)
for items in ([], [[]], [[0]], [[1], 2]):
    try:
        print(raises_in_loop(items))
    except ValueError as error:
        print(error)
