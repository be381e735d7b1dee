def f(x):
    try:
        x()
    except:
        print("failed")
    else:
        print("fine")

f(int)
f(1)
