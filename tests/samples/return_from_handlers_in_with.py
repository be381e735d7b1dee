class Manager:
    def __enter__(self):
        print("enter")

    def __exit__(self, kind, value, traceback):
        print("exit", kind)


def check(parse, text):
    with Manager():
        try:
            parse(text)
        except ValueError:
            try:
                parse(text + "0")
                return None
            except ValueError as error:
                if "incomplete" in str(error):
                    return None
    return "parsed " + text


def parse(text):
    if text.startswith("?"):
        raise ValueError("incomplete")
    int(text)


print(check(parse, "1"), check(parse, ""), check(parse, "?"), check(parse, "x"))
