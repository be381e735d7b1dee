# min: 3.8
"""Loops whose first operation is that of a loop around them, and loops with nothing in them."""


def forever():
    while True:
        pass


def again_and_again(h):
    while True:
        while True:
            continue
    h()


def a_test_first(steps, total):
    while True:
        while steps:
            if steps.pop():
                total += 1
            elif total > 2:
                break
        total += 10
        if total > 30:
            return total


def nothing_else_behind(steps, seen):
    while True:
        while steps:
            step = steps.pop()
            if step == 1:
                continue
            seen.append(step)
        seen += [0]
        if len(seen) > 5:
            break
    for each in seen:
        steps.append(each)
    return steps


def in_a_loop_with_a_test(steps, seen):
    while len(seen) < 6:
        while steps:
            if steps.pop() == 2:
                break
            seen.append(1)
        seen.append(2)
    return seen


def handlers_that_go_on(steps, seen):
    while steps:
        try:
            seen.append(10 // steps.pop())
        except ZeroDivisionError:
            continue
        seen.append(1)
    return seen


found = [
    a_test_first([0, 1, 0, 1, 1], 0),
    nothing_else_behind([1, 2, 1, 3], []),
    in_a_loop_with_a_test([1, 2, 3], []),
    handlers_that_go_on([1, 0, 5, 0], []),
]
