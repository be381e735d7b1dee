"""Every run of the tests begins as on a machine that never compiled anything."""

from __future__ import annotations

from typing import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def kernels_are_cold(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Kernels of an earlier run are not compiled again: what passes here would fail elsewhere."""
    with pytest.MonkeyPatch.context() as environment:
        folder = tmp_path_factory.mktemp("kernels")
        environment.setenv("TORCHINDUCTOR_CACHE_DIR", str(folder))
        yield
