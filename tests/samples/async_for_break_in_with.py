"""`async for` that is left early, inside `with` and `async with`, next to other statements."""

import asyncio


class Manager:
    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, *error):
        print("exit", error[0])

    async def __aenter__(self):
        print("aenter")
        return self

    async def __aexit__(self, *error):
        print("aexit", error[0])


async def numbers(count):
    for number in range(count):
        yield number


async def only_break(count):
    async with Manager():
        async for number in numbers(count):
            break


async def goes_on(count):
    async with Manager():
        async for number in numbers(count):
            if number == 1:
                break
        print("behind")


async def plain_with(count):
    with Manager():
        async for number in numbers(count):
            break


async def returns_in_loop(count):
    async with Manager():
        while count:
            async for number in numbers(count):
                return number
            count -= 1


async def returns_in_handler(count):
    try:
        while count > 0:
            async for number in numbers(count):
                return 2
            count -= 1
    except ValueError:
        print("handled")


for function in (only_break, goes_on, plain_with, returns_in_loop, returns_in_handler):
    for count in (0, 1, 3):
        print(function.__name__, count, asyncio.run(function(count)))
