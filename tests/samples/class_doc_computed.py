"""A class whose first statement computes its `__doc__`."""

notes = {"note": "read this"}


class Formatted:
    __doc__ = """Formatted.

    {note}
    """.format(**notes)


class Modulo:
    __doc__ = "text of %s" % notes["note"]


class Literal:
    __doc__ = "plain"


class Name:
    __doc__ = __name__


for each in (Formatted, Modulo, Literal, Name):
    print(each.__name__, each.__doc__)
