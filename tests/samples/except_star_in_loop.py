# min: 3.11
def f(groups):
    out = []
    for group in groups:
        try:
            if group is None:
                continue
            if group == "stop":
                break
            raise group
        except* ValueError as e:
            for each in e.exceptions:
                if each.args:
                    out.append(each.args[0])
                else:
                    out.append("empty")
        except* TypeError:
            pass
        out.append("next")
    else:
        out.append("else")
    return out

print(f([ExceptionGroup("a", [ValueError(1), ValueError()]), None, ExceptionGroup("b", [TypeError()])]))
print(f([ValueError(5), "stop", TypeError()]))
