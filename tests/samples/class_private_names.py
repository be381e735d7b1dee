class C:
    __secret = 1
    def __init__(self):
        self.__x = 2
    def get(self):
        __local = 3
        return self.__x + C.__secret + __local
    def __m(self):
        return "m"
    def call(self):
        return self.__m()

print(C().get(), C().call(), sorted(k for k in vars(C) if "secret" in k))
