"""A value returned from handlers inside loops inside `try`; ends copied behind `with`."""


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, kind, *args):
        print("exit", kind)


def from_handler(items):
    try:
        for item in items:
            try:
                print(1 // item)
            except:
                return len(items)
    finally:
        print("last")


def from_two_handlers(items):
    try:
        for item in items:
            try:
                print(1 // item)
            except:
                try:
                    print(item + 1)
                except TypeError:
                    return len(items)
    finally:
        print("last")


def replaced(items):
    try:
        for item in items:
            try:
                print(1 // item)
            except:
                return len(items)
    finally:
        return items


for items in ([], [1], [1, 0, 2], ["a", 0]):
    print(from_handler(items), from_two_handlers(items), replaced(items))

try:
    print(1 // 0)
except ZeroDivisionError as error:
    try:
        assert items, 1
    finally:
        with Manager() as first, Manager() as second, Manager() as third:
            pass
