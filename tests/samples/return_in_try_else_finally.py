def read(self, data=None):
    taken = None
    try:
        if self.get("lost"):
            return
        if data is not None:
            first = data[0]
            if self.get("closing"):
                taken = 0
                return
            taken = first
        if self.get("paused"):
            return
        if self.get("address") is not None:
            self["next"] = 1
        else:
            self["next"] = 2
    except IndexError as error:
        print(error)
    except TypeError:
        if not self.get("closing"):
            raise
    else:
        if self["next"] is not None:
            print("next", self["next"])
    finally:
        if taken:
            print("taken", taken)


for state in ({}, {"lost": 1}, {"closing": 1}, {"paused": 1}, {"address": 1}):
    for data in (None, [], [7], [8, 9], 5):
        try:
            print(read(state, data))
        except TypeError as error:
            print(error)
