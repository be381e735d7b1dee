# min: 3.10
def f(x):
    match x:
        case "":
            return "empty"
        case "a" "b":
            return "ab"
        case b"bytes":
            return "bytes"
        case "it's" | 'say "so"' | "line\nbreak" | "\0":
            return "quoted"

print([f(x) for x in ("", "ab", b"bytes", "it's", 'say "so"', "line\nbreak", "\0", "?")])
