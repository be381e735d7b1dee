"""What a `break` does before it leaves, when what follows the loop comes from nowhere else."""


def answer(messages, formats):
    while True:
        message = messages.pop()
        if not message:
            continue
        if message > 5:
            found = message
            break
        elif message > 3:
            raise ValueError(message)
        elif message > 2:
            print("ignored", message)
    for each in formats:
        print(each, found)


def branches(node, log):
    while True:
        for each in node:
            log.append(each)
        if len(log) > 8:
            break
        elif len(node) == 1:
            node = node * 2
        else:
            log.append("else")
            break
    merged = sorted(log, key=str)
    print(merged, len(merged), merged[0], merged[-1], node, len(node))


answer([7, 0, 3, 1], "ab")
branches([1], [])
branches([1, 2], [])
branches([1, 2], [0] * 7)
