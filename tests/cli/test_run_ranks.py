"""`depyf run` under torchrun: two ranks that talk to each other through gloo."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

from .beside import environment, python, without_summary

# Who leaves while another still talks would abort it, in a plain run too: they leave together.
RANKED = """
import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

@torch.compile(backend="eager")
def work(x):
    return x * 2 + 1

@torch.compile(backend="eager")
def summed(x):
    y = x * 3
    dist.all_reduce(y)
    return y + 1

part = work(torch.ones(2) * rank)
dist.all_reduce(part)
print(rank, dist.get_world_size(), part.tolist(), summed(torch.ones(2) * rank).tolist())
dist.barrier()
dist.destroy_process_group()
"""
# Each rank writes into files of its own: which one prints first is chance.
LAUNCH = "-m torch.distributed.run --standalone --nproc-per-node 2 --redirects 3 --log-dir".split()


# Threads of gloo that outlive the process group abort a rank now and then, when it is over. That is
# torch's, watched or not, and tells nothing.
ABORTED = "terminate called without an active exception"
MOST_TRIES = 6


class Launched(NamedTuple):
    folder: Path
    said: tuple[int, str, str]
    ranks: list[tuple[str, str]]


def launched(folder: Path, *words: str) -> Launched:
    """The program in a folder of its own, again where torch itself aborted it."""
    for number in range(MOST_TRIES):
        found = launched_once(folder / str(number), *words)
        if not any(ABORTED in errors for _, errors in found.ranks):
            break
    return found


def launched_once(folder: Path, *words: str) -> Launched:
    """Exit code and output of the launcher, then stdout and stderr of each rank."""
    folder.mkdir(parents=True)
    (folder / "ranked.py").write_text(RANKED)
    # Without it, the launcher would say that it sets it.
    variables = environment(OMP_NUM_THREADS="1")
    done = python(*LAUNCH, str(folder / "logs"), *words, cwd=folder, env=variables)
    (attempt,) = (folder / "logs").glob("*/attempt_0")
    texts = [
        (attempt / rank / f"std{kind}.log").read_text("utf-8")
        for rank in ("0", "1")
        for kind in ("out", "err")
    ]
    said = done.returncode, done.stdout, timeless(done.stderr)
    return Launched(folder, said, [(texts[0], texts[1]), (texts[2], texts[3])])


def timeless(errors: str) -> str:
    """Warnings of torch's, on machines where it has any, begin with the time and a process id."""
    return re.sub(r"\d+", "0", errors)


def test_two_ranks(tmp_path: Path) -> None:
    plain = launched(tmp_path / "plain", "ranked.py")
    watched = launched(tmp_path / "watched", "-m", "depyf", "run", "ranked.py")
    assert plain.said[0] == 0 and watched.said == plain.said
    for theirs, ours in zip(plain.ranks, watched.ranks):
        assert ours[0] == theirs[0]
        assert timeless(without_summary(ours[1])) == timeless(theirs[1])
    assert [out.splitlines()[-1] for out, _ in plain.ranks] == [
        f"{rank} 2 [4.0, 4.0] [4.0, 4.0]" for rank in (0, 1)
    ]
    for rank, (_, errors) in enumerate(watched.ranks):
        folder = watched.folder / "depyf_ranked" / f"rank_{rank}"
        assert "2 functions (work, summed)" in errors and f"everything: {folder}" in errors
        names = os.listdir(folder)
        for name in ("work", "summed"):
            assert f"__transformed_code_0_for_{name}.py" in names
        assert "README.md" in names
