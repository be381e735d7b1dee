def f(name, x, w):
    return (
        f"hello {name!r} {name!s:>10} {x:.2f} {x:{w}.{w - 6}f} {{literal}} {x + 1}",
        f"{name}", f"{name!a}", f"{'nested ' + f'{x}'}", f"", f"{x=}", f"a" f"b{name}" "c",
    )

print(f("wörld", 3.14159, 10))
