import asyncio

class Lock:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *args):
        return False

async def f(lock, items):
    async with lock:
        items.append(1)

async def g(lock, n):
    async with lock as a, lock as b:
        for i in range(n):
            if i:
                continue
            async with lock:
                await asyncio.sleep(0)
    try:
        return await h(n)
    except ValueError:
        pass
    return await h(1)

async def h(n):
    if not n:
        raise ValueError
    return n

items = []
asyncio.run(f(Lock(), items))
print(items, asyncio.run(g(Lock(), 0)), asyncio.run(g(Lock(), 2)))
