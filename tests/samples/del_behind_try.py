"""`del` of a variable behind a handler, at the end of a function."""


def at_the_end(x):
    try:
        g()
    except E:
        pass
    del x


def two(x, y):
    try:
        g()
    except E:
        pass
    del x, y


def before_return(x):
    try:
        g()
    except E:
        pass
    del x
    return 1


def named(x):
    try:
        g()
    except E as e:
        h(e)
    del x


def in_handler(x):
    try:
        g()
    except E:
        del x
        return 1
