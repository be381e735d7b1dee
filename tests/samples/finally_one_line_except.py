"""A `finally` body that holds a `try` statement, with clauses on one line each."""


def say(*what):
    print("say", *what)


def before_return(number):
    try:
        say(6 // number)
    finally:
        try: say(len(number))
        except: pass
    return number


def at_the_end(number):
    try:
        say(6 // number)
    finally:
        try: say(len(number))
        except TypeError: pass


for function in (before_return, at_the_end):
    for number in (0, 1):
        try:
            print(function(number))
        except ZeroDivisionError:
            print("zero")
