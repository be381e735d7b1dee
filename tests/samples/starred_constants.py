"""Stars before constants and tuples, and sets that name an item twice."""


def show(*args, **kwargs):
    print(args, kwargs)
    return args


def calls(a, k):
    show(*(a,))
    show(*(1, 2))
    show(*(a, 1), **{"x": 1})
    show(1, *(a,))
    show(1, *k, *(1, 2), *k)
    show(*())
    show(*(a, 2), x=1)
    show(1, *[a], **{})
    show(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
         25, 26, 27, 28, 29, 30, 31, 32)  # fmt: skip
    show(a, b=1, c=2, d=3, e=4, f=5, g=6, h=7, i=8, j=9, k=10, l=11, m=12, n=13, o=14, p=15, q=16)


def displays(a):
    print([1, *a, *(1, 2), *a], [*(1, 2)], [*(1, 2, 3)], (*a, *(1, 2)), (*(1, 2), *a))
    print(sorted({1, *(1, 2, 3), *a}), sorted({1, 2, 2, 1}), {3, 3, 3}, [*[1, a], *a])
    return (lambda b: show(1, *b, *(1, 2), *b))(a)


def keywords(d, s, t):
    show(**d, **{"%s_id" % s: 1, "%s_id" % t: 2})
    show(**d, **{"a": 1, s: 2})
    show(**{s: 1, t: 2}, **d)
    show(a=1, **{s: 1, t: 2})
    show(**{s: 1}, **{t: 2})
    show(**{"a": 1}, b=2)


calls(7, [8, 9])
keywords({"d": 0}, "s", "t")
displays([4, 5])
