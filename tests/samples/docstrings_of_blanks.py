"""

"""

from __future__ import annotations


def blank():
    """

    """


def two_blanks():
    """   
   
    """  # noqa: W291, W293


class Indented:
    """
      a
    b
    """


print(repr(__doc__), repr(blank.__doc__), repr(two_blanks.__doc__), repr(Indented.__doc__))
