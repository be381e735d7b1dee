import asyncio

async def f(x):
    try:
        await asyncio.sleep(0)
        if x:
            raise ValueError(x)
        return "ok"
    except ValueError as e:
        await asyncio.sleep(0)
        return repr(e)
    finally:
        await asyncio.sleep(0)
        print("finally")

print(asyncio.run(f(0)), asyncio.run(f(1)))
