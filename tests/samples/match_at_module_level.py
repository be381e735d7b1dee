# min: 3.10
for command in ("go north", "look", "drop a b", "", "sing"):
    match command.split():
        case ["go", direction]:
            print("going", direction)
        case ["look"]:
            print("looking")
        case ["drop", *objects]:
            print("dropping", objects)
        case []:
            pass
        case _:
            print("what?")

match (1, 2):
    case (a, b):
        print(a, b)

class C:
    match 3:
        case int(n):
            field = n
        case _:
            field = None

print(C.field)
