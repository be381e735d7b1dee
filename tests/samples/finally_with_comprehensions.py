"""Comprehensions in the copies of a `finally` body, and handlers three deep."""


def finally_as(a, log):
    try:
        log.append(a())
    except ValueError as error:
        log.append(str(error))
    finally:
        x = {b for b in log}
        log.append(len(x))
    return log


def finally_and_return(a, log):
    try:
        return [b for b in log] + [a()]
    except ValueError:
        pass
    finally:
        log.append([b for b in log if b])


def deep(first, second, third):
    if first:
        try:
            x = int(first)
        except ValueError:
            try:
                x = int(second)
            except ValueError:
                try:
                    x = int(third)
                except ValueError:
                    x = None
        print("tried")
        return x


def fails():
    raise ValueError("failed")


print(finally_as(lambda: 1, [2]), finally_as(fails, [2]))
print(finally_and_return(lambda: 1, [2]), finally_and_return(fails, [2]))
for texts in ("1--", "-2-", "--3", "---"):
    print(deep(*texts))
print(deep("", "", ""))
