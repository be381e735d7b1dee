"""Classes and modules that bind the names themselves that every class body starts with."""

__qualname__ = "a module"
__module__ = __name__


class Renamed:
    __qualname__ = "Other"
    value = 1


class Moved:
    """With a docstring."""

    __module__ = __name__
    __qualname__ = "Elsewhere"


class Property:
    __qualname__ = "Property"

    @property
    def __module__(self):
        return "computed"


def local():
    class Inner(int):
        __qualname__ = "Inner"
        __doc__ = "written"

        def name(self):
            return __class__.__qualname__

    return Inner


print(__qualname__, __module__)
print(Renamed.__qualname__, Moved.__qualname__, Moved.__doc__, Property().__module__)
print(local().__qualname__, local()(1).name())
