# min: 3.11
def then_break(errors):
    for error in errors:
        try:
            raise error
        except* ValueError:
            print("value")
        break
    else:
        print("none")


def then_continue(errors, kind):
    for error in errors:
        match kind:
            case str():
                try:
                    raise error
                except* ValueError:
                    print("value")
                continue
            case {**rest}:
                print(rest)
        print("behind")


def else_continue(calls):
    for call in calls:
        try:
            call()
        except* ValueError:
            print("value")
        except* TypeError:
            print("type")
        else:
            continue
        break
    else:
        print("all")


then_break([ValueError(), 1])
then_break([])
then_continue([ValueError(), ValueError()], "text")
then_continue([1], {1: 2})
else_continue([str, int])
else_continue([str, lambda: int("x"), str])
else_continue([lambda: len(1), print])
