import asyncio


class Holder:
    found = {1 for a in range(2) for c in (range) if 0}


def closure(y):
    def inside(it):
        return [y for a in it if 0]

    return inside


def dictionary(it):
    return {a: a for a in it if 0 if a}


def generator(it):
    return list(a for a in it if a for b in it if False)


async def awaited(it):
    return [await a for a in it if 0]


print(Holder.found, closure(1)([1, 2]), dictionary([3]), generator([4]))
print(asyncio.run(awaited([5])))
