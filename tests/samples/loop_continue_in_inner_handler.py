def run(steps):
    while True:
        try:
            steps.pop()()
        except KeyError:
            print("restart")
        except Exception as error:
            print("uncaught", type(error).__name__)
            try:
                steps.pop()()
            except KeyError:
                print("restart inside")
                continue
        if not steps:
            break
        print("again")


def key():
    raise KeyError


def other():
    raise ValueError


run([print])
run([print, key, other, other, key, print])
try:
    run([other, other])
except ValueError as error:
    print("left", error)
