def f(xs, a, b, c):
    r = xs[a:b], xs[:b], xs[a:], xs[:], xs[a:b:c], xs[::-1], xs[::c]
    xs[a:b] = "zz"
    xs[:1] = []
    return r, xs

class S:
    def __getitem__(self, i):
        return i

s = S()
print(f(list(range(8)), 1, 6, 2), s[1:2, ::3], s[..., 1], s[()], s[1, 2], s[None:None])
