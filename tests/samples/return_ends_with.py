"""A `return` at the end of a `with` that ends the function: 3.8 has instructions for it."""
from contextlib import nullcontext


def last(x):
    with nullcontext():
        print(x)
        return


def in_both(x):
    with nullcontext():
        if x:
            print("yes")
            return
        else:
            print("no")
            return


def one_of_two(x):
    with nullcontext():
        if x:
            print("yes")
            return
        print("no")


for x in (0, 1):
    print(last(x), in_both(x), one_of_two(x))
