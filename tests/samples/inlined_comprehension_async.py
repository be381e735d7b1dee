# min: 3.11
import asyncio

async def numbers(n):
    for i in range(n):
        yield i

async def double(x):
    return x * 2

async def g():
    return [x + 1 async for x in numbers(3)]

async def h():
    return await double({x async for x in numbers(2)} and 3)

async def f():
    a = [x async for x in numbers(3) if await double(x)]
    try:
        b = {x: await double(x) for x in range(2)}
    except ValueError:
        b = {x async for x in numbers(2)}
    async for i in numbers(2):
        c = [[j async for j in numbers(i)] for i in range(3)]
    return a, b, c, [await double(k) for k in a]

print(asyncio.run(f()), asyncio.run(g()), asyncio.run(h()))
