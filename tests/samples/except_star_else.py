# min: 3.11
def f(x):
    try:
        if x:
            raise ValueError(x)
    except* ValueError:
        print("caught")
    else:
        print("nothing")
    return x

print(f(0), f(1))
