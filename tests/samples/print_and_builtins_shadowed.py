def f(list, str=3):
    slice = list[1:2]
    print = lambda *a: a
    return print(slice, str)

print(f([1, 2, 3]))
