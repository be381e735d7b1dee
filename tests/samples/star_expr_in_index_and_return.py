# min: 3.11
class S:
    def __getitem__(self, i):
        return i

def f(xs):
    return *xs, 0

s = S()
xs = (1, 2)
print(s[*xs], s[0, *xs], f(xs))
for x in *xs, 3:
    print(x)
