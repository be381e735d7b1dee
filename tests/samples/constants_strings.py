def f():
    return ("", "it's", 'say "hi"', "both ' and \"", "tab\tnl\n\\", "\x00\x7f\u20ac\U0001f600", "\ud800", b"bytes\x00\xff'\"", """multi
line""", "a" * 3, "{}", "%s")

print([ascii(x) for x in f()])
