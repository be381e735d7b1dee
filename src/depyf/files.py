"""The one place that writes files: whole or not at all, under names every file system takes."""

from __future__ import annotations

import os
import re
import tempfile

LONGEST_NAME = 100


def safe_file_name(name: str) -> str:
    """`name` with nothing in it that a file system, or a template, takes for something else."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)[:LONGEST_NAME] or "_"


def replace_file(path: str, text: str) -> None:
    """Write the text to `path`; a reader sees the old file or the new one, never half of it."""
    try:
        _replace_file(path, text)
    except OSError as error:
        # The name of the temporary file would tell the user nothing.
        raise OSError(error.errno, error.strerror, path) from error


def _replace_file(path: str, text: str) -> None:
    # A link stays a link, and what is no plain file (a pipe, a terminal) is written to.
    path = os.path.realpath(path)
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        return
    folder = os.path.dirname(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(prefix=".depyf_", dir=folder)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n", errors="backslashreplace") as file:
            file.write(text)
        os.chmod(temporary, _mode_for(path))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _mode_for(path: str) -> int:
    """The permissions the file has, or those that a newly opened file would get."""
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


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
