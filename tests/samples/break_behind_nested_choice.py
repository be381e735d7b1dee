# reads: as written
"""A `break` behind an `if` inside an `if`, where the compiler copies it into the arm."""


def say(*what):
    print("say", *what)


def in_for(numbers, z):
    for number in numbers:
        if number > 2:
            if z:
                say("z")
            break
        say(number)
    say("end")


def in_handler(numbers, z):
    for number in numbers:
        try:
            say(6 // number)
        except ZeroDivisionError:
            if z:
                say("z")
            break
    say("end")


for z in (0, 1):
    in_for([1, 2, 3], z)
    in_handler([2, 0, 1], z)
