# reads: as written
"""In a loop, the last test of what a statement protects: an `if`, or a `continue` of its own."""


class Manager:
    def __enter__(self):
        print("enter")

    def __exit__(self, *error):
        print("exit")


def say(*what):
    print("say", *what)


def ends_with(numbers):
    for number in numbers:
        with Manager():
            say(number)
            if not number:
                say("none")
                say("at all")


def continues_with(numbers):
    for number in numbers:
        with Manager():
            say(number)
            if number:
                continue
            say("none")
            say("at all")


def ends_try(numbers):
    for number in numbers:
        try:
            say(number)
            if not number:
                say("none")
                say("at all")
        except ValueError:
            say("value")


def continues_try(numbers):
    for number in numbers:
        try:
            say(number)
            if number:
                continue
            say("none")
            say("at all")
        except ValueError:
            say("value")


def ends_finally(numbers):
    for number in numbers:
        try:
            say(number)
            if not number:
                say("none")
                say("at all")
        finally:
            say("finally")


def continues_finally(numbers):
    for number in numbers:
        try:
            say(number)
            if number:
                continue
            say("none")
            say("at all")
        finally:
            say("finally")


ends_with([0, 1])
continues_with([0, 1])
ends_try([0, 1])
continues_try([0, 1])
ends_finally([0, 1])
continues_finally([0, 1])
