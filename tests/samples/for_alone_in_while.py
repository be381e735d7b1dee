"""A `for` that never comes round, alone in the loop around it or the way out of it."""


def until_nothing(queue, log):
    while True:
        for item in queue.copy():
            log.append(item)
            queue.remove(item)
            break
        else:
            break
    return log


def first_of_each(groups, log):
    while groups:
        for item in groups.pop():
            log.append(item)
            break
        else:
            break
    if log:
        return log[-1]
    return None


def search(options, log):
    searching = True
    while searching:
        for option in options:
            if option[0] < 3:
                log.append(option[0])
                options = option[1]
                break
            else:
                searching = False
                break
        else:
            break
    if not log:
        raise ValueError(options, log, searching)
    return options


def first_of_all(groups, log, found=None):
    for group in groups:
        for item in group:
            found = item * 2
            break
        else:
            continue
        break
    return print("found", found, [log.append(found), len(log), len(groups)], sep=" ")


def or_raise(groups, log):
    while groups:
        for item in groups.pop():
            if item > 4:
                raise ValueError(item)
            break
        else:
            continue
        break
    log.append("left")


seen = []
print(until_nothing([1, 2, 3], seen))
print(first_of_each([[], [1], [2, 3]], seen))
print(search([(1, [(2, []), (4, [])])], seen), search([(1, [(4, [])])], seen))
first_of_all([[], [3, 4], [5]], seen)
first_of_all([[], []], seen)
or_raise([[1], []], seen)
print(seen)
