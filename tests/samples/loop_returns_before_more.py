def match(host, names, subjects, seen):
    for key, value in names:
        if key == "dns":
            if host is None and value in seen:
                return
            seen.append(value)
        elif key == "ip":
            if host is not None and value == host:
                return
            seen.append(value)
    if not seen:
        for subject in subjects:
            for value in subject:
                if value:
                    if value == host:
                        return
                    seen.append(value)
    if len(seen) > 1:
        raise KeyError(seen)


for host in (None, 1):
    for names in ([], [("dns", 2), ("dns", 2)], [("ip", 1)], [("ip", 3), ("x", 1)]):
        for subjects in ([], [[0, 1]], [[4, 5]]):
            seen = []
            try:
                print(match(host, names, subjects, seen), seen)
            except KeyError as error:
                print("many", error)
