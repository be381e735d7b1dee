# min: 3.11
# reads: as written
# What ends the function stands in the column of the `finally` body: it is no `else`.


def cleaned(act):
    try:
        act()
    except* ValueError:
        raise KeyError
    finally:
        print("cleaned")


def named(act):
    try:
        act()
    except* ValueError as group:
        print(len(group.exceptions))
        raise
    finally:
        print("named")


def fails():
    raise ValueError("x")


for function in (cleaned, named):
    print(function(lambda: None))
    try:
        function(fails)
    except BaseException as error:
        print(type(error).__name__)
