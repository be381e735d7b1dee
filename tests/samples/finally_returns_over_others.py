"""`return` in a `finally` body; other returns before it, which lose their values."""


def in_handler(call):
    try:
        value = call(1)
    except KeyError as error:
        try:
            value = call(2)
            return
        except KeyError:
            print("again")
        print("behind")
    finally:
        return "finally"


def in_else(call):
    try:
        try:
            call(4)
        except KeyError as error:
            return
    except ValueError:
        pass
    else:
        return call
    finally:
        return call(5)


def breaks_in_handler(items):
    for item in items:
        try:
            print(1 // item)
        finally:
            try:
                print(2 // item)
            except ZeroDivisionError:
                break
    print("behind")


def continues_in_handler(items):
    for item in items:
        try:
            print(1 // item)
        finally:
            try:
                print(2 // item)
            except ZeroDivisionError:
                print("zero")
                continue
        print("next")


def returns_deep(test, items):
    while test():
        for item in items:
            try:
                try:
                    print(1 // item)
                finally:
                    pass
            except:
                pass
            return items


def fails(number):
    print(number)
    raise [KeyError, ValueError][number % 2](number)


print(in_handler(print), in_handler(fails))
print(in_else(print))
for call in (breaks_in_handler, continues_in_handler):
    for items in ([], [1, 2], [0], [1, 0, 2]):
        call(items)
answers = iter([1, 1, 0])
print(returns_deep(lambda: next(answers), [0]), returns_deep(lambda: next(answers), []))
