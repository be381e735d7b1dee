# min: 3.11
import asyncio

async def gen(n):
    for i in range(n):
        yield i

async def f():
    return [[x async for x in gen(n)] for n in range(3)]

print(asyncio.run(f()))
