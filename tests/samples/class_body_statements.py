class C:
    xs = []
    for i in range(3):
        if i == 1:
            continue
        xs.append(i)
    try:
        y = 1 / 0
    except ZeroDivisionError:
        y = "zero"
    if xs:
        def m(self):
            return self.xs
    else:
        m = None
    del i
    with open(__file__) if False else __import__("contextlib").suppress() as s:
        z = 3

print(C().m(), C.y, C.z, hasattr(C, "i"))
