"""What a rule says of blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from dehusk.native.lazy_numpy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Verdicts: TypeAlias = "NDArray[np.int8]"
"""int8 per block: KEEP, DROP, or 0 for no verdict."""
KEEP: Final = 1
DROP: Final = -1
"""As in `native/src/deciding/situations.rs`."""

FEWEST_CHARACTERS: Final = 200
"""Characters that must be left of a page for a rule to drop the rest: two or three sentences, the shortest text
published as an article."""
