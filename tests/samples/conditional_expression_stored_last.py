class Holder:
    def attribute(self, r):
        self.found = str(r) if r > 0 else repr(self.low)

    def constant(self, r):
        self.found = [r] if r else None

    def lines(self, r):
        self.found = (
            sorted([r, 1])
            if r > 1
            else None
        )

    def item(self, r):
        self.items[0] = r + 1 if r else None

    low = -1


def written_as_statements(holder, r):
    if r:
        holder.found = 1
    else:
        holder.found = 2


holder = Holder()
holder.items = [0]
for number in (0, 1, 2):
    for method in (holder.attribute, holder.constant, holder.lines, holder.item):
        method(number)
        print(holder.found, holder.items)
    written_as_statements(holder, number)
    print(holder.found)
