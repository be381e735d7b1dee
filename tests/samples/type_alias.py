# min: 3.12
type Num = int | float
type Pair[T] = tuple[T, T]

class C:
    type Inner = list[C]

print(Num.__value__, Pair.__type_params__, Pair[int], C.Inner.__name__)
