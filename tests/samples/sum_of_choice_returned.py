"""A choice of constants inside of an expression that is returned: the compiler computes sums."""


def argument(order):
    return str(("-" if order == "DESC" else "") + "field")


def method(text, order):
    return text.strip().join(("-" if order else "+") + "field")


def of_a_name(start, order):
    return str((start if order else "") + "field")


def two_sums(order):
    return str(("-" if order else "") + "a" + "b")


for order in ("DESC", ""):
    print(argument(order), method(" . ", order), of_a_name("#", order), two_sums(order))
