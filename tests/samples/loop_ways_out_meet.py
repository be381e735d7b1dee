def take(action, argument, options):
    while True:
        if action is None:
            options.append(argument)
            return len(options)
        if argument is not None:
            if argument in options:
                argument = None
            elif argument > 3:
                stop = 1
                break
            else:
                raise KeyError(action)
        else:
            stop = 2
            break
    assert options
    return stop, options


for action in (None, "a"):
    for argument in (None, 2, 3, 4):
        try:
            print(take(action, argument, [2]))
        except KeyError as error:
            print("unknown", error)
