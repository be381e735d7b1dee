def f(a, b):
    return (-a, +a, ~a, not a, a + b, a - b, a * b, a / b, a // b, a % b, a ** b, a << b, a >> b, a & b, a | b, a ^ b)

def precedence(a, b, c):
    return (a + b) * c, a + b * c, -a ** b, (-a) ** b, a ** -b, a ** b ** c, (a ** b) ** c, a - (b - c), a - b - c, not a == b, (not a) == b, ~(a + b), a << b + c, (a << b) + c, a & b | c, a & (b | c)

print(f(7, 2), precedence(2, 3, 1))
