# min: 3.8
def f(y):
    a = [(last := x) for x in y if x]
    b = [w for x in y if (w := x + 1) > 1]
    return a, b, last, [total := 0, [total := total + x for x in y], total]

print(f([1, 2, 3]), [n := 1, [n := n + i for i in range(3)]], n)
