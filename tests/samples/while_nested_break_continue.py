def f():
    out = []
    i = 0
    while i < 4:
        i += 1
        j = 0
        while True:
            j += 1
            if j == i:
                break
            if j % 2:
                continue
            out.append((i, j))
        else:
            out.append("never")
        if i == 3:
            continue
        out.append(i)
    return out

print(f())
