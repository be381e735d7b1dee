import asyncio

async def gen(n):
    for i in range(n):
        yield i

async def ident(x):
    return x

async def f():
    a = [x async for x in gen(4) if x % 2]
    b = {x: await ident(x) async for x in gen(2)}
    c = {await ident(x) for x in range(3)}
    d = [x async for x in (y * 2 async for y in gen(3))]
    return a, b, sorted(c), d

print(asyncio.run(f()))
