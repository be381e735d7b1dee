"""A bare `except` that leaves at once, in its own line, at the end of a function or a round."""


def at_the_end(f):
    try:
        print(f())
    except: pass


def continues(items):
    for item in items:
        try:
            print(1 // item)
        except: continue


def passes(items):
    while items:
        try:
            print(1 // items.pop())
        except: pass


def breaks(items):
    for item in items:
        try:
            print(1 // item)
        except: break


def returns(items):
    for item in items:
        try:
            print(1 // item)
        except: return


at_the_end(int)
at_the_end(1)
for function in (continues, passes, breaks, returns):
    function([1, 0, 2])
try:
    at_the_end()
except: pass
