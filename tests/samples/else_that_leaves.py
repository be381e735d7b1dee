"""What follows an `if` whose `else` leaves."""


def before_more_returns(a, b, c, d, e):
    if a and b:
        a = 1
    else:
        return False
    if c or d:
        return False
    if not c:
        return a
    else:
        return b


def inside_another(a, b):
    if a:
        if b:
            print(1)
        else:
            raise ValueError
        print(3)
    else:
        raise TypeError
    print(2)
    return 1


def in_a_loop(a, b):
    for x in a:
        if b:
            print(x)
        else:
            return 2
        print(4)
    print(5)


def behind_elif(a, b):
    if a:
        x = 1
    elif b:
        x = 2
    else:
        raise ValueError
    return x


def behind_with(a, b):
    if a:
        with b:
            x = 1
    else:
        raise ValueError
    print(x)
    return x


def behind_try(a, b):
    if a:
        try:
            x = 1
        except E:
            x = 2
    else:
        raise ValueError
    print(x)
    return x


def in_a_loop_of_one_round(a, b):
    while True:
        if a:
            x = 1
            break
        else:
            return 2
    print(x)


def says_nothing(a, b):
    if a:
        return 1
    else:
        print(b)
    print(a)


def behind_another_if(a, b):
    if a:
        if b:
            return 1
    else:
        return 2
    print(3)


def behind_a_loop(a, b):
    if a:
        while b:
            b()
    else:
        return 2
    print(3)
