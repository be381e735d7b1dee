class M:
    def __matmul__(self, o):
        return "matmul"
    def __imatmul__(self, o):
        return self

m = M()
print(m @ m)
n = m
n @= m
print(n is m)
