# min: 3.14
def f(a: int if Later else str, b: [x for x in Later], c: (lambda: Later), *d: *Later) -> Later or None:
    pass

class C[T]:
    x: T | None
    y: (Later, T) = ()
    def f[S](self, a: S, b: T) -> C: pass

class Later:
    pass

import annotationlib
print(annotationlib.get_annotations(C.f, format=annotationlib.Format.STRING), C().y)
