# reads: as written
"""`continue` at the end of an arm or a clause, where an `else` would do the same, and such an `else`."""


def arms(groups, found):
    for group in groups:
        if not group:
            found.append(group)
            continue
        group.sort()
        for item in group:
            found.append(item)
    return found


def with_else(groups, found):
    for group in groups:
        if not group:
            found.append(group)
        else:
            group.sort()
            for item in group:
                found.append(item)
    return found


def clauses(texts, found):
    for text in texts:
        try:
            number = int(text)
        except ValueError as error:
            found.append(len(error.args))
            continue
        except TypeError:
            continue
        if number:
            found.append(number)
        found.append(text)
    return found


def clauses_with_else(texts, found):
    for text in texts:
        try:
            number = int(text)
        except ValueError:
            found.append("wrong")
        else:
            if number:
                found.append(number)
            found.append(text)
    return found


def last_break(lines, found):
    while lines:
        found.append(0)
        while True:
            line = lines.pop()
            found.append(line)
            if not line.strip():
                break
        if not found:
            found.append("never")
        print(len(found))
    return found


def nested_clause(run, found):
    while True:
        try:
            run()
        except BaseException as error:
            try:
                found.append(len(error.args))
                found.remove(1)
            except ValueError:
                print("again")
                continue
        if not found:
            return found
        found.pop()


def one_continue(texts, found):
    for text in texts:
        try:
            number = int(text)
        except ValueError:
            if text:
                found.append(text)
            continue
        found.append(number)
    return found


print(nested_clause([1, 2].pop, [0]), one_continue(["1", "x", ""], []))
print(arms([[2, 1], []], []), with_else([[2, 1], []], []))
print(clauses(["1", "x", None, "0"], []), clauses_with_else(["1", "x", "0"], []))
print(last_break(["", "a", " ", "b"], []))
