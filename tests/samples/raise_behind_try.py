def receive(message, items):
    try:
        if len(items) != 1:
            raise RuntimeError("received %d items" % len(items))
        level, kind = items[0]
        if level == 1 and kind == 2:
            if message % 2 != 0:
                raise ValueError
            return list(items)
    except (ValueError, IndexError):
        pass
    raise KeyError("invalid data")


for message, items in ((0, [(1, 2)]), (1, [(1, 2)]), (0, [(1, 3)]), (0, [(2, 2)]), (0, []), (0, ["x"])):
    try:
        print(receive(message, items))
    except Exception as error:
        print(type(error).__name__, error)
