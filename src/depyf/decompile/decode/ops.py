"""The operations that every later stage speaks: about 130, the same for all Python versions.

`Op` is one of them with its argument, `Program` a whole code object made of them. Jumps and
handlers are indexes into `Program.ops`; every operation's effect on the stack is a row below.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, FrozenSet, List, Set, Tuple, Union

from depyf.decompile.decode.code import Code

Effect = Tuple[int, int]


class Op:
    """One operation. `target` and `handler` are indexes of operations, -1 for none.

    There are many: made empty and filled field by field, one costs half. And they are all of one
    type, as reading the fields of two types in one place takes Python longer.
    """

    __slots__ = ("name", "arg", "offset", "line", "target", "handler")

    name: str
    arg: Any
    offset: int
    line: Any
    target: int
    handler: int

    @staticmethod
    def of(name: str, arg: Any, offset: int, line: Any, target: int = -1, handler: int = -1) -> Op:
        op = Op()
        op.name, op.arg, op.offset, op.line = name, arg, offset, line
        op.target, op.handler = target, handler
        return op

    def __repr__(self) -> str:
        arg = "" if self.arg is None else f" {self.arg!r}"
        target = f" -> {self.target}" if self.target >= 0 else ""
        handler = f" !{self.handler}" if self.handler >= 0 else ""
        return f"{self.name}{arg}{target}{handler}"

    def moved(self, target: int, handler: int) -> Op:
        return Op.of(self.name, self.arg, self.offset, self.line, target, handler)


class Program:
    """A code object as operations.

    `handler_pushes` tells for each handler how many values the interpreter pushes before it
    starts, `exception_slots` how many of them POP_EXCEPT takes away again.
    """

    __slots__ = (
        "code",
        "ops",
        "handler_pushes",
        "handler_depths",
        "handlers_around",
        "exception_slots",
        "falls",
        "bare_places",
        "kinds",
        "variables",
    )

    def __init__(
        self,
        code: Code,
        ops: List[Op],
        kinds: FrozenSet[str],
        handler_pushes: Dict[int, int],
        exception_slots: int,
    ) -> None:
        self.code = code
        self.ops = ops
        # The names of all operations: what is not there need not be looked for.
        self.kinds = kinds
        self.handler_pushes = handler_pushes
        # Stack depth that a handler starts from, where the bytecode says so.
        self.handler_depths: Dict[int, int] = {}
        # Where it does not: the handler that was in force when another was set up.
        self.handlers_around: Dict[int, int] = {}
        self.exception_slots = exception_slots
        # Where control falls into a copy of a `finally` body or a call of __exit__ (3.8 tells).
        self.falls: Set[int] = set()
        # Of lines without an operation: offset and line, by the offset of what follows there.
        self.bare_places: Dict[int, Tuple[int, int]] = {}
        # Of an inlined comprehension: what is its own among the locals of the function.
        self.variables: List[str] = []


_PLAIN = frozenset((int, bool, str, bytes, type(None), type(...)))


def comparable(arg: Any) -> Tuple[type, object]:
    """What equal arguments have in common, and no others.

    Constants may be any objects, whose own `==` may say anything, or raise.
    """
    kind = type(arg)
    if kind in _PLAIN:
        return kind, arg
    if kind is float or kind is complex:
        # 0.0 is not -0.0 here, and nan is nan.
        return kind, repr(arg)
    if kind is tuple or kind is list:
        return kind, tuple([comparable(item) for item in arg])
    if kind is frozenset:
        return kind, frozenset([comparable(item) for item in arg])
    if kind is slice:
        return kind, comparable((arg.start, arg.stop, arg.step))
    return object, id(arg)


# Operations that decide where control goes; a block ends behind each of them.
CONDITIONAL_JUMPS: FrozenSet[str] = frozenset(
    (
        "JUMP_IF_TRUE",
        "JUMP_IF_FALSE",
        "JUMP_IF_NONE",
        "JUMP_IF_NOT_NONE",
        "KEEP_IF_TRUE",
        "KEEP_IF_FALSE",
        "FOR_ITER",
        "ASYNC_FOR_ITER",
    )
)
LOOPS: FrozenSet[str] = frozenset(("FOR_ITER", "ASYNC_FOR_ITER"))
KEEPS: FrozenSet[str] = frozenset(("KEEP_IF_TRUE", "KEEP_IF_FALSE"))
# The argument of one of KEEPS whose value and the next one stand in parentheses of their own; so
# does that of a test that was one of KEEPS, and is marked until that is known.
IN_GROUP, OF_VALUE = "in a group", "of a value"
# The argument of a JUMP that leaves the `try` statement it stands in, though it leads into it.
OUTSIDE = "outside"
EXITS: FrozenSet[str] = frozenset(("RETURN", "RAISE", "RERAISE"))
ENDS_BLOCK: FrozenSet[str] = CONDITIONAL_JUMPS | EXITS | {"JUMP"}


def _call(arg: Any) -> Effect:
    return arg[0] + arg[1], 1


def _call_kw(arg: Any) -> Effect:
    return arg[0] + arg[1] + 1, 1


def _call_ex(arg: Any) -> Effect:
    slots, has_kwargs = arg
    return slots + 1 + bool(has_kwargs), 1


def _make_function(arg: Any) -> Effect:
    flags, has_qualname = arg
    return 1 + has_qualname + bin(flags).count("1"), 1


# Values taken from the stack and put back, or a function of the argument that tells both.
EFFECTS: Dict[str, Union[Effect, Callable[[Any], Effect]]] = {
    "LOAD_CONST": (0, 1),
    "LOAD_OBJECT": (0, 1),
    "LOAD_FAST": (0, 1),
    "LOAD_NAME": (0, 1),
    "LOAD_GLOBAL": (0, 1),
    "LOAD_DEREF": (0, 1),
    "LOAD_CLASSDEREF": (0, 1),
    "LOAD_FROM_DICT_OR_DEREF": (1, 1),
    "LOAD_FROM_DICT_OR_GLOBALS": (1, 1),
    "LOAD_CLOSURE": (0, 1),
    "LOAD_LOCALS": (0, 1),
    "LOAD_BUILD_CLASS": (0, 1),
    "LOAD_ASSERTION_ERROR": (0, 1),
    "LOAD_COMMON": (0, 1),
    "LOAD_AND_CLEAR": (0, 1),
    "LOAD_ATTR": (1, 1),
    "LOAD_METHOD": (1, 2),
    "LOAD_SUPER_ATTR": (3, 1),
    "LOAD_SUPER_METHOD": (3, 2),
    "LOAD_SPECIAL": (1, 2),
    "STORE_FAST": (1, 0),
    "STORE_NAME": (1, 0),
    "STORE_GLOBAL": (1, 0),
    "STORE_DEREF": (1, 0),
    "STORE_ATTR": (2, 0),
    "STORE_SUBSCR": (3, 0),
    "STORE_SLICE": (4, 0),
    "DELETE_FAST": (0, 0),
    "DELETE_NAME": (0, 0),
    "DELETE_GLOBAL": (0, 0),
    "DELETE_DEREF": (0, 0),
    "DELETE_ATTR": (1, 0),
    "DELETE_SUBSCR": (2, 0),
    "POP_TOP": (1, 0),
    "POP_ITER": (1, 0),
    "TEST_NONE": (1, 1),
    "PUSH_NULL": (0, 1),
    "COPY": lambda n: (n, n + 1),
    "SWAP": lambda n: (n, n),
    "ROT": lambda n: (n, n),
    "UNARY": (1, 1),
    "BINARY": (2, 1),
    "INPLACE": (2, 1),
    "COMPARE": (2, 1),
    "SUBSCR": (2, 1),
    "SLICE": (3, 1),
    "BUILD_SLICE": lambda n: (n, 1),
    "BUILD_TUPLE": lambda n: (n, 1),
    "BUILD_LIST": lambda n: (n, 1),
    "BUILD_SET": lambda n: (n, 1),
    "BUILD_STRING": lambda n: (n, 1),
    "BUILD_MAP": lambda n: (2 * n, 1),
    "BUILD_CONST_KEY_MAP": lambda n: (n + 1, 1),
    "BUILD_UNPACK": lambda arg: (arg[1], 1),
    "LIST_EXTEND": lambda n: (n + 1, n),
    "SET_UPDATE": lambda n: (n + 1, n),
    "DICT_UPDATE": lambda n: (n + 1, n),
    "DICT_MERGE": lambda n: (n + 1, n),
    "LIST_APPEND": lambda n: (n + 1, n),
    "SET_ADD": lambda n: (n + 1, n),
    "MAP_ADD": lambda n: (n + 2, n),
    "LIST_TO_TUPLE": (1, 1),
    "FORMAT": lambda arg: (1 + arg[1], 1),
    "CONVERT": (1, 1),
    "BUILD_INTERPOLATION": lambda arg: (2 + (arg & 1), 1),
    "BUILD_TEMPLATE": (2, 1),
    "CALL_GENERIC": lambda arg: (arg[0] + 1 + arg[1], 1),
    "CALL": _call,
    "CALL_KW": _call_kw,
    "CALL_EX": _call_ex,
    "MAKE_FUNCTION": _make_function,
    "SET_FUNCTION_ATTRIBUTE": (2, 1),
    "INTRINSIC_1": (1, 1),
    "INTRINSIC_2": (2, 1),
    "IMPORT_NAME": (2, 1),
    "IMPORT_FROM": (1, 2),
    "IMPORT_STAR": (1, 0),
    "GET_ITER": (1, 1),
    "GET_AITER": (1, 1),
    "GET_ANEXT": (1, 2),
    "GET_YIELD_FROM_ITER": (1, 1),
    "GET_AWAITABLE": (1, 1),
    "AWAIT": (1, 1),
    "YIELD": (1, 1),
    "YIELD_FROM": (1, 1),
    "UNPACK": lambda n: (1, n),
    "UNPACK_EX": lambda arg: (1, arg[0] + 1 + arg[1]),
    "SETUP_ANNOTATIONS": (0, 0),
    "PRINT_EXPR": (1, 0),
    "BEFORE_WITH": lambda slots: (1, slots + 1),
    "BEFORE_ASYNC_WITH": lambda slots: (1, slots + 1),
    "WITH_EXCEPT_START": (0, 1),
    "PUSH_EXC_INFO": (1, 2),
    "POP_EXCEPT": lambda slots: (slots, 0),
    "EXC_MATCH": lambda pops: (2, 2) if pops == 1 else (2, 1),
    "EXC_GROUP_MATCH": (2, 2),
    "PREP_RERAISE_STAR": (2, 1),
    "STOPITERATION_ERROR": (1, 1),
    "END_ASYNC_FOR": (0, 0),
    "CLEANUP_THROW": (3, 2),
    "SEND": (2, 2),
    "GET_LEN": (1, 2),
    "MATCH_MAPPING": (1, 2),
    "MATCH_SEQUENCE": (1, 2),
    "MATCH_KEYS": lambda with_flag: (2, 4 if with_flag else 3),
    "MATCH_CLASS": lambda arg: (3, 2 if arg[1] else 1),
    "COPY_DICT_WITHOUT_KEYS": (2, 2),
    # Made of the above when a `match` statement was found (see expr.cases).
    "MATCH_CASE": (1, 1),
    "NEXT_CASE": (0, 1),
    "CASE_GUARD": (1, 1),
    "LAST_CASE": (0, 0),
    "ONLY_CASE": (1, 0),
    "INLINED_COMPREHENSION": (1, 1),
    # Made of tests when conditions are folded; the other operands are in the argument.
    "FOLD_AND": (1, 1),
    "FOLD_OR": (1, 1),
    "FOLD_NOT": (1, 1),
    "FOLD_GROUP": (1, 1),
    "FOLD_TERNARY": (1, 1),
    "FOLD_CHAIN": (2, 1),
    # Nothing: the place before a protected region.
    "ENTER": (0, 0),
    # Nothing: a `break` that another loop's `break` leads to.
    "LEAVE_LOOP": (0, 0),
    # Nothing: all that a clause consists of.
    "PASS": (0, 0),
    # The place of a value that a `try` body may return (see flow.iterators).
    "PLACEHOLDER": (0, 1),
    "JUMP": (0, 0),
    "JUMP_IF_TRUE": (1, 0),
    "JUMP_IF_FALSE": (1, 0),
    "JUMP_IF_NONE": (1, 0),
    "JUMP_IF_NOT_NONE": (1, 0),
    # What they do where they fall through; where they jump KEEP leaves its value, and FOR_ITER
    # takes the iterator away.
    "KEEP_IF_TRUE": (1, 0),
    "KEEP_IF_FALSE": (1, 0),
    "FOR_ITER": (1, 2),
    "ASYNC_FOR_ITER": (1, 2),
    "RETURN": (1, 0),
    "RAISE": lambda n: (n, 0),
    "RERAISE": lambda n: (n, 0),
}


def stack_effect(op: Op) -> Effect:
    """(values taken, values put back) when control falls through `op`."""
    effect = EFFECTS[op.name]
    if type(effect) is tuple:
        return effect
    return effect(op.arg)  # type: ignore[operator]
