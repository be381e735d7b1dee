import asyncio

async def g(x):
    await asyncio.sleep(0)
    return x * 2

async def f():
    a = await g(1)
    b = [await g(2), (await g(3)) + 1]
    return a, b, await g(await g(4))

print(asyncio.run(f()))
