def kind():
    print("kind")
    return int


class Holder:
    pass


held = Holder()
held.x: kind() = 1


class Annotates:
    held.y: int = 2
    (z): int = 3
    if not __debug__ and 0:
        never: int = 4


if held:
    (a): str = "a"
print(held.x, held.y, Annotates.z, a, Annotates.__annotations__)
