# Frames in the style of Dynamo's bytecode; the docstring is the text they are to come out as.
# It is removed below: a frame has none.


import contextlib
import sys


class _Calls:
    def __init__(self, name):
        self.name = name

    def __call__(self, *args, **kwargs):
        calls.append((self.name, repr(args), repr(kwargs)))
        return (len(calls) % 2, self.name)

    def __getattr__(self, name):
        if name.startswith("record_pregraph_bytecode"):
            # Timing: calls of these nobody can tell.
            return lambda *args: None
        if name == "_is_profiler_enabled":
            return len(calls) % 2 == 0
        calls.append((self.name, "looks up", name))
        return _Calls(self.name + "." + name)


calls = []
guarding = contextlib.nullcontext
__compiled_fn_1_0a1b2c = _Calls("graph")
__resume_at_10_2 = _Calls("resume 2")
__resume_at_20_3 = _Calls("resume 3")
__import_torch_dot__dynamo_dot_utils = _Calls("utils")
__import_torch_dot_autograd_dot_profiler = _Calls("profiler")
torch = _Calls("torch")


def frame_branch(a, b):
    tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
    graph_out_0 = __compiled_fn_1_0a1b2c(a, b)
    frames = [[graph_out_0[1], b]]
    condition = graph_out_0[0]
    del graph_out_0
    if condition:
        frames[0][0:0] = []
        values = frames[0]
        values[0:] = [values[1], values[0]]
        rest = [frames[-1]]
        del frames[-1]
        return __resume_at_10_2(*[[], frames, *rest[-1]])
    values = frames[0]
    rest = [values[1], values[0]]
    del frames[-1]
    return __resume_at_20_3(*[[], frames, *rest])


frame_branch.__doc__ = """
def frame(a, b):
    graph_out_0 = __compiled_fn_1(a, b)
    if graph_out_0[0]:
        return __resume_at_10_2([], [], b, graph_out_0[1])
    return __resume_at_20_3([], [], b, graph_out_0[1])
"""


def frame_profiled(a, b):
    tmp_1 = None
    if __import_torch_dot_autograd_dot_profiler._is_profiler_enabled:
        tmp_1 = __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_enter()
    if tmp_1 is not None:
        __import_torch_dot__dynamo_dot_utils.record_pregraph_bytecode_exit(tmp_1)
    graph_out_0 = __compiled_fn_1_0a1b2c(a, b)
    return graph_out_0[0]


frame_profiled.__doc__ = """
def frame(a, b):
    graph_out_0 = __compiled_fn_1(a, b)
    return graph_out_0[0]
"""


def frame_lives_on(a, b):
    graph_out_0 = __compiled_fn_1_0a1b2c(a)
    values = [graph_out_0[1], a]
    del graph_out_0
    stack0 = torch.ops(b)
    return __resume_at_10_2([], [], stack0, *values)


# The graph's results are given up before the call that may take long.
frame_lives_on.__doc__ = """
def frame(a, b):
    __temp_0 = __compiled_fn_1(a)[1]
    stack0 = torch.ops(b)
    return __resume_at_10_2([], [], stack0, __temp_0, a)
"""


def frame_hands_over(a, b):
    graph_out_0 = __compiled_fn_1_0a1b2c(a)
    frames = [[graph_out_0[0], graph_out_0[1]]]
    del graph_out_0
    stack0 = torch.ops(b)
    frames[0][0:0] = [stack0]
    del stack0
    values = frames[0]
    del frames[-1]
    return __resume_at_10_2(*[[], frames, values])


# A continuation empties the list that it gets: nothing else may hold what is in it.
frame_hands_over.__doc__ = """
def frame(a, b):
    graph_out_0 = __compiled_fn_1(a)
    __temp_0 = graph_out_0[0]
    __temp_1 = graph_out_0[1]
    del graph_out_0
    __temp_2 = [torch.ops(b), __temp_0, __temp_1]
    del __temp_0
    del __temp_1
    return __resume_at_10_2([], [], __temp_2)
"""


def frame_reads_once(a, b):
    graph_out_0 = __compiled_fn_1_0a1b2c(a)
    torch.keep = graph_out_0[0]
    values = [graph_out_0[1]]
    del graph_out_0
    return __resume_at_10_2(*values)


# One of the graph's results is handed on, the other must not live as long.
frame_reads_once.__doc__ = """
def frame(a, b):
    graph_out_0 = __compiled_fn_1(a)
    torch.keep = graph_out_0[0]
    __temp_0 = graph_out_0[1]
    del graph_out_0
    return __resume_at_10_2(__temp_0)
"""


def frame_order(a, b):
    update = torch.update
    packed = [b[0], a]
    b.clear()
    return update(*packed)


# What was looked up and read first stays first.
frame_order.__doc__ = """
def frame(a, b):
    update = torch.update
    __temp_0 = b[0]
    b.clear()
    return update(__temp_0, a)
"""


def frame_shares(a, b):
    inner = [a]
    outer = [inner, inner]
    torch.keep(outer)
    inner[0] = b
    return outer[1]


# A list that others know is one object, however often it is mentioned.
frame_shares.__doc__ = """
def frame(a, b):
    __temp_0 = torch.keep
    __temp_1 = [a]
    __temp_2 = [__temp_1, __temp_1]
    __temp_0(__temp_2)
    __temp_1[0] = b
    return __temp_2[1]
"""


def frame_cleans_up(a, b):
    stack = [a, torch.enter(b)]
    manager = stack[1]
    try:
        value = torch.body(stack[0])
    finally:
        manager.leave(None)
    return __resume_at_10_2([], [value], a)


frame_cleans_up.__doc__ = """
def frame(a, b):
    manager = torch.enter(b)
    try:
        value = torch.body(a)
    finally:
        manager.leave(None)
    return __resume_at_10_2([], [value], a)
"""


def frame_goes_on(a, b):
    packed = [a, b]
    total = 0
    for item in packed[1]:
        total = total + torch.add(item)[0]
    return total


# From where control comes together on, the frame is as it was.
frame_goes_on.__doc__ = """
def frame(a, b):
    total = 0
    for item in b:
        total = total + torch.add(item)[0]
    return total
"""


def frame_into_with(a, b):
    graph_out_0 = __compiled_fn_1_0a1b2c(a)
    packed = [[graph_out_0[1], b]]
    del graph_out_0
    values = packed[-1]
    found = values[0]
    del packed, values
    with guarding(torch.enter(b)) as c:
        found = torch.add(found, c)
    return found


# What the frame goes on with may be anything: only what stands before it is simplified.
frame_into_with.__doc__ = """
def frame(a, b):
    found = __compiled_fn_1(a)[1]
    with guarding(torch.enter(b)) as c:
        found = torch.add(found, c)
    return found
"""


def frame_makes(a, b):
    return (lambda rest: __resume_at_10_2(rest, b))(a)


def _as_dynamo_makes_it(code):
    # A function that is called where it is made, under two names that have nothing in common.
    inner = next(const for const in code.co_consts if hasattr(const, "co_code"))
    names = {"co_name": "resume_in_f"}
    if hasattr(inner, "co_qualname"):
        names["co_qualname"] = "resume_in_f"
    made = {id(inner): inner.replace(**names)}
    qualified = "frame_makes.<locals>.<lambda>"
    made.update((id(c), "__resume_at_18_2") for c in code.co_consts if c == qualified)
    return code.replace(co_consts=tuple(made.get(id(const), const) for const in code.co_consts))


frame_makes.__code__ = _as_dynamo_makes_it(frame_makes.__code__)
frame_makes.__doc__ = """
def frame(a, b):
    def resume_in_f(rest):
        return __resume_at_10_2(rest, b)

    return resume_in_f(a)
"""


def _function_that_breaks():
    def f(a, b):
        b = __compiled_fn_1_0a1b2c(a, b)

        def make(n):
            return lambda v: (v, n)

        class Kept:
            size = b

            def get(self):
                return lambda: self.size

            class Inner:
                def get(self):
                    return 1

        names = make(a).__qualname__, Kept.__qualname__, Kept.Inner.get.__qualname__
        return make(a)(b), Kept().get()(), Kept().get().__qualname__, names

    return f


def _as_its_continuation(function):
    # What is inside keeps the names that it has in the function.
    names = {"co_name": "resume_in_f"}
    if hasattr(function.__code__, "co_qualname"):
        names["co_qualname"] = "resume_in_f"
    function.__code__ = function.__code__.replace(**names)
    return function


frame_of_a_continuation = _as_its_continuation(_function_that_breaks())
frame_of_a_continuation.__doc__ = """
def frame(a, b):
    b = __compiled_fn_1(a, b)

    def make(n):
        return lambda v: (v, n)

    class Kept:
        size = b

        def get(self):
            return lambda: self.size

        class Inner:
            def get(self):
                return 1

    names = make(a).__qualname__, Kept.__qualname__, Kept.Inner.get.__qualname__
    return make(a)(b), Kept().get()(), Kept().get().__qualname__, names
"""


_GENERIC = """
    b = __compiled_fn_1(a, b)

    def make[T](n: T) -> T:
        return lambda v: (v, n)

    class Kept[T]:
        def get(self) -> T:
            return lambda: self

    return make(a)(b), make(a).__qualname__, Kept().get().__qualname__
"""
if sys.version_info < (3, 12):
    for _of_generics in ("[T]", ": T", " -> T"):
        _GENERIC = _GENERIC.replace(_of_generics, "")


# Type parameters have a scope of their own, which is no part of the names inside.
def _generic_function():
    body = _GENERIC.replace("__compiled_fn_1", "__compiled_fn_1_0a1b2c").replace("\n", "\n    ")
    exec("def _breaks():\n    def f(a, b):" + body + "\n    return f", globals())
    return _breaks()  # noqa: F821


frame_of_generics = _as_its_continuation(_generic_function())
frame_of_generics.__doc__ = "def frame(a, b):" + _GENERIC
