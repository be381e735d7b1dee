"""What is installed is the package and nothing else; `make package` tries it on other Pythons."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import get_type_hints

import pytest
from interpreters import ROOT, environment
from package import strange_contents

BUILD = """\
import sys
from hatchling import build
print(build.build_wheel(sys.argv[1]))
print(build.build_sdist(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="hatchling is not installed: make package")
    folder: Path = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)],
        cwd=ROOT,
        env=environment(),
        check=True,
        capture_output=True,
    )
    return folder


def test_the_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    wheel = next(built.glob("*.whl"))
    assert strange_contents(wheel) == []
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert sources <= names
    assert any(name.endswith("LICENSE") for name in names)


def test_the_sdist_has_what_it_takes_to_work_on_it(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = archive.getnames()
    inside = {name.partition("/")[2] for name in names}
    for needed in ("README.md", "Makefile", "mkdocs.yml", "docs/index.md", "examples/demo.py"):
        assert needed in inside
    assert not [name for name in inside if "node_modules" in name or "__pycache__" in name]


def test_public_names_have_docstrings_and_types() -> None:
    pytest.importorskip("torch", reason="torch is not installed; half of the names need it")
    from api_reference import members_of, public_objects

    for title, obj in public_objects():
        check(title, obj)
        if inspect.isclass(obj):
            for name, member in members_of(obj):
                check(f"{title}.{name}", member)


def check(title: str, obj: object) -> None:
    assert inspect.getdoc(obj), title
    function = obj.fget if isinstance(obj, property) else obj
    if not inspect.isclass(function):
        written = inspect.signature(function).parameters  # type: ignore[arg-type]
        hinted = set(function.__annotations__)  # type: ignore[union-attr]
        assert "return" in hinted, title
        assert set(written) - {"self"} <= hinted, title


def test_the_reference_covers_what_is_exported() -> None:
    pytest.importorskip("torch", reason="torch is not installed; half of the names need it")
    from api_reference import PUBLIC

    import depyf
    import depyf.optimization as optimization

    assert set(depyf.__all__) - {"__version__"} == set(PUBLIC["depyf"].split())
    assert set(optimization.__all__) == set(PUBLIC["depyf.optimization"].split())
    assert (Path(inspect.getfile(depyf)).parent / "py.typed").exists()
    assert get_type_hints(depyf.decompile) == {"obj": object, "return": str}
