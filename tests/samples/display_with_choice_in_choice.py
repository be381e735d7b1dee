"""A display in an arm of a conditional expression, with a choice of its own inside."""


def mapping(a, b):
    return {"x": 1, **({"a": b[0] if b else 0, "b": a} if a else {})}


def stored(a, b):
    y = {"x": 1, **({"a": b[0] if b else 0, "b": a} if a else {})}
    return y


def items(a, b):
    return [1, *([b[0] if b else 0, a] if a else [])]


def nested(a, b):
    return {"x": 1, "y": {"a": b[0] if b else 0, "b": a} if a else {}}


def either(a, b):
    return {"x": 1, **({"a": b or a, "b": a} if a else {})}


for function in mapping, stored, items, nested, either:
    print(function(0, []), function(1, []), function(1, [2]))
