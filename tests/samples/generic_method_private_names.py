# min: 3.12
class C:
    __secret = 3

    def f[__T](self, x: __T = __secret) -> __T:
        return x, self.__secret

    type __Alias[__S] = list[__S]
    alias = __Alias

print(C().f(), C.f.__type_params__, C.alias.__name__)
