# min: 3.10
import asyncio

def gen(items):
    for item in items:
        match item:
            case [a, b]:
                got = yield a
                yield got, b
            case int() if item:
                yield from range(item)
            case _:
                yield

async def value(x):
    return x

async def main(x):
    match await value(x):
        case 1 if await value(x):
            return await value("one")
        case [y]:
            found = []
            async for item in agen(y):
                found.append(await value(item))
            return found
    return "none"

async def agen(n):
    for i in range(n):
        yield i

print(list(gen([[1, 2], 3, "s"])), [asyncio.run(main(x)) for x in (1, [3], "s")])
