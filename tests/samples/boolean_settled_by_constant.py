def conditions(o, t, u, v):
    found = []
    if (t and ((o or 2) and u)) or v:
        found.append(1)
    if o or 3:
        found.append(2)
    while (t or 1) and u:
        found.append(3)
        u = 0
    return found


def values(o, t, u, v):
    return [t or (u if (v or 1) else 1), ((o or 2) and u) or v]


def nothing(t, u, v):
    if t: pass
    if (t and u) or v: pass


for number in range(16):
    bits = [number >> place & 1 for place in range(4)]
    print(conditions(*bits), values(*bits), nothing(*bits[1:]))
