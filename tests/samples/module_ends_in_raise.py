"""Modules and classes whose last statement goes on in one arm and raises in another."""

for choice in range(3):

    class Arms:
        if choice == 0:
            print("first")
        elif choice == 1:
            print("second")
        else:
            print("third")

    try:

        class Raises:
            if choice:
                print(choice)
            else:
                raise KeyError(choice)

    except KeyError as error:
        print(repr(error))

    try:

        class Searches:
            for each in range(choice):
                if each:
                    print("found")
                    break
            else:
                raise KeyError(choice)

    except KeyError as error:
        print(repr(error))

if choice:
    from math import pi
if choice == 2:
    print(pi)
else:
    raise KeyError(choice)
