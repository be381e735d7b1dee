# reads: as written
"""A chained comparison that is returned by a handler with a name, past a `finally` body."""


def between(low, text, high):
    try:
        number = int(text)
    except ValueError as error:
        return low < len(error.args) < high
    finally:
        print("checked", text)
    return low < number < high


def in_a_loop(texts):
    for text in texts:
        try:
            int(text)
        except ValueError as error:
            return 0 < len(error.args) < 2 <= len(texts)
        finally:
            print("seen", text)


print(between(0, "x", 2), between(1, "y", 2), between(0, "1", 2))
print(in_a_loop(["1", "z"]), in_a_loop(["z"]), in_a_loop([]))
