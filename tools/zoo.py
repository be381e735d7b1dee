"""Runs many models of `transformers`, tiny and random, plainly and inside `prepare_debug`.

Nothing is downloaded: every model is built from its configuration with all sizes shrunk. Outputs
(and gradients, for every fourth model) with and without capture must be equal, and every frame
that torch.compile made must be decompiled, proven and swapped in. Prints a table and what failed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Iterator, List, NamedTuple, Optional

# Sizes by the names that configurations use; what a configuration lacks is left alone.
SMALL = {
    "vocab_size": 64, "hidden_size": 32, "d_model": 32, "n_embd": 32, "dim": 32, "embed_dim": 32,
    "embedding_size": 32, "intermediate_size": 37, "ffn_dim": 37, "d_ff": 37, "hidden_dim": 37,
    "encoder_ffn_dim": 37, "decoder_ffn_dim": 37, "n_inner": 37, "moe_intermediate_size": 16,
    "num_hidden_layers": 2, "n_layer": 2, "n_layers": 2, "num_layers": 2, "encoder_layers": 2,
    "decoder_layers": 2, "num_decoder_layers": 2, "num_attention_heads": 2, "n_head": 2,
    "n_heads": 2, "num_heads": 2, "encoder_attention_heads": 2, "decoder_attention_heads": 2,
    "num_key_value_heads": 2, "head_dim": 16, "d_kv": 16, "max_position_embeddings": 64,
    "n_positions": 64, "num_experts": 4, "num_local_experts": 4, "n_routed_experts": 4,
    "num_experts_per_tok": 2, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
    "image_size": 32, "patch_size": 8, "num_channels": 3, "rotary_dim": 8, "sliding_window": 16,
    "decoder_start_token_id": 0, "kv_lora_rank": 8, "q_lora_rank": 8, "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 8, "v_head_dim": 16, "num_hidden_groups": 1, "state_size": 4,
    "time_step_rank": 4, "attention_probs_dropout_prob": 0.0, "hidden_dropout_prob": 0.0,
    "dropout": 0.0, "attention_dropout": 0.0,
}  # fmt: skip
# Kinds of input that are tried until one is taken.
INPUTS = ("input_ids", "pixel_values")


class Row(NamedTuple):
    name: str
    frames: int
    proven: int
    equal: bool
    kilobytes: int
    plain: float
    captured: float


def candidates() -> Iterator[str]:
    """All kinds of model that `transformers` knows, texts and pictures first."""
    from transformers.models.auto import modeling_auto as auto

    tables = ("MODEL_FOR_CAUSAL_LM_MAPPING_NAMES", "MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES",
              "MODEL_FOR_MASKED_LM_MAPPING_NAMES", "MODEL_MAPPING_NAMES")  # fmt: skip
    yield from dict.fromkeys(kind for table in tables for kind in getattr(auto, table, ()))


def build(kind: str) -> object:
    import torch
    from transformers import AutoConfig, AutoModel

    config = AutoConfig.for_model(kind)
    for name, value in SMALL.items():
        if isinstance(getattr(config, name, None), (int, float)):
            with contextlib.suppress(Exception):
                setattr(config, name, value)
    layers = getattr(config, "layer_types", None)
    if isinstance(layers, list):
        config.layer_types = layers[:2]
    config.use_cache = False
    if sum(value for value in (getattr(config, "hidden_size", 32),) if isinstance(value, int)) > 64:
        raise ValueError("too large")
    # First without memory: what cannot be shrunk may have billions of weights.
    with torch.device("meta"):
        outline = AutoModel.from_config(config)
    if sum(weight.numel() for weight in outline.parameters()) > 3_000_000:
        raise ValueError("too large")
    torch.manual_seed(0)
    return AutoModel.from_config(config).eval()


def inputs_for(model: object) -> Optional[dict[str, object]]:
    """Arguments that the model takes, or None."""
    import torch

    made = {
        "input_ids": torch.arange(3, 15).reshape(1, 12),
        "pixel_values": torch.linspace(-1, 1, 3 * 32 * 32).reshape(1, 3, 32, 32),
    }
    for name in INPUTS:
        try:
            with torch.no_grad():
                model(**{name: made[name]})  # type: ignore[operator]
            return {name: made[name]}
        except Exception:
            continue
    return None


def tensors_of(output: object) -> List[object]:
    import torch
    from torch.utils import _pytree

    leaves, _ = _pytree.tree_flatten(dict(output) if hasattr(output, "keys") else output)
    return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]


def run(model: object, arguments: dict[str, object], backward: bool) -> List[object]:
    import torch

    torch._dynamo.reset()
    torch.manual_seed(1)
    compiled = torch.compile(model, backend="eager")
    with contextlib.nullcontext() if backward else torch.no_grad():
        found = tensors_of(compiled(**arguments))  # type: ignore[operator]
    if backward:
        model.zero_grad()  # type: ignore[attr-defined]
        sum(each.float().sum() for each in found if each.requires_grad).backward()  # type: ignore
        found += [w.grad for w in model.parameters() if w.grad is not None]  # type: ignore
    return [each.detach().clone() for each in found]  # type: ignore[attr-defined]


class Plain(NamedTuple):
    """A model that runs, and what it gives without anybody watching."""

    model: object
    arguments: dict[str, object]
    expected: List[object]
    seconds: float


def run_plainly(kind: str, backward: bool) -> Optional[Plain]:
    model = build(kind)
    arguments = inputs_for(model)
    if arguments is None:
        return None
    start = time.process_time()
    expected = run(model, arguments, backward)
    return Plain(model, arguments, expected, time.process_time() - start)


def run_watched(kind: str, plain: Plain, backward: bool) -> Row:
    import depyf
    from depyf.session.json import from_json

    expected = plain.expected
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        with depyf.prepare_debug(folder):
            found = run(plain.model, plain.arguments, backward)
        captured = time.process_time() - start
        session = from_json(Path(folder, "session.json").read_text(encoding="utf-8"))
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
    frames = [frame for frame in session.frames if frame.transformed is not None]
    for frame in frames:
        if not frame.swapped:
            assert frame.transformed is not None
            print(f"  {kind}: {frame.name} is not proven: {frame.transformed.reason[:300]}")
    for problem in session.problems:
        print(f"  {kind}: {problem}")
    equal = len(expected) == len(found) and all(
        one.equal(other)  # type: ignore[attr-defined]
        for one, other in zip(expected, found)
    )
    proven = sum(frame.swapped for frame in frames)
    return Row(kind, len(frames), proven, equal, size // 1024, plain.seconds, captured)


def quietly(kind: str, backward: bool, verbose: bool) -> Optional[Row]:
    """A model that cannot be built so small, or that torch itself cannot compile, is left out."""
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            plain = run_plainly(kind, backward)
    except Exception as error:
        if verbose:
            print(f"  {kind} is left out: {type(error).__name__}: {str(error)[:200]}")
        return None
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            return run_watched(kind, plain, backward) if plain is not None else None
    except Exception as error:
        print(f"  {kind} fails only when watched: {type(error).__name__}: {str(error)[:300]}")
        return Row(kind, 0, 0, False, 0, 0.0, 0.0)


def show_progress(done: int, wanted: int, kind: str) -> None:
    if sys.stderr.isatty():
        bar = "#" * (30 * done // wanted)
        sys.stderr.write(f"\r[{bar:30}] {done}/{wanted} {kind:40.40}")
    elif done % 10 == 0:
        sys.stderr.write(f"{done} of {wanted} models done\n")
    sys.stderr.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--models", type=int, default=100, help="how many models (default: 100)")
    parser.add_argument("--only", nargs="*", default=None, help="names of kinds, e.g. llama bert")
    parser.add_argument("--verbose", action="store_true", help="say why a model is left out")
    options = parser.parse_args()
    try:
        import transformers
    except ImportError:
        print("zoo: transformers is not installed: pip install transformers", file=sys.stderr)
        return 2
    transformers.logging.set_verbosity_error()
    os.environ["HF_HUB_OFFLINE"] = "1"
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    rows: List[Row] = []
    for kind in options.only or candidates():
        if len(rows) >= options.models:
            break
        row = quietly(kind, len(rows) % 4 == 0, options.verbose)
        if row is not None and (row.frames or not row.equal):
            rows.append(row)
            show_progress(len(rows), options.models, kind)
    return report(rows)


def report(rows: List[Row]) -> int:
    print(f"\n{'model':32} frames proven equal  dump KiB  CPU s plain  captured")
    for row in rows:
        print(
            f"{row.name:32} {row.frames:6} {row.proven:6} {'yes' if row.equal else 'NO':>5}"
            f" {row.kilobytes:9} {row.plain:12.2f} {row.captured:9.2f}"
        )
    frames, proven = sum(row.frames for row in rows), sum(row.proven for row in rows)
    unequal = [row.name for row in rows if not row.equal]
    print(
        f"\n{len(rows)} models, {proven} of {frames} frames proven, unequal: {unequal or 'none'}; "
        f"{sum(row.kilobytes for row in rows) // 1024} MiB of dumps, CPU time"
        f" {sum(row.plain for row in rows):.0f} s plain,"
        f" {sum(row.captured for row in rows):.0f} s captured"
    )
    return 0 if proven == frames and not unequal else 1


if __name__ == "__main__":
    sys.exit(main())
