"""CPython's own tests against decompiled modules: replaced, each must pass its suite as before.

For every Python found and every module below, the suite runs once as it is and once with the
module replaced by its decompiled source; a failure that is only in the second run is listed.

Example: python tools/stdlib_tests.py --versions 3.12 --modules json,heapq
         python tools/stdlib_tests.py --both      (the normal pipeline, then all dispatch loops)
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from interpreters import ROOT, Interpreter, environment, find_interpreters, missing_versions

STAGER = ROOT / "tools" / "stage_decompiled.py"
# Module -> suite. Left out: modules whose tests read their own source text or line numbers
# (inspect, traceback, linecache, pdb, trace), what is frozen into the interpreter and therefore
# cannot be replaced (os, abc, codecs, io, importlib), and suites that mostly wait (threading,
# selectors, queue, logging, tarfile).
SUITES = {
    "argparse": "test_argparse",
    "ast": "test_unparse",
    "asyncio": "test_asyncio.test_locks",
    "base64": "test_base64",
    "bisect": "test_bisect",
    "calendar": "test_calendar",
    "collections": "test_collections",
    "colorsys": "test_colorsys",
    "configparser": "test_configparser",
    "contextlib": "test_contextlib",
    "copy": "test_copy",
    "csv": "test_csv",
    "dataclasses": "test_dataclasses",
    "datetime": "test_datetime",
    "difflib": "test_difflib",
    "email": "test_email",
    "enum": "test_enum",
    "filecmp": "test_filecmp",
    "fnmatch": "test_fnmatch",
    "fractions": "test_fractions",
    "functools": "test_functools",
    "getopt": "test_getopt",
    "gettext": "test_gettext",
    "glob": "test_glob",
    "graphlib": "test_graphlib",
    "gzip": "test_gzip",
    "heapq": "test_heapq",
    "hmac": "test_hmac",
    "html": "test_htmlparser",
    "http": "test_http_cookies",
    "ipaddress": "test_ipaddress",
    "json": "test_json",
    "locale": "test_locale",
    "mimetypes": "test_mimetypes",
    "netrc": "test_netrc",
    "operator": "test_operator",
    "optparse": "test_optparse",
    "pathlib": "test_pathlib",
    "pickle": "test_pickle",
    "pickletools": "test_pickletools",
    "plistlib": "test_plistlib",
    "pprint": "test_pprint",
    "_pydatetime": "test_datetime",
    "_pydecimal": "test_decimal",
    "quopri": "test_quopri",
    "random": "test_random",
    "re": "test_re",
    "reprlib": "test_reprlib",
    "sched": "test_sched",
    "shlex": "test_shlex",
    "shutil": "test_shutil",
    "smtplib": "test_smtplib",
    "statistics": "test_statistics",
    "string": "test_string",
    "_strptime": "test_strptime",
    "tempfile": "test_tempfile",
    "textwrap": "test_textwrap",
    "tokenize": "test_tokenize",
    "tomllib": "test_tomllib",
    "types": "test_types",
    "typing": "test_typing",
    "urllib": "test_urlparse",
    "uuid": "test_uuid",
    "weakref": "test_weakref",
    "_weakrefset": "test_weakset",
    "xml": "test_xml_etree",
    "zipfile": "test_zipfile",
}
SUITE_SECONDS = 180
FAILED = re.compile(r"^(?:FAIL|ERROR): (.+?)\s*$", re.MULTILINE)
RAN = re.compile(r"^Ran (\d+) tests? in", re.MULTILINE)
COLUMNS = "{:<8}{:<10}{:>8}{:>7}{:>8}{:>14}{:>10}{:>8}"


class Run(NamedTuple):
    """One run of a suite. `broken` says why it did not come to an end."""

    tests: int
    failed: frozenset[str]
    broken: str


class Row(NamedTuple):
    version: str
    rung: str
    modules: int
    files: int
    tests: int
    new_failures: int
    skipped: int
    seconds: float


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--versions", help="e.g. 3.8,3.13; all that are found without it")
    parser.add_argument("--modules", help=f"some of: {', '.join(SUITES)}")
    parser.add_argument("--dispatch", action="store_true", help="everything as dispatch loops")
    parser.add_argument("--both", action="store_true", help="normally, then as dispatch loops")
    parser.add_argument("--identity", action="store_true", help="test this tool: source unchanged")
    parser.add_argument("--keep", type=Path, help="folder that keeps the decompiled modules")
    return parser.parse_args()


def rungs(options: argparse.Namespace) -> list[str]:
    if options.identity:
        return ["identity"]
    if options.both:
        return ["auto", "dispatch"]
    return ["dispatch"] if options.dispatch else ["auto"]


def run_suite(interpreter: Interpreter, suite: str, path: str) -> Run:
    """The suite of that name, with a folder in front of the library or without."""
    # A part of a package of tests is out of reach for the older versions' own runner.
    runner = ["unittest", "-v", f"test.{suite}"] if "." in suite else ["test", "-v", suite]
    command = [*interpreter.command, "-m", *runner]
    with tempfile.TemporaryDirectory() as place:
        try:
            answer = subprocess.run(
                command,
                env={**environment(), "PYTHONPATH": path},
                cwd=place,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=SUITE_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return Run(0, frozenset(), f"more than {SUITE_SECONDS} s")
    text = answer.stdout.decode("utf-8", "replace")
    tests = sum(int(count) for count in RAN.findall(text))
    failed = frozenset(re.sub(r"0x[0-9a-f]+", "0x", name) for name in FAILED.findall(text))
    broken = "" if answer.returncode == 0 or failed else _last_words(text)
    return Run(tests, failed, broken)


def _last_words(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"\w*(Error|Exception)\b", line)]
    return (errors or lines or ["no output"])[-1][:300]


def stage(interpreter: Interpreter, module: str, folder: Path, rung: str) -> tuple[int, str]:
    """How many files were decompiled, and what went wrong."""
    command = [*interpreter.command, str(STAGER), str(folder), module, "--rung", rung]
    answer = subprocess.run(command, env=environment(), capture_output=True, text=True)
    if answer.returncode:
        return 0, _last_words(answer.stderr)
    question = f"import {module} as m; print(m.__file__)"
    used = subprocess.run(
        [*interpreter.command, "-c", question],
        env={**environment(), "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
    )
    if not used.stdout.startswith(str(folder)):
        return 0, "the decompiled module is not imported: " + _last_words(
            used.stderr or used.stdout
        )
    return int(answer.stdout), ""


def exists(interpreter: Interpreter, module: str, suite: str) -> bool:
    question = (
        "import importlib.util as u, sys;"
        f"sys.exit(not (u.find_spec({module!r}) and u.find_spec('test.{suite}')))"
    )
    command = [*interpreter.command, "-c", question]
    return subprocess.run(command, env=environment(), capture_output=True).returncode == 0


def check_version(
    interpreter: Interpreter, suites: dict[str, str], chosen: list[str], keep: Path | None
) -> list[Row]:
    known: dict[str, Run] = {}
    return [check_rung(interpreter, suites, rung, known, keep) for rung in chosen]


def check_rung(
    interpreter: Interpreter,
    suites: dict[str, str],
    rung: str,
    known: dict[str, Run],
    keep: Path | None,
) -> Row:
    """All suites of one Python with modules made by one rung; `known` holds the plain runs."""
    modules = files = tests = worse = skipped = 0
    started = time.monotonic()
    for module, suite in suites.items():
        where = f"{interpreter.version} {rung} {module}"
        if not exists(interpreter, module, suite):
            print(f"{where}: skipped, not in this version", file=sys.stderr)
            skipped += 1
            continue
        if suite not in known:
            known[suite] = run_suite(interpreter, suite, "")
        before = known[suite]
        if before.broken:
            print(f"{where}: skipped, its suite alone fails: {before.broken}", file=sys.stderr)
            skipped += 1
            continue
        count, after = replaced_run(interpreter, module, suite, rung, keep)
        new = complaints(before, after)
        modules, files, tests = modules + 1, files + count, tests + after.tests
        worse += len(new)
        print(f"{where}: {after.tests} tests, {len(new)} new failures", file=sys.stderr)
        for name in new:
            print(f"{where}: {name}", flush=True)
    seconds = time.monotonic() - started
    return Row(interpreter.version, rung, modules, files, tests, worse, skipped, seconds)


def replaced_run(
    interpreter: Interpreter, module: str, suite: str, rung: str, keep: Path | None
) -> tuple[int, Run]:
    with tempfile.TemporaryDirectory() as place:
        folder = (
            Path(os.path.realpath(place))
            if keep is None
            else keep / f"{interpreter.version}-{rung}" / module
        )
        files, problem = stage(interpreter, module, folder, rung)
        if problem:
            return files, Run(0, frozenset(), problem)
        return files, run_suite(interpreter, suite, str(folder))


def complaints(before: Run, after: Run) -> list[str]:
    """What the replaced module made worse, one line each."""
    if after.broken:
        return [after.broken]
    found = sorted(after.failed - before.failed)
    if after.tests < before.tests and not found:
        found.append(f"only {after.tests} of {before.tests} tests ran")
    return found


def print_table(rows: list[Row]) -> None:
    titles = "Python", "pipeline", "modules", "files", "tests", "new failures", "skipped", "wall s"
    print("\n" + COLUMNS.format(*titles))
    for row in rows:
        print(COLUMNS.format(*row[:7], round(row.seconds)))


def main() -> int:
    options = parse_arguments()
    wanted = options.versions.split(",") if options.versions else None
    found = [one for one in find_interpreters(wanted) if len(one.command) == 1]
    for version in missing_versions(found, wanted):
        print(f"Python {version}: not found, or without its test suite; skipped", file=sys.stderr)
    chosen = options.modules.split(",") if options.modules else list(SUITES)
    unknown = [module for module in chosen if module not in SUITES]
    if unknown:
        print(f"No suite for {', '.join(unknown)}; there are: {', '.join(SUITES)}", file=sys.stderr)
        return 2
    suites = {module: SUITES[module] for module in chosen}
    rows: list[Row] = []
    for interpreter in found:
        rows += check_version(interpreter, suites, rungs(options), options.keep)
    print_table(rows)
    return 1 if any(row.new_failures for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
