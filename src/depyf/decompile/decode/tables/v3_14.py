"""Opcodes of Python 3.14, written by tools/generate_opcode_tables.py: do not edit."""
from typing import Tuple

HAVE_ARGUMENT: int = 43

OPNAMES: Tuple[str, ...] = (
    "CACHE", "BINARY_SLICE", "BUILD_TEMPLATE", "<3>", "CALL_FUNCTION_EX", "CHECK_EG_MATCH",
    "CHECK_EXC_MATCH", "CLEANUP_THROW", "DELETE_SUBSCR", "END_FOR", "END_SEND", "EXIT_INIT_CHECK",
    "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "GET_AITER", "GET_ANEXT", "GET_ITER", "<17>", "GET_LEN",
    "GET_YIELD_FROM_ITER", "INTERPRETER_EXIT", "LOAD_BUILD_CLASS", "LOAD_LOCALS", "MAKE_FUNCTION",
    "MATCH_KEYS", "MATCH_MAPPING", "MATCH_SEQUENCE", "NOP", "NOT_TAKEN", "POP_EXCEPT", "POP_ITER",
    "POP_TOP", "PUSH_EXC_INFO", "PUSH_NULL", "RETURN_GENERATOR", "RETURN_VALUE",
    "SETUP_ANNOTATIONS", "STORE_SLICE", "STORE_SUBSCR", "TO_BOOL", "UNARY_INVERT",
    "UNARY_NEGATIVE", "UNARY_NOT", "WITH_EXCEPT_START", "BINARY_OP", "BUILD_INTERPOLATION",
    "BUILD_LIST", "BUILD_MAP", "BUILD_SET", "BUILD_SLICE", "BUILD_STRING", "BUILD_TUPLE", "CALL",
    "CALL_INTRINSIC_1", "CALL_INTRINSIC_2", "CALL_KW", "COMPARE_OP", "CONTAINS_OP",
    "CONVERT_VALUE", "COPY", "COPY_FREE_VARS", "DELETE_ATTR", "DELETE_DEREF", "DELETE_FAST",
    "DELETE_GLOBAL", "DELETE_NAME", "DICT_MERGE", "DICT_UPDATE", "END_ASYNC_FOR", "EXTENDED_ARG",
    "FOR_ITER", "GET_AWAITABLE", "IMPORT_FROM", "IMPORT_NAME", "IS_OP", "JUMP_BACKWARD",
    "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_FORWARD", "LIST_APPEND", "LIST_EXTEND", "LOAD_ATTR",
    "LOAD_COMMON_CONSTANT", "LOAD_CONST", "LOAD_DEREF", "LOAD_FAST", "LOAD_FAST_AND_CLEAR",
    "LOAD_FAST_BORROW", "LOAD_FAST_BORROW_LOAD_FAST_BORROW", "LOAD_FAST_CHECK",
    "LOAD_FAST_LOAD_FAST", "LOAD_FROM_DICT_OR_DEREF", "LOAD_FROM_DICT_OR_GLOBALS", "LOAD_GLOBAL",
    "LOAD_NAME", "LOAD_SMALL_INT", "LOAD_SPECIAL", "LOAD_SUPER_ATTR", "MAKE_CELL", "MAP_ADD",
    "MATCH_CLASS", "POP_JUMP_IF_FALSE", "POP_JUMP_IF_NONE", "POP_JUMP_IF_NOT_NONE",
    "POP_JUMP_IF_TRUE", "RAISE_VARARGS", "RERAISE", "SEND", "SET_ADD", "SET_FUNCTION_ATTRIBUTE",
    "SET_UPDATE", "STORE_ATTR", "STORE_DEREF", "STORE_FAST", "STORE_FAST_LOAD_FAST",
    "STORE_FAST_STORE_FAST", "STORE_GLOBAL", "STORE_NAME", "SWAP", "UNPACK_EX", "UNPACK_SEQUENCE",
    "YIELD_VALUE", "<121>", "<122>", "<123>", "<124>", "<125>", "<126>", "<127>", "RESUME",
    "<129>", "<130>", "<131>", "<132>", "<133>", "<134>", "<135>", "<136>", "<137>", "<138>",
    "<139>", "<140>", "<141>", "<142>", "<143>", "<144>", "<145>", "<146>", "<147>", "<148>",
    "<149>", "<150>", "<151>", "<152>", "<153>", "<154>", "<155>", "<156>", "<157>", "<158>",
    "<159>", "<160>", "<161>", "<162>", "<163>", "<164>", "<165>", "<166>", "<167>", "<168>",
    "<169>", "<170>", "<171>", "<172>", "<173>", "<174>", "<175>", "<176>", "<177>", "<178>",
    "<179>", "<180>", "<181>", "<182>", "<183>", "<184>", "<185>", "<186>", "<187>", "<188>",
    "<189>", "<190>", "<191>", "<192>", "<193>", "<194>", "<195>", "<196>", "<197>", "<198>",
    "<199>", "<200>", "<201>", "<202>", "<203>", "<204>", "<205>", "<206>", "<207>", "<208>",
    "<209>", "<210>", "<211>", "<212>", "<213>", "<214>", "<215>", "<216>", "<217>", "<218>",
    "<219>", "<220>", "<221>", "<222>", "<223>", "<224>", "<225>", "<226>", "<227>", "<228>",
    "<229>", "<230>", "<231>", "<232>", "<233>", "<234>", "<235>", "<236>", "<237>", "<238>",
    "<239>", "<240>", "<241>", "<242>", "<243>", "<244>", "<245>", "<246>", "<247>", "<248>",
    "<249>", "<250>", "<251>", "<252>", "<253>", "<254>", "<255>",
)

CACHES: Tuple[int, ...] = (
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 3, 1, 1, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4,
    0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0,
)

FORWARD_JUMPS: Tuple[int, ...] = (
    70, 77, 100, 101, 102, 103, 106,
)

BACKWARD_JUMPS: Tuple[int, ...] = (
    68, 75, 76,
)

ABSOLUTE_JUMPS: Tuple[int, ...] = ()

COMPARE_OPS: Tuple[str, ...] = (
    "<", "<=", "==", "!=", ">", ">=",
)

BINARY_OPS: Tuple[Tuple[str, str], ...] = (
    ("NB_ADD", "+"),
    ("NB_AND", "&"),
    ("NB_FLOOR_DIVIDE", "//"),
    ("NB_LSHIFT", "<<"),
    ("NB_MATRIX_MULTIPLY", "@"),
    ("NB_MULTIPLY", "*"),
    ("NB_REMAINDER", "%"),
    ("NB_OR", "|"),
    ("NB_POWER", "**"),
    ("NB_RSHIFT", ">>"),
    ("NB_SUBTRACT", "-"),
    ("NB_TRUE_DIVIDE", "/"),
    ("NB_XOR", "^"),
    ("NB_INPLACE_ADD", "+="),
    ("NB_INPLACE_AND", "&="),
    ("NB_INPLACE_FLOOR_DIVIDE", "//="),
    ("NB_INPLACE_LSHIFT", "<<="),
    ("NB_INPLACE_MATRIX_MULTIPLY", "@="),
    ("NB_INPLACE_MULTIPLY", "*="),
    ("NB_INPLACE_REMAINDER", "%="),
    ("NB_INPLACE_OR", "|="),
    ("NB_INPLACE_POWER", "**="),
    ("NB_INPLACE_RSHIFT", ">>="),
    ("NB_INPLACE_SUBTRACT", "-="),
    ("NB_INPLACE_TRUE_DIVIDE", "/="),
    ("NB_INPLACE_XOR", "^="),
    ("NB_SUBSCR", "[]"),
)

INTRINSICS_1: Tuple[str, ...] = (
    "INTRINSIC_1_INVALID", "INTRINSIC_PRINT", "INTRINSIC_IMPORT_STAR",
    "INTRINSIC_STOPITERATION_ERROR", "INTRINSIC_ASYNC_GEN_WRAP", "INTRINSIC_UNARY_POSITIVE",
    "INTRINSIC_LIST_TO_TUPLE", "INTRINSIC_TYPEVAR", "INTRINSIC_PARAMSPEC",
    "INTRINSIC_TYPEVARTUPLE", "INTRINSIC_SUBSCRIPT_GENERIC", "INTRINSIC_TYPEALIAS",
)

INTRINSICS_2: Tuple[str, ...] = (
    "INTRINSIC_2_INVALID", "INTRINSIC_PREP_RERAISE_STAR", "INTRINSIC_TYPEVAR_WITH_BOUND",
    "INTRINSIC_TYPEVAR_WITH_CONSTRAINTS", "INTRINSIC_SET_FUNCTION_TYPE_PARAMS",
    "INTRINSIC_SET_TYPEPARAM_DEFAULT",
)

COMMON_CONSTANTS: Tuple[str, ...] = (
    "AssertionError", "NotImplementedError", "tuple", "all", "any",
)

SPECIAL_METHODS: Tuple[str, ...] = (
    "__enter__", "__exit__", "__aenter__", "__aexit__",
)
