"""Loop tests that end in a chained comparison with `or` in it, where a handler goes on too."""


def say(value):
    print("say", value)
    return value


def fail(value):
    if value:
        raise ValueError
    return value


def ways(go, k, c, t):
    count = 0
    while not say(go) or k == (c or k) <= t >= 1:
        go += 1
        count += 1
        try:
            fail(count % 2)
        except ValueError:
            k -= 1
            continue
        if count > 5:
            break
    else:
        say("else")
    return count


def goes_on(go, k, c, t):
    while not say(go) or k == (c or k) <= t:
        go += 1
        try:
            fail(k)
        except ValueError:
            k -= 1
            continue
        t -= 1
    return go


for numbers in ((0, 1, 0, 2), (1, 1, 1, 1), (0, 0, 0, 0), (1, 2, 3, 4), (0, 2, 0, 3)):
    print(ways(*numbers), goes_on(*numbers))
