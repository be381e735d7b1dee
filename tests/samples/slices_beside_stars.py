# min: 3.11
"""Subscripts that mix slices and stars."""


class Shown:
    def __getitem__(self, index):
        print("get", index)
        return 0

    def __setitem__(self, index, value):
        print("set", index, value)

    def __delitem__(self, index):
        print("delete", index)


def use(a, i):
    a[0, :, *i, :]
    a[*i, 1:2]
    a[*i]
    a[:, *i, ::2, i]
    a[1:2:None, *i]
    a[0, :, *i] = 1
    a[*i, :] += 1
    del a[:, *i]


use(Shown(), (1, 2))
