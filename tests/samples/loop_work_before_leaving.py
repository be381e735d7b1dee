def describe(chains):
    for chain in chains:
        for base in chain:
            if base is None:
                continue
            elif isinstance(base, str):
                return base.upper()
            elif base:
                if base > 1 and base % 2:
                    return "odd", base
                else:
                    return "other", base
    return "nothing"


def unify(states):
    changes = True
    while changes:
        changes = False
        for i, one in enumerate(states):
            for j in range(i + 1, len(states)):
                two = states[j]
                if one == two:
                    del states[j]
                    for state in states:
                        print(state, end=" ")
                    changes = True
                    break
    return states


def run(callback):
    try:
        callback()
    except KeyError:
        raise
    except Exception as error:
        print(type(error).__name__)
    callback = None


print(describe([[None, "a"]]), describe([[0], [3]]), describe([[2]]), describe([[]]))
print(unify([1, 2, 1, 3, 2]), run(lambda: 1 / 0), run(print))
