# min: 3.12
from __future__ import annotations


def leaves():
    class C:
        a = 1
        raise ValueError

        def method[T](self: T) -> T:
            return __class__


try:
    leaves()
except ValueError:
    print("left")
