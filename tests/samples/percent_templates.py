# reads: as written
# min: 3.11
"""Templates before `%` that the compiler makes f-strings of, and f-strings."""


def texts(a, b, width):
    yield '%s=%s' % (a, b)
    yield '%s and %r, 100%%, %a {}' % (a, b, width)
    yield f'{a!r} {b!r}'
    yield f'{a!s:>{width!s}{b!s}} {b}'
    yield ('%s %s' % (a, b)).upper() + '%s-%s' % (b, a) * 2
    yield f'{a!s}'
    yield '%-8s|%5r|%.1s|%3.2s' % (a, b, a, a)
    yield '%200s %s' % (a, b)
    yield f'{a!r:>5} {b!r}'


def nothing(a):
    if a:
        return None
    return '%s%s' % (a, nothing(not a))


print(list(texts('x', 3, 1)), nothing(0))
