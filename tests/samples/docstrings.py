"""Module doc."""

def f():
    """Function doc.

    With 'quotes' and \\ backslash.
    """

def g():
    """Only doc."""

def h():
    "x" "y"
    return 1

async def a():
    """Async doc."""

print(__doc__, f.__doc__, g.__doc__, g(), h.__doc__, a.__doc__)
