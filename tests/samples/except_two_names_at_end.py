def f(action):
    try:
        action()
    except KeyError as e:
        print("key", e)
    except TypeError as e:
        print("type", e)

f(lambda: {}[1])
f(lambda: 1 + "a")
