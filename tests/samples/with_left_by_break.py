"""A `with` that a `break` leaves, where only a swallowed exception comes back to the loop."""
import asyncio


class Manager:
    def __init__(self, swallows):
        self.swallows = swallows

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return self.swallows

    async def __aenter__(self):
        return self

    async def __aexit__(self, *exception):
        print("exit")

    async def __aiter__(self):
        yield 1
        yield 2


def wait(tries, fails):
    while tries:
        with Manager(True) as manager:
            tries -= 1
            if tries > fails:
                raise ValueError
            break
    else:
        raise TimeoutError(tries)
    print("left", tries, manager.swallows)


async def first(log):
    try:
        async with Manager(False) as items:
            async for item in items:
                log.append(item)
                break
    finally:
        print("finally", log)


wait(3, 1)
try:
    wait(3, -1)
except TimeoutError as error:
    print(repr(error))
asyncio.run(first([]))
