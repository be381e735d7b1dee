"""Opcodes of Python 3.11, written by tools/generate_opcode_tables.py: do not edit."""
from typing import Tuple

HAVE_ARGUMENT: int = 90

OPNAMES: Tuple[str, ...] = (
    "CACHE", "POP_TOP", "PUSH_NULL", "<3>", "<4>", "<5>", "<6>", "<7>", "<8>", "NOP",
    "UNARY_POSITIVE", "UNARY_NEGATIVE", "UNARY_NOT", "<13>", "<14>", "UNARY_INVERT", "<16>",
    "<17>", "<18>", "<19>", "<20>", "<21>", "<22>", "<23>", "<24>", "BINARY_SUBSCR", "<26>",
    "<27>", "<28>", "<29>", "GET_LEN", "MATCH_MAPPING", "MATCH_SEQUENCE", "MATCH_KEYS", "<34>",
    "PUSH_EXC_INFO", "CHECK_EXC_MATCH", "CHECK_EG_MATCH", "<38>", "<39>", "<40>", "<41>", "<42>",
    "<43>", "<44>", "<45>", "<46>", "<47>", "<48>", "WITH_EXCEPT_START", "GET_AITER", "GET_ANEXT",
    "BEFORE_ASYNC_WITH", "BEFORE_WITH", "END_ASYNC_FOR", "<55>", "<56>", "<57>", "<58>", "<59>",
    "STORE_SUBSCR", "DELETE_SUBSCR", "<62>", "<63>", "<64>", "<65>", "<66>", "<67>", "GET_ITER",
    "GET_YIELD_FROM_ITER", "PRINT_EXPR", "LOAD_BUILD_CLASS", "<72>", "<73>",
    "LOAD_ASSERTION_ERROR", "RETURN_GENERATOR", "<76>", "<77>", "<78>", "<79>", "<80>", "<81>",
    "LIST_TO_TUPLE", "RETURN_VALUE", "IMPORT_STAR", "SETUP_ANNOTATIONS", "YIELD_VALUE",
    "ASYNC_GEN_WRAP", "PREP_RERAISE_STAR", "POP_EXCEPT", "STORE_NAME", "DELETE_NAME",
    "UNPACK_SEQUENCE", "FOR_ITER", "UNPACK_EX", "STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL",
    "DELETE_GLOBAL", "SWAP", "LOAD_CONST", "LOAD_NAME", "BUILD_TUPLE", "BUILD_LIST", "BUILD_SET",
    "BUILD_MAP", "LOAD_ATTR", "COMPARE_OP", "IMPORT_NAME", "IMPORT_FROM", "JUMP_FORWARD",
    "JUMP_IF_FALSE_OR_POP", "JUMP_IF_TRUE_OR_POP", "<113>", "POP_JUMP_FORWARD_IF_FALSE",
    "POP_JUMP_FORWARD_IF_TRUE", "LOAD_GLOBAL", "IS_OP", "CONTAINS_OP", "RERAISE", "COPY", "<121>",
    "BINARY_OP", "SEND", "LOAD_FAST", "STORE_FAST", "DELETE_FAST", "<127>",
    "POP_JUMP_FORWARD_IF_NOT_NONE", "POP_JUMP_FORWARD_IF_NONE", "RAISE_VARARGS", "GET_AWAITABLE",
    "MAKE_FUNCTION", "BUILD_SLICE", "JUMP_BACKWARD_NO_INTERRUPT", "MAKE_CELL", "LOAD_CLOSURE",
    "LOAD_DEREF", "STORE_DEREF", "DELETE_DEREF", "JUMP_BACKWARD", "<141>", "CALL_FUNCTION_EX",
    "<143>", "EXTENDED_ARG", "LIST_APPEND", "SET_ADD", "MAP_ADD", "LOAD_CLASSDEREF",
    "COPY_FREE_VARS", "<150>", "RESUME", "MATCH_CLASS", "<153>", "<154>", "FORMAT_VALUE",
    "BUILD_CONST_KEY_MAP", "BUILD_STRING", "<158>", "<159>", "LOAD_METHOD", "<161>",
    "LIST_EXTEND", "SET_UPDATE", "DICT_MERGE", "DICT_UPDATE", "PRECALL", "<167>", "<168>",
    "<169>", "<170>", "CALL", "KW_NAMES", "POP_JUMP_BACKWARD_IF_NOT_NONE",
    "POP_JUMP_BACKWARD_IF_NONE", "POP_JUMP_BACKWARD_IF_FALSE", "POP_JUMP_BACKWARD_IF_TRUE",
    "<177>", "<178>", "<179>", "<180>", "<181>", "<182>", "<183>", "<184>", "<185>", "<186>",
    "<187>", "<188>", "<189>", "<190>", "<191>", "<192>", "<193>", "<194>", "<195>", "<196>",
    "<197>", "<198>", "<199>", "<200>", "<201>", "<202>", "<203>", "<204>", "<205>", "<206>",
    "<207>", "<208>", "<209>", "<210>", "<211>", "<212>", "<213>", "<214>", "<215>", "<216>",
    "<217>", "<218>", "<219>", "<220>", "<221>", "<222>", "<223>", "<224>", "<225>", "<226>",
    "<227>", "<228>", "<229>", "<230>", "<231>", "<232>", "<233>", "<234>", "<235>", "<236>",
    "<237>", "<238>", "<239>", "<240>", "<241>", "<242>", "<243>", "<244>", "<245>", "<246>",
    "<247>", "<248>", "<249>", "<250>", "<251>", "<252>", "<253>", "<254>", "<255>",
)

CACHES: Tuple[int, ...] = (
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
    0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 1, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0,
)

FORWARD_JUMPS: Tuple[int, ...] = (
    93, 110, 111, 112, 114, 115, 123, 128, 129,
)

BACKWARD_JUMPS: Tuple[int, ...] = (
    134, 140, 173, 174, 175, 176,
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
)

INTRINSICS_1: Tuple[str, ...] = ()

INTRINSICS_2: Tuple[str, ...] = ()

COMMON_CONSTANTS: Tuple[str, ...] = ()

SPECIAL_METHODS: Tuple[str, ...] = ()
