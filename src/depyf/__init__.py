"""Python bytecode to source you can trust, and a look inside torch.compile.

Only the public names live here. Whatever costs time to import is loaded on first use, so that
`import depyf` is nearly free and never touches torch.
"""

from __future__ import annotations

# The package of this name is bound before the function that shadows it. Importing a part of the
# package later (`from depyf.decompile.pipeline import ...`) then leaves `depyf.decompile` alone.
from . import decompile as _decompile_package  # noqa: F401

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import optimization as optimization
    from .debugger.block import debug
    from .decompile.api import Decompiler
    from .errors import DecompilationError
    from .torch_capture.bytecode_log import install, uninstall
    from .torch_capture.prepare import prepare_debug

__version__ = "1.0.0.dev0"

__all__ = [
    "decompile",
    "Decompiler",
    "DecompilationError",
    "prepare_debug",
    "debug",
    "install",
    "uninstall",
    "__version__",
]

_HOME_OF = {
    "Decompiler": "depyf.decompile.api",
    "DecompilationError": "depyf.errors",
    "prepare_debug": "depyf.torch_capture.prepare",
    "debug": "depyf.debugger.block",
    "install": "depyf.torch_capture.bytecode_log",
    "uninstall": "depyf.torch_capture.bytecode_log",
}
# Packages that `import depyf` leaves alone, and that are there all the same.
_PACKAGES = ("optimization",)


def decompile(obj: object) -> str:
    """Return the source of anything that carries bytecode.

    A function, method, class, module, code object, generator, coroutine, frame, or the path of
    a `.py` file or of a `.pyc` that any supported Python wrote. `TypeError` says when there is
    no bytecode to be found, `FileNotFoundError` when there is no such file, and
    `DecompilationError` when the bytecode cannot be read.

    A function is shown as it stood in its surroundings. Text with `nonlocal` in it compiles only
    there; `Decompiler.decompile_and_compile_like` knows the variables around it.
    """
    from .decompile.api import decompile as decompile_object

    return decompile_object(obj)


def __getattr__(name: str) -> object:
    if name not in _HOME_OF and name not in _PACKAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    if name in _PACKAGES:
        return import_module(f"{__name__}.{name}")
    if _HOME_OF[name].startswith(("depyf.torch_capture.", "depyf.debugger.")):
        _require_torch(name)
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def _require_torch(name: str) -> None:
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise ImportError(f"depyf.{name} needs PyTorch, which is not installed: pip install torch")


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_HOME_OF) | set(_PACKAGES))
