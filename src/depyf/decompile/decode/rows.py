"""What each CPython opcode means, as rows: opcode name -> (operation, how to read its argument).

The regular opcodes of all versions are here; those that are one operation, which the argument
tells, are in `by_argument`, and what needs more has rules in `irregular`. A test walks every
version's opcodes and finds each in one of the three.
"""

from __future__ import annotations

from typing import Any, Dict, FrozenSet, Tuple

# How the argument of an operation is found.
WAYS = 7
NOTHING, RAW, NAME, CONST, LOCAL, CELL, FIXED = range(WAYS)

Row = Tuple[str, int, Any]

_BINARY_SYMBOLS = {
    "ADD": "+",
    "AND": "&",
    "FLOOR_DIVIDE": "//",
    "LSHIFT": "<<",
    "MATRIX_MULTIPLY": "@",
    "MODULO": "%",
    "MULTIPLY": "*",
    "OR": "|",
    "POWER": "**",
    "RSHIFT": ">>",
    "SUBTRACT": "-",
    "TRUE_DIVIDE": "/",
    "XOR": "^",
}

ROWS: Dict[str, Row] = {
    "LOAD_CONST": ("LOAD_CONST", CONST, None),
    "LOAD_SMALL_INT": ("LOAD_CONST", RAW, None),
    "LOAD_FAST": ("LOAD_FAST", LOCAL, None),
    "LOAD_FAST_CHECK": ("LOAD_FAST", LOCAL, None),
    "LOAD_FAST_BORROW": ("LOAD_FAST", LOCAL, None),
    "LOAD_FAST_AND_CLEAR": ("LOAD_AND_CLEAR", LOCAL, None),
    "STORE_FAST": ("STORE_FAST", LOCAL, None),
    "DELETE_FAST": ("DELETE_FAST", LOCAL, None),
    "LOAD_NAME": ("LOAD_NAME", NAME, None),
    "STORE_NAME": ("STORE_NAME", NAME, None),
    "DELETE_NAME": ("DELETE_NAME", NAME, None),
    "STORE_GLOBAL": ("STORE_GLOBAL", NAME, None),
    "DELETE_GLOBAL": ("DELETE_GLOBAL", NAME, None),
    "LOAD_DEREF": ("LOAD_DEREF", CELL, None),
    "STORE_DEREF": ("STORE_DEREF", CELL, None),
    "DELETE_DEREF": ("DELETE_DEREF", CELL, None),
    "LOAD_CLASSDEREF": ("LOAD_CLASSDEREF", CELL, None),
    "LOAD_FROM_DICT_OR_DEREF": ("LOAD_FROM_DICT_OR_DEREF", CELL, None),
    "LOAD_FROM_DICT_OR_GLOBALS": ("LOAD_FROM_DICT_OR_GLOBALS", NAME, None),
    "LOAD_CLOSURE": ("LOAD_CLOSURE", CELL, None),
    "LOAD_LOCALS": ("LOAD_LOCALS", NOTHING, None),
    "LOAD_BUILD_CLASS": ("LOAD_BUILD_CLASS", NOTHING, None),
    "LOAD_ASSERTION_ERROR": ("LOAD_ASSERTION_ERROR", NOTHING, None),
    "LOAD_METHOD": ("LOAD_METHOD", NAME, None),
    "STORE_ATTR": ("STORE_ATTR", NAME, None),
    "DELETE_ATTR": ("DELETE_ATTR", NAME, None),
    "BINARY_SUBSCR": ("SUBSCR", NOTHING, None),
    "STORE_SUBSCR": ("STORE_SUBSCR", NOTHING, None),
    "DELETE_SUBSCR": ("DELETE_SUBSCR", NOTHING, None),
    "BINARY_SLICE": ("SLICE", NOTHING, None),
    "STORE_SLICE": ("STORE_SLICE", NOTHING, None),
    "POP_TOP": ("POP_TOP", NOTHING, None),
    "POP_ITER": ("POP_TOP", NOTHING, None),
    "PUSH_NULL": ("PUSH_NULL", NOTHING, None),
    "DUP_TOP": ("COPY", FIXED, 1),
    "COPY": ("COPY", RAW, None),
    "SWAP": ("SWAP", RAW, None),
    "ROT_TWO": ("SWAP", FIXED, 2),
    "ROT_THREE": ("ROT", FIXED, 3),
    "ROT_FOUR": ("ROT", FIXED, 4),
    "ROT_N": ("ROT", RAW, None),
    "UNARY_NEGATIVE": ("UNARY", FIXED, "-"),
    "UNARY_POSITIVE": ("UNARY", FIXED, "+"),
    "UNARY_INVERT": ("UNARY", FIXED, "~"),
    "UNARY_NOT": ("UNARY", FIXED, "not "),
    "BUILD_SLICE": ("BUILD_SLICE", RAW, None),
    "BUILD_TUPLE": ("BUILD_TUPLE", RAW, None),
    "BUILD_LIST": ("BUILD_LIST", RAW, None),
    "BUILD_SET": ("BUILD_SET", RAW, None),
    "BUILD_MAP": ("BUILD_MAP", RAW, None),
    "BUILD_CONST_KEY_MAP": ("BUILD_CONST_KEY_MAP", RAW, None),
    "BUILD_STRING": ("BUILD_STRING", RAW, None),
    "LIST_EXTEND": ("LIST_EXTEND", RAW, None),
    "SET_UPDATE": ("SET_UPDATE", RAW, None),
    "DICT_UPDATE": ("DICT_UPDATE", RAW, None),
    "DICT_MERGE": ("DICT_MERGE", RAW, None),
    "LIST_APPEND": ("LIST_APPEND", RAW, None),
    "SET_ADD": ("SET_ADD", RAW, None),
    "MAP_ADD": ("MAP_ADD", RAW, None),
    "LIST_TO_TUPLE": ("LIST_TO_TUPLE", NOTHING, None),
    "CONVERT_VALUE": ("CONVERT", RAW, None),
    "FORMAT_SIMPLE": ("FORMAT", FIXED, (0, False)),
    "FORMAT_WITH_SPEC": ("FORMAT", FIXED, (0, True)),
    "BUILD_INTERPOLATION": ("BUILD_INTERPOLATION", RAW, None),
    "BUILD_TEMPLATE": ("BUILD_TEMPLATE", NOTHING, None),
    "SET_FUNCTION_ATTRIBUTE": ("SET_FUNCTION_ATTRIBUTE", RAW, None),
    "IMPORT_NAME": ("IMPORT_NAME", NAME, None),
    "IMPORT_FROM": ("IMPORT_FROM", NAME, None),
    "IMPORT_STAR": ("IMPORT_STAR", NOTHING, None),
    "GET_ITER": ("GET_ITER", NOTHING, None),
    "GET_AITER": ("GET_AITER", NOTHING, None),
    "GET_ANEXT": ("GET_ANEXT", NOTHING, None),
    "GET_YIELD_FROM_ITER": ("GET_YIELD_FROM_ITER", NOTHING, None),
    "GET_AWAITABLE": ("GET_AWAITABLE", NOTHING, None),
    "YIELD_VALUE": ("YIELD", NOTHING, None),
    "YIELD_FROM": ("YIELD_FROM", NOTHING, None),
    "SEND": ("SEND", NOTHING, None),
    "UNPACK_SEQUENCE": ("UNPACK", RAW, None),
    "SETUP_ANNOTATIONS": ("SETUP_ANNOTATIONS", NOTHING, None),
    "PRINT_EXPR": ("PRINT_EXPR", NOTHING, None),
    "BEFORE_WITH": ("BEFORE_WITH", FIXED, 1),
    "BEFORE_ASYNC_WITH": ("BEFORE_ASYNC_WITH", FIXED, 1),
    "WITH_EXCEPT_START": ("WITH_EXCEPT_START", NOTHING, None),
    "PUSH_EXC_INFO": ("PUSH_EXC_INFO", NOTHING, None),
    "CHECK_EXC_MATCH": ("EXC_MATCH", FIXED, 1),
    "CHECK_EG_MATCH": ("EXC_GROUP_MATCH", NOTHING, None),
    "PREP_RERAISE_STAR": ("PREP_RERAISE_STAR", NOTHING, None),
    "END_ASYNC_FOR": ("END_ASYNC_FOR", NOTHING, None),
    "CLEANUP_THROW": ("CLEANUP_THROW", NOTHING, None),
    "GET_LEN": ("GET_LEN", NOTHING, None),
    "MATCH_MAPPING": ("MATCH_MAPPING", NOTHING, None),
    "MATCH_SEQUENCE": ("MATCH_SEQUENCE", NOTHING, None),
    "COPY_DICT_WITHOUT_KEYS": ("COPY_DICT_WITHOUT_KEYS", NOTHING, None),
    "JUMP_FORWARD": ("JUMP", NOTHING, None),
    "JUMP_BACKWARD": ("JUMP", NOTHING, None),
    "JUMP_BACKWARD_NO_INTERRUPT": ("JUMP", NOTHING, None),
    "JUMP_ABSOLUTE": ("JUMP", NOTHING, None),
    "JUMP_IF_TRUE_OR_POP": ("KEEP_IF_TRUE", NOTHING, None),
    "JUMP_IF_FALSE_OR_POP": ("KEEP_IF_FALSE", NOTHING, None),
    "FOR_ITER": ("FOR_ITER", NOTHING, None),
    "RETURN_VALUE": ("RETURN", NOTHING, None),
    "RAISE_VARARGS": ("RAISE", RAW, None),
}
for _name, _symbol in _BINARY_SYMBOLS.items():
    ROWS["BINARY_" + _name] = ("BINARY", FIXED, _symbol)
    ROWS["INPLACE_" + _name] = ("INPLACE", FIXED, _symbol)
for _test in ("TRUE", "FALSE", "NONE", "NOT_NONE"):
    for _direction in ("", "FORWARD_", "BACKWARD_"):
        ROWS[f"POP_JUMP_{_direction}IF_{_test}"] = ("JUMP_IF_" + _test, NOTHING, None)

# Opcodes that were regular before the given version.
ROWS_BEFORE: Dict[str, Tuple[Tuple[int, int], Row]] = {
    "LOAD_GLOBAL": ((3, 11), ("LOAD_GLOBAL", NAME, None)),
    "LOAD_ATTR": ((3, 12), ("LOAD_ATTR", NAME, None)),
}

# Bookkeeping of the interpreter that says nothing about the program.
DROPPED: FrozenSet[str] = frozenset(
    (
        "NOP",
        "CACHE",
        "RESUME",
        "PRECALL",
        "MAKE_CELL",
        "COPY_FREE_VARS",
        "GEN_START",
        "NOT_TAKEN",
        "END_SEND",
        "ASYNC_GEN_WRAP",
        "INTERPRETER_EXIT",
        "EXIT_INIT_CHECK",
    )
)
