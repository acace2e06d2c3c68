"""Values of attributes, one by one and several at once."""

from __future__ import annotations

import numpy as np

from dehusk.page.page_reading import read_page


def test_several_values_are_those_asked_for_one_by_one() -> None:
    page = read_page('<p class="té" id=""><a class=b href="/茶?a=1">x</a><i class="té">y</i>')
    values = page.attribute_value
    order = np.array([*range(len(values))[::-1], 0, 0])
    assert values.several(order) == [values[index] for index in order.tolist()]
    assert values.several(order[:0]) == []
    assert [value for _, value in page.with_attribute("class")] == ["té", "b", "té"]


def test_a_page_without_attributes_has_no_values() -> None:
    assert list(read_page("<p>x").with_attribute("class")) == []
