def tables(first, second):
    names = [
        "the first of many names that are long",
        first,
        "the second of many names that are long",
        second,
        "the third of many names that are long",
    ]
    ranks = {
        "the first of many names that are long": [first, {"nested": first}],
        "the second of many names that are long": second,
        "the third of many names that are long": names,
        **{name: len(name) for name in names if isinstance(name, str)},
        f"{ {'the first of many long names': first, 'the second of them': 2, 'third': 3, 'last': 4} }": 5,
    }
    return names, ranks, {first, second, "a third value that is long", "a fourth value that is long", 5}


print([sorted(map(str, part)) for part in tables(1, 2)])
