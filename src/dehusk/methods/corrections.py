"""Corrections that a person made on a site: keep or drop what is at a position, in a container, or looks the same.

They are part of the site's model: a file carries them, and learning more pages keeps them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dehusk.page.stable_hashing import Keys, find_keys

if TYPE_CHECKING:
    from dehusk.methods.block_keys import BlockKeys, Containers

MOST_CORRECTIONS: Final = 10_000
"""Corrections of a site. A person makes some dozens; the bound keeps model files and pages cheap to handle."""
_KEYS, _VALUES = "corrections_keys", "corrections_values"
"""Names of the arrays in model files."""


class Scope(StrEnum):
    """What a correction applies to, from the most general to the most special, which wins."""

    LOOK = "look"
    """All blocks of the site whose element has the same style signature."""
    CONTAINER = "container"
    """All blocks in the element at a template position; of nested elements the inner one wins."""
    PLACE = "place"
    """The block at a template position, on every page."""
    BLOCK = "block"
    """One block of one page."""


_SCOPES: Final = tuple(Scope)
"""Model files store the number of the scope: only append."""


@dataclass(frozen=True, eq=False)
class Corrections:
    """The corrections of a site, one entry each; no two with the same scope and key."""

    scope: NDArray[np.int8]
    """Number of the scope in `Scope`."""
    key: Keys
    verdict: NDArray[np.int8]
    """1 keeps, -1 drops."""

    def __len__(self) -> int:
        return len(self.key)

    @classmethod
    def of(cls, given: Iterable[tuple[str, int, bool]]) -> Self:
        """Corrections as (scope, key, keep); of equal scopes and keys the last one counts."""
        last = {(_SCOPES.index(Scope(scope)), key): 1 if keep else -1 for scope, key, keep in given}
        return cls(
            np.array([scope for scope, _ in last], dtype=np.int8),
            np.array([key for _, key in last], dtype=np.uint64),
            np.array(list(last.values()), dtype=np.int8),
        )

    def __add__(self, other: Self) -> Self:
        """The corrections of both; where they disagree, those of the other count."""
        return self.of([*self, *other])

    def __iter__(self) -> Any:
        scopes = [_SCOPES[number] for number in self.scope.tolist()]
        return zip(scopes, self.key.tolist(), (self.verdict > 0).tolist(), strict=True)

    def verdicts(self, blocks: BlockKeys) -> NDArray[np.int8]:
        """int8, one entry a block: 1 keep, -1 drop, 0 no correction."""
        decided = np.zeros(len(blocks.text), dtype=np.int8)
        for scope, keys, verdict in self._tables:
            if scope is Scope.CONTAINER:
                _decide_containers(decided, blocks.containers, keys, verdict)
            else:
                found = find_keys(keys, keys_in_scope(blocks, scope))
                decided[found >= 0] = verdict[found[found >= 0]]
        return decided

    @cached_property
    def _tables(self) -> list[tuple[Scope, Keys, NDArray[np.int8]]]:
        """(scope, sorted keys, verdicts) of each scope that is used, the most general first."""
        tables = []
        for number, scope in enumerate(_SCOPES):
            members = np.flatnonzero(self.scope == number)
            members = members[np.argsort(self.key[members], kind="stable")]
            if len(members):
                tables.append((scope, self.key[members], self.verdict[members]))
        return tables

    def as_arrays(self) -> dict[str, NDArray[Any]]:
        """Arrays for a model file; none without corrections."""
        if not len(self):
            return {}
        return {_KEYS: self.key, _VALUES: np.stack([self.scope, self.verdict], axis=1)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The corrections in a model file; ValueError if they are not valid."""
        if _KEYS not in arrays or _VALUES not in arrays:
            return cls.of(())
        keys, values = arrays[_KEYS], arrays[_VALUES]
        if keys.dtype != np.uint64 or values.dtype != np.int8 or values.shape != (len(keys), 2) or keys.ndim != 1:
            raise ValueError("corrections have the wrong shape")
        scope, verdict = values[:, 0], values[:, 1]
        if len(keys) > MOST_CORRECTIONS or not np.isin(verdict, (1, -1)).all():
            raise ValueError("corrections that cannot be")
        if len(keys) and not 0 <= scope.min() <= scope.max() < len(_SCOPES):
            raise ValueError("corrections of an unknown scope")
        return cls.of(
            (_SCOPES[number], key, kept > 0)
            for number, key, kept in zip(scope.tolist(), keys.tolist(), verdict.tolist(), strict=True)
        )


NO_CORRECTIONS: Final = Corrections.of(())


@runtime_checkable
class Corrected(Protocol):
    """A model that carries corrections."""

    @property
    def corrections(self) -> Corrections:
        """What a person decided on the site."""


def keys_in_scope(blocks: BlockKeys, scope: Scope) -> Keys:
    """uint64, one entry a block: what a correction of this scope is looked up by. Containers have several each."""
    return {Scope.LOOK: blocks.style, Scope.PLACE: blocks.position, Scope.BLOCK: blocks.on_page}[scope]


def _decide_containers(
    decided: NDArray[np.int8], containers: Containers, keys: Keys, verdict: NDArray[np.int8]
) -> None:
    """Outer elements come first, so inner ones overwrite them. At most as many are found as there are corrections."""
    found = find_keys(keys, containers.key)
    for element in np.flatnonzero(found >= 0).tolist():
        decided[containers.first[element] : containers.end[element]] = verdict[found[element]]
