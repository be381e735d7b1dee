import contextlib

def f(items):
    found = []
    with contextlib.nullcontext():
        for item in items:
            if item is not None:
                found.append(item)
    try:
        for item in items:
            if item or found:
                found.append(-1)
    except TypeError:
        found = None
    finally:
        for item in items:
            if item:
                found.append(item)
    return found

print(f([1, None, 2]), f([]))
