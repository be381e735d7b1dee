# min: 3.11
"""What follows `except*` inside `with`, where only its clauses lead there."""


def f0(a, t):
    with a, t:
        try:
            raise a
        except* V:
            pass
        return
    c = 1
