# min: 3.10
# reads: as written
"""A guard on a pattern that always matches, in one of the last cases."""


def before_default(x, limit):
    match x:
        case 1:
            print("one")
        case y if y > limit:
            print("more", y)
        case _:
            print("less")


def last(x, limit):
    match x:
        case 1:
            return "one"
        case y if not y > limit:
            return "less"


def with_more_behind(x, limit):
    match x:
        case [1, *rest]:
            print(rest)
        case (2 | 3) as y if y:
            print("two or three", y)
        case y if limit and y or not limit:
            print("any", y)
    print("behind")


def condition_in_body(x, limit):
    match x:
        case 1:
            print("one")
        case y:
            if y > limit:
                print("more", y)


def in_loop(values, limit):
    for x in values:
        match x:
            case 1:
                print("one")
            case y if 0 < y < limit:
                break
        print("next")


for x in (1, 2, 3, 5):
    for limit in (0, 3):
        print(before_default(x, limit), last(x, limit), condition_in_body(x, limit))
        with_more_behind(x, limit)
        in_loop([1, x, x - 2], limit)
with_more_behind([1, 2], 0)
