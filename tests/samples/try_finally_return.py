def f(x):
    try:
        if x:
            return "try"
    finally:
        print("finally", x)
    return "after"

def g(x):
    try:
        return x
    finally:
        x = 5

def h():
    try:
        return 1
    finally:
        return 2

print(f(0), f(1), g(3), h())
