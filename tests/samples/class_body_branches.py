# min: 3.8
class C:
    if len("a") == 1:
        def f(self):
            self.x = 1
            return __class__
    else:
        y = 2

class D:
    for i in range(2):
        if i:
            z = i

print(C().f(), D.z)
