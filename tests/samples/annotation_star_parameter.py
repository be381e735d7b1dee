# min: 3.11
from typing import TypeVarTuple, Generic, Tuple

Ts = TypeVarTuple("Ts")

def f(*args: *Ts) -> Tuple[*Ts]:
    return args

print(f(1, "a"), f.__annotations__["args"])
