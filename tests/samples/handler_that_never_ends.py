"""A loop without an end in a handler: nothing stands behind it."""


def retry(action, fix):
    try:
        return action(0)
    except ValueError as error:
        while True:
            if not fix(error):
                raise error
            try:
                return action(1)
            except KeyError as another:
                error = another


def action(number):
    if number:
        return "done"
    raise ValueError("no")


print(retry(action, lambda error: True))
try:
    retry(action, lambda error: False)
except ValueError as error:
    print(error)
