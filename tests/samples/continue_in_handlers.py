# reads: as written
"""Handlers that go on with the next round, and what runs only if nothing was raised."""


def say(*what):
    print("say", *what)
    return what


def behind(numbers):
    for number in numbers:
        try:
            result = 6 // number
        except ZeroDivisionError as error:
            say(error)
            continue
        for each in range(result):
            say(each)
        if result > 2:
            say("large")


def otherwise(numbers):
    for number in numbers:
        try:
            result = 6 // number
        except ZeroDivisionError as error:
            say(error)
        else:
            say(result)


def alone(numbers):
    for number in numbers:
        try:
            result = 6 // number
        except ZeroDivisionError:
            continue
        say(result)


def several(numbers):
    while numbers:
        number = numbers.pop()
        try:
            result = 6 // number
        except ZeroDivisionError:
            say("zero")
            continue
        except TypeError as error:
            say("type")
            continue
        say(result)


def under_test(numbers):
    for number in numbers:
        try:
            result = 6 // number
        except ZeroDivisionError:
            if len(numbers) > 3:
                say("many")
                continue
            raise
        say(result)


def one_of_two(numbers):
    for number in numbers:
        try:
            result = 6 // number
        except ZeroDivisionError as error:
            say(error)
            continue
        except TypeError:
            result = 7
        else:
            say("else")
        say(result)


behind([0, 1, 3])
one_of_two([0, 1, ""])
otherwise([0, 1, 3])
alone([0, 1, 3])
several([0, 1, "", 3])
under_test([0, 1, 2, 3])
