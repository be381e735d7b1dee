class C:
    """Doc."""
    x: int
    y: int = 2
    def f(self, a: int = 1) -> str:
        """Method doc."""
        return str(a)

print(C.__doc__, C.f.__doc__, sorted(C.__annotations__), C().f())
