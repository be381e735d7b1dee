"""A `with` inside a `finally` body that ends with `continue`: whose exception is popped where."""
import contextlib


@contextlib.contextmanager
def noted(name):
    print("enter", name)
    yield name
    print("leave", name)


def rounds(answers):
    while answers.pop():
        try:
            1 / answers[0]
        finally:
            with noted("a") as first, noted("b") as second:
                print(first, second)
            continue
    return answers


def one_round(answers):
    for answer in answers:
        try:
            1 / answer
        finally:
            with noted(answer):
                pass
            break
    return answers


print(rounds([0, 1, 1]), rounds([2, 0, 1]), one_round([0]), one_round([1]))
