print([last := i for i in range(3)], last)


def find(values):
    global found
    return any((found := value) > 1 for value in values), [found := value for value in values]


print(find([1, 2, 3]), found)
