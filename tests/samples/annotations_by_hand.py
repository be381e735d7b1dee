# max: 3.13
"""Stores into `__annotations__` that no annotation makes."""

__annotations__ = {}
__annotations__["other"] = 1


class Meta(type):
    __annotations__["123"] = 123
    o: type = object


class Plain:
    __annotations__ = {"first": int}
    __annotations__["second"] = str


print(__annotations__, Meta.__annotations__, Plain.__annotations__)
