"""Loops whose `finally` always breaks: they never come round, and only the `break` needs them."""


def swallows(test, call):
    result = None
    while test():
        try:
            call(1)
        finally:
            result = 2
            break
    print(result)


def in_handler(test, call):
    try:
        call(0)
    except ZeroDivisionError:
        while test():
            try:
                call(0)
            finally:
                print("last")
                break
    print("behind")


def divide(number):
    print(1 // number)


swallows(lambda: True, divide)
swallows(lambda: True, None)
swallows(lambda: False, None)
in_handler(lambda: True, divide)
in_handler(lambda: False, divide)

while str():
    try:
        divide(1)
    finally:
        break

while int(1):
    try:
        divide(0)
    finally:
        if str():
            print("empty")
        else:
            print("full")
        break

for number in (0, 1):
    try:
        divide(number)
    finally:
        print("once")
        break
