"""`**{...}` in calls, displays and classes is not the same as plain keywords."""


def show(*args, **kwargs):
    return args, kwargs


def calls(a, b):
    return (
        show(**{"config": a, "off": b}),
        show(a, **{"config": a, "off": b}),
        show(*b, **{"config": a}),
        show(*b, config=1),
        show(a, config=1, **{"off": 2}),
        show(**a, **{"off": 2}),
        show(**{"off": 2}, **a),
        show(**{"off": 2}, config=1),
        show(**a, config=1),
        show(**{}),
        show(a, **{}),
        show(**{"no name": 1}),
        show(a, **{"no name": a}, name=2),
    )


def many(a, b):
    return show(
        k0=0,
        k1=1,
        k2=2,
        k3=3,
        k4=4,
        k5=5,
        k6=6,
        k7=7,
        k8=8,
        k9=9,
        k10=10,
        k11=11,
        k12=12,
        k13=13,
        k14=14,
        k15=15,
        k16=16,
        last=a if b else 3,
        **a,
    )


def displays(a, b):
    return {**{"a": 1}}, {**{"a": b}, "c": 3}, {**{}}, {"b": 1, **{"a": 1}}, {**a, "x": 1, **a}


class Base:
    def __init_subclass__(cls, **kwargs):
        print(kwargs)


def classes(a):
    class First(Base, **{"x": 1}):
        pass

    class Second(*a, **{"x": 1}, y=2):
        pass

    return First.__name__, Second.__name__


print(calls({"key": 1}, [1, 2]))
print(many({"key": 1}, 0), many({}, 1))
print(displays({"key": 1}, 2))
print(classes((Base,)))
