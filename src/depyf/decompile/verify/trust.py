"""What a proof may take for granted about the world outside of the two code objects.

Nothing, by default. Each fact is a promise of whoever asks for the proof: the names say what of.
"""

from __future__ import annotations

from typing import FrozenSet, Mapping, Set, Tuple


class Trust:
    """`builtins` are globals of the candidate that mean the builtins of that name.

    `silent` are attributes of globals that can be looked up and called unseen, or not at all,
    `flags` such that can be looked up unseen and are True or False. `sequences` are globals that
    always mean one function; its calls return a plain tuple or list that nobody else keeps, with
    an item for every index that is read. `fixed` are globals that always mean one object. When a
    local in `scratch` is deleted makes no difference.
    """

    __slots__ = ("builtins", "fixed", "flags", "scratch", "sequences", "silent")

    def __init__(
        self,
        builtins: FrozenSet[str] = frozenset(),
        silent: Mapping[str, FrozenSet[str]] = {},
        sequences: FrozenSet[str] = frozenset(),
        scratch: FrozenSet[str] = frozenset(),
        flags: Mapping[str, FrozenSet[str]] = {},
        fixed: FrozenSet[str] = frozenset(),
    ) -> None:
        self.flags = flags
        self.fixed = fixed
        self.builtins = builtins
        self.silent = silent
        self.sequences = sequences
        self.scratch = scratch

    def with_builtins(self, builtins: FrozenSet[str]) -> Trust:
        return Trust(builtins, self.silent, self.sequences, self.scratch, self.flags, self.fixed)

    def without(self, names: Set[str]) -> Trust:
        """What is left when these globals may come to mean something else."""
        if not names:
            return self
        return Trust(
            self.builtins - names,
            {name: kept for name, kept in self.silent.items() if name not in names},
            self.sequences - names,
            self.scratch,
            {name: kept for name, kept in self.flags.items() if name not in names},
            self.fixed - names,
        )

    def named(self) -> Tuple[str, ...]:
        """The globals it is about, for the reason given with a proof."""
        return tuple(sorted(self.builtins))


NO_TRUST = Trust()
