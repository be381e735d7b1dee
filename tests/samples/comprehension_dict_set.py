def f(d):
    return {v: k for k, v in d.items()}, sorted({len(k) for k in d}), {k: {v: [v]} for k, v in d.items() if v}

print(f({"a": 1, "bb": 2, "cc": 0}))
