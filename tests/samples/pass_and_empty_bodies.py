def f():
    pass

class C:
    pass

def g(x):
    if x:
        pass
    else:
        print("else")
    for i in x:
        pass
    while False:
        print("never")
    try:
        pass
    except ValueError:
        print("never")
    with __import__("contextlib").suppress():
        pass

print(f(), C.__name__, g([]), g([1]))
