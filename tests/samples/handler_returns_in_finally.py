def result(future, wait):
    try:
        try:
            wait()
        except KeyError:
            if future:
                return future.pop()
            else:
                print("none")
                raise
        if future:
            return future.pop()
        else:
            try:
                return future.pop()
            except IndexError as error:
                raise ValueError("empty") from error
    finally:
        print("finally", future)


def missing():
    return {}["key"]


for values, wait in (([1], print), ([2], missing), ([], print), ([], missing)):
    try:
        print(result(values, wait))
    except Exception as error:
        print(type(error).__name__, error)
