import asyncio

async def gen(n):
    for i in range(n):
        got = yield i
        if got:
            print("got", got)
        await asyncio.sleep(0)

async def f():
    g = gen(3)
    out = [await g.__anext__(), await g.asend("hi")]
    async for x in gen(2):
        out.append(x)
    return out

print(asyncio.run(f()))
