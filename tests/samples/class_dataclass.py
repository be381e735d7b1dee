from dataclasses import dataclass, field

@dataclass
class D:
    x: int
    y: list = field(default_factory=list)
    z: str = "z"

print(D(1), D(1, [2]) == D(1, [2]))
