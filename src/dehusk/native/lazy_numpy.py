"""numpy as `np`, imported when something of it is first used.

Importing numpy takes half of the time that a program needs to start and clean one page, and a page that is only made
text needs none of it: its columns stay in the compiled part. So modules that cleaning one page imports take `np` from
here, and use it in functions only, not while they are imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["np"]

if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        """Has what numpy has; each name is looked for once."""

        def __getattr__(self, name: str) -> object:
            import numpy

            found = vars(self)[name] = getattr(numpy, name)
            return found

    np = _Numpy()
