# min: 3.10
def f(x):
    match x:
        case -1:
            return "minus one"
        case -2.5:
            return "minus two and a half"
        case 1 + 2j:
            return "complex"
        case -3 - 4j:
            return "negative complex"
        case 5j | -6j:
            return "imaginary"
        case 0xFFFF_FFFF_FFFF:
            return "large"

print([f(x) for x in (-1, -2.5, 1 + 2j, -3 - 4j, 5j, -6j, 281474976710655, 7)])
