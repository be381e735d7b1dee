import asyncio

class A:
    def __init__(self, n):
        self.n = n
    def __aiter__(self):
        return self
    async def __anext__(self):
        if not self.n:
            raise StopAsyncIteration
        self.n -= 1
        return self.n

async def f(stop):
    out = []
    async for x in A(5):
        if x == stop:
            break
        if x % 2:
            continue
        out.append(x)
    else:
        out.append("else")
    return out

print(asyncio.run(f(1)), asyncio.run(f(9)))
