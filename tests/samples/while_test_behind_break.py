"""The test of a `while` behind `if …: break`, when a `continue` asks it as well."""


def plain(lines, log):
    while lines:
        line = lines.pop()
        if line > 3:
            continue
        if line == 2:
            break
    return print("plain", lines, log, len(lines), len(log), lines + log, log + lines, sep=" ")


def two_tests(lines, log):
    while len(log) < 3 and lines:
        line = lines.pop()
        if line > 3:
            log.append(line)
            continue
        if line == 1:
            log.append("one")
        if line == 2:
            break
    return print("two", lines, log, len(lines), len(log), lines + log, log + lines, sep=" ")


def negated(lines, log):
    while not len(log) > 2:
        line = lines.pop()
        log.append(line)
        if line > 3:
            continue
        if line == 2:
            break
    log.append("end")
    return print("not", lines, log, len(lines), len(log), lines + log, log + lines, sep=" ")


for function in plain, two_tests, negated:
    function([2, 1, 5, 4], [])
    function([1, 2, 5], [])
