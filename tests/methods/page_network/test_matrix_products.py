"""Products in parts are products."""

from __future__ import annotations

import numpy as np
import pytest

from dehusk.methods.page_network.matrix_products import LARGEST, multiply

DEPTH, WIDTH = 40, 25
ROWS_AT_ONCE = LARGEST // (DEPTH * WIDTH)


@pytest.mark.parametrize("rows", [0, 1, ROWS_AT_ONCE, ROWS_AT_ONCE + 1, 3 * ROWS_AT_ONCE, 3 * ROWS_AT_ONCE + 7])
def test_as_in_one_go(rows: int) -> None:
    random = np.random.default_rng(rows)
    values, weights = (random.normal(size=shape).astype(np.float32) for shape in ((rows, DEPTH), (DEPTH, WIDTH)))
    product = multiply(values, weights)
    assert product.dtype == np.float32
    assert product.shape == (rows, WIDTH)
    assert product == pytest.approx(values.astype(np.float64) @ weights, abs=1e-4)


def test_weights_larger_than_that_go_row_by_row() -> None:
    weights = np.ones((1000, LARGEST // 1000 + 1), dtype=np.float32)
    assert (multiply(np.ones((3, 1000), dtype=np.float32), weights) == 1000).all()
