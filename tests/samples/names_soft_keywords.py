def match(case, type=1, _=2):
    return case, type, _

print(match(1), match(case=2))
case = [match]
print(case[0](3))
