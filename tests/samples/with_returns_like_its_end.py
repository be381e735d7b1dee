"""`return` inside `with` where the function ends behind it, in loops, arms and handlers."""


class Manager:
    def __enter__(self):
        print("enter")

    def __exit__(self, *error):
        print("exit", error[0])
        return error[0] is KeyError


def in_if(x):
    with Manager():
        if x:
            return
        print("more")


def in_two_arms(x):
    with Manager():
        if x == 1:
            return
        elif x == 2:
            print("two")
        else:
            return
        print("more")


def in_for(x):
    with Manager():
        for each in range(x):
            if each:
                return
        print("more")


def in_while(x):
    with Manager():
        while x < 2:
            if x:
                return
            x += 1
        print("more")


def in_handler(x):
    with Manager(), Manager():
        try:
            print(1 // x)
        except ZeroDivisionError as error:
            if x is None:
                pass
            else:
                return None
        print("more")


def in_bare_handler(x):
    with Manager():
        try:
            print(1 // x)
        except ZeroDivisionError as error:
            if error:
                return None
        print("more")


def same_value(x):
    with Manager():
        if x:
            return 1
        print({}[x])
    return 1


def in_loop_that_ends_the_body(x):
    with Manager():
        while x:
            for each in range(x):
                return each
            x -= 1


for function in (
    in_if,
    in_two_arms,
    in_for,
    in_while,
    in_handler,
    in_bare_handler,
    same_value,
    in_loop_that_ends_the_body,
):
    for x in range(4):
        print(function.__name__, x, function(x))
