import asyncio

class CM:
    async def __aenter__(self):
        print("enter")
        return 7
    async def __aexit__(self, *exc):
        print("exit", exc[0])
        return exc[0] is KeyError

async def f(x):
    async with CM() as a, CM():
        print(a)
        if x == 1:
            return "ret"
        if x == 2:
            raise KeyError
    return "end"

print(asyncio.run(f(0)), asyncio.run(f(1)), asyncio.run(f(2)))
