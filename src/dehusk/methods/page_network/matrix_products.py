"""Matrix products on one thread."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

LARGEST: Final = 500_000
"""Multiplications in one call of the linear algebra library. OpenBLAS, which comes with numpy, splits products of
524,288 and more between threads. Those of a page are so small that on a machine with two busy cores the threads took
four times as long as one thread alone; and batches run one process per core anyway.
"""


def multiply(values: Floats, weights: Floats) -> Floats:
    """float32, m x width: m x depth values times depth x width weights, some rows at a time."""
    rows = max(LARGEST // weights.size, 1)
    if len(values) <= rows:
        return values @ weights
    depth, width = weights.shape
    product = np.empty((len(values), width), dtype=np.float32)
    even = len(values) // rows * rows
    np.matmul(values[:even].reshape(-1, rows, depth), weights, out=product[:even].reshape(-1, rows, width))
    np.matmul(values[even:], weights, out=product[even:])
    return product
