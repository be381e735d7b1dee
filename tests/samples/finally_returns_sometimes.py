def falls(step, leave):
    try:
        step()
    finally:
        print("finally")
        if leave:
            return str(leave)


def returns(step, leave):
    try:
        return step()
    finally:
        print("finally")
        if leave:
            return str(leave)


def handles(step, leave):
    for _round in range(2):
        try:
            step()
        except TypeError:
            print("type")
            raise
        finally:
            if leave == 1:
                return leave
            elif leave == 2:
                return str(leave)
    return "end"


def wrong():
    raise TypeError


for function in (falls, returns, handles):
    for step in (wrong, list):
        for leave in (0, 1, 2):
            try:
                print(function(step, leave))
            except TypeError:
                print("raised")
