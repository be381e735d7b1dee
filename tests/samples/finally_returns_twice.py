"""A `finally` body that may return in more than one place, and may end."""


def say(what):
    print("say", what)
    return what


def twice(x, y):
    try:
        say(1 // x)
    finally:
        if x:
            return
        say("between")
        if y:
            return
        say("end")


def behind_handlers(x, y):
    try:
        say(1 // x)
    except ZeroDivisionError:
        ...
    except TypeError:
        say("type")
    finally:
        if x:
            return
        say("between")
        if y:
            return
        say("end")


def in_both_arms(x, y, z):
    try:
        say(x)
    finally:
        if x:
            return
        elif y:
            ...
        else:
            say("else")
        if z:
            say("z")
        else:
            if say(y):
                return
            say("not y")


async def awaits(x, y):
    try:
        say(x)
    finally:
        if x:
            return
        if y:
            try:
                await say
            except TypeError:
                ...
            say("y")
        else:
            if say(y):
                return
            say("not y")


for x in (0, 1):
    for y in (0, 1):
        for run in (twice, behind_handlers):
            try:
                print(run(x, y))
            except ZeroDivisionError:
                print("zero")
        print(in_both_arms(x, y, 0), in_both_arms(x, y, 1))
        try:
            awaits(x, y).send(None)
        except StopIteration as error:
            print(error.value)
