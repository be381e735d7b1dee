# min: 3.10
class Box:
    __kind = "box"

    def check(self, x):
        match x:
            case [__a, self.__kind]:
                return __a
            case {"k": __b, **__rest}:
                return __b, __rest
            case Box.__kind:
                return "kind"

print(Box().check([1, "box"]), Box().check({"k": 2, "l": 3}), Box().check("box"))
