class Table(dict):
    def __getitem__(self, index):
        return self.get(repr(index), 8)

    def __setitem__(self, index, value):
        self.update({repr(index): value})


def f(table, a, b):
    table[1, 2:] //= a if b else 4
    table[1:2] -= b and a
    table[a, 2:] += a if b else 4
    return table


print(f(Table(), 2, 1), f(Table(), 2, 0))
