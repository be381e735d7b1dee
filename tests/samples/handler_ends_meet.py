"""Several `break` or `continue` statements in handlers that have become one place."""


def poll(answers, log):
    while answers:
        try:
            raise KeyError(answers.pop())
        except KeyError as error:
            number = error.args[0]
            if number > 1:
                if number > 3:
                    if number > 5:
                        break
                    else:
                        continue
                if number == 3:
                    break
            log.append(number)


def documents(names, log):
    for name in names:
        try:
            found = int(name)
        except TypeError as error:
            continue
        except ValueError as error:
            if name == "skip":
                continue
            found = None
        log.append(found)


def look_up(keys, first, second):
    for key in keys:
        try:
            value = first[key]
        except KeyError:
            if second:
                try:
                    value = second[key]
                except KeyError:
                    continue
            else:
                continue
        return key + value


def attempts(tries, action, log):
    try:
        while tries:
            try:
                found = action(tries)
                break
            except ValueError:
                tries -= 1
        log.append(found)
    except Exception as error:
        log.append(type(error).__name__)


seen = []
poll([6, 1, 0], seen)
poll([3, 1], seen)
poll([0, 4, 2], seen)
documents(["1", None, "skip", "other"], seen)
print(look_up("abc", {"c": "1"}, {"b": "2"}), look_up("abc", {"c": "1"}, {}), look_up("a", {}, {}))
attempts(2, lambda n: 1 if n == 1 else int("a"), seen)
attempts(1, lambda n: int("a"), seen)
print(seen)
