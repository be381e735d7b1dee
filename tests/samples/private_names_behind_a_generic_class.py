# min: 3.12
class Generic[T]:
    def method(self, value: T) -> T:
        return value


type __Private = int | str


def __function():
    return __function.__name__


class __Class:
    __value = 1

    def __method(self):
        return self.__value


__variable = 1
x = [__variable, __function, __Class, __Private]
