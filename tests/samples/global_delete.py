value = 3

def f():
    global value
    del value

f()
print("value" in globals())
