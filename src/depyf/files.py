"""The one place that writes files: whole or not at all, under names every file system takes."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import stat
from typing import Optional, TextIO

LONGEST_NAME = 100
_ODD = re.compile(r"\W", re.ASCII)
_numbers = itertools.count()


def safe_file_name(name: str) -> str:
    """`name` with nothing in it that a file system, or a template, takes for something else."""
    return _ODD.sub("_", name)[:LONGEST_NAME] or "_"


def replace_file(path: str, text: str) -> None:
    """Write the text to `path`; a reader sees the old file or the new one, never half of it."""
    try:
        _replace_file(path, text)
    except OSError as error:
        # The name of the temporary file would tell the user nothing.
        raise OSError(error.errno, error.strerror, path) from error


def _replace_file(path: str, text: str) -> None:
    if os.path.islink(path):
        # A link stays a link.
        path = os.path.realpath(path)
    mode = _mode_of(path)
    if mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        # So does what is no plain file: a pipe, a terminal.
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        return
    beside = _new_file_beside(path)
    try:
        with beside:
            beside.write(text)
        if mode is not None:
            os.chmod(beside.name, mode & 0o777)
        os.replace(beside.name, path)
    except BaseException:
        os.unlink(beside.name)
        raise


def _mode_of(path: str) -> Optional[int]:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _new_file_beside(path: str) -> TextIO:
    """One that nobody else has, with the permissions of any new file."""
    while True:
        name = f".depyf_{os.getpid()}_{next(_numbers)}"
        whole = os.path.join(os.path.dirname(os.path.abspath(path)), name)
        with contextlib.suppress(FileExistsError):
            return open(whole, "x", encoding="utf-8", newline="\n", errors="backslashreplace")


def write_new(template: str, name: str, text: str) -> str:
    """Write the text where the template says and return the path.

    `%s` in the template becomes the name. A number is added where another text has the place.
    """
    base = safe_file_name(name)
    attempt = 0
    while True:
        path = _filled(template, base, attempt)
        if not os.path.exists(path) or _holds(path, text):
            break
        attempt += 1
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    replace_file(path, text)
    return path


def _filled(template: str, base: str, attempt: int) -> str:
    suffix = f"_{attempt}" if attempt else ""
    if "%s" in template:
        return template.replace("%s", base + suffix, 1)
    root, extension = os.path.splitext(template)
    return root + suffix + extension


def _holds(path: str, text: str) -> bool:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read() == text
    except (OSError, UnicodeDecodeError):
        return False
