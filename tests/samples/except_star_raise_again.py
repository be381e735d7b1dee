# min: 3.11
"""What a clause raises again comes last in the group, in whatever form the text is."""


def f():
    try:
        raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
    except* ValueError:
        try:
            raise
        except KeyError:
            pass
    except* TypeError:
        1 / 0


try:
    f()
except BaseException as e:
    print([type(x).__name__ for x in e.exceptions])
