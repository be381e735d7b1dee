# min: 3.8
# The function that evaluates them is out of reach: nothing is left of what they say.
def leaves(t):
    class C:
        a = t
        if t:
            c: int = 1
            d: str
        raise ValueError

        def method(self):
            return __class__


for value in (0, 1):
    try:
        leaves(value)
    except ValueError:
        print("left", value)
