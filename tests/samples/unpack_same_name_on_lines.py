"""One name several times in a row, on lines of its own: compilers keep all stores."""


def assigned(x):
    (a,
     _,
     _) = x
    return a, _


def on_one_line(x):
    a, _, _ = x
    return a, _


def looped(x):
    for (a,
         _,
         _,
         b) in x:
        print(a, b)
    return _


def nested(x):
    ((a,
      _,
      _), b, _, _) = x
    return a, b, _


def collected(x):
    return [a for (a,
                   _,
                   _) in x]


print(assigned((1, 2, 3)), on_one_line((1, 2, 3)), looped([(1, 2, 3, 4)]))
print(nested(((1, 2, 3), 4, 5, 6)), collected([(1, 2, 3)]))
