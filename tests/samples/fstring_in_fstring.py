"""An f-string whose text has quotes, in a field of another one."""


def quoted(x):
    return f"""{f"'{x}'"}"""


def option(x):
    return f"""Can't do {x}, such as {f"Load({x}).some('*')"}."""


def texts(x):
    return f"it's {x}", f'say "{x}"', f"""it's "{x}\"""", f"'{x['a']}'", f'''{x}"{x}\'''', f"{x}'''"


def both(x):
    return f'''{x['a']}"{x["a"]}"'{x}''', f"{x['a']:'>{x['a']}}"


print(quoted(1), option(2))
print(texts({"a": 3}))
print(both({"a": 4}))
