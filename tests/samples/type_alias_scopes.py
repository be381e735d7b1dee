# min: 3.12
def f(n):
    type Local = list[n]
    type Generic[T, *Ts, **P] = tuple[T, *Ts]
    return Local.__value__, Generic.__type_params__

class C:
    T = int
    type Own = list[T]
    type Nothing = None
    type Pair = (int, str)
    type Choice = int if T else str

print(f(int), C.Own.__value__, C.Nothing.__value__, C.Pair.__value__, C.Choice.__value__)
