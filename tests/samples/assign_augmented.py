class O:
    pass

g = 1

def f():
    global g
    a = 5
    a += 1; a -= 2; a *= 3; a //= 2; a **= 2; a %= 7; a <<= 3; a >>= 1; a |= 1; a &= 7; a ^= 2
    b = 7.0
    b /= 2
    o = O()
    o.x = [1]
    o.x += [2]
    d = {"k": {"j": 1}}
    d["k"]["j"] += 10
    xs = [1, 2, 3, 4]
    xs[1:3] *= 2
    xs[0] -= 1
    g += 1
    return a, b, o.x, d, xs, g

print(f())
