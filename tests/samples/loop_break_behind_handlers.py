def first_header(values, lenient):
    found = None
    place = -1
    while True:
        try:
            place += 1
            found = int(values[place])
        except ValueError as error:
            if lenient:
                print("skipped", error)
                continue
        except IndexError as error:
            if lenient > 1:
                lenient -= 1
                place = -1
                continue
            elif place == 0:
                raise KeyError("empty") from None
        except TypeError:
            if place == 0:
                raise KeyError("first") from None
        except Exception as error:
            try:
                import zlib

                if isinstance(error, zlib.error):
                    raise KeyError(error) from None
                else:
                    raise error
            except ImportError:
                raise error
        break
    return found, place


for values in (["1"], ["x", "2"], [], ["x"], [None], ["x", None]):
    for lenient in (0, 1, 2):
        try:
            print(first_header(values, lenient))
        except Exception as error:
            print(type(error).__name__, error)
