"""Discretisation and attributes."""

from __future__ import annotations

import numpy as np
import pytest

import dehusk
from dehusk.methods.sequence_labels.feature_templates import (
    COMBINATIONS,
    EDGES,
    TEMPLATE,
    AttributeTable,
    discretise,
    number_of_values,
    observations,
)
from dehusk.methods.sequence_labels.run_features import DOCUMENT, EXPERIMENTS, FEATURE_NAMES
from dehusk.methods.sequence_labels.text_runs import find_text_runs


def test_every_feature_has_rising_edges_and_offsets() -> None:
    assert set(EDGES) == set(TEMPLATE) == set(FEATURE_NAMES)
    assert all((np.diff(edges) > 0).all() for edges in EDGES.values())
    assert all(0 in offsets and tuple(sorted(set(offsets))) == offsets for offsets in TEMPLATE.values())
    assert all(TEMPLATE[name] == (0,) for name in DOCUMENT)


def test_a_value_starts_at_its_edge() -> None:
    edges = EDGES["split.br"]
    assert edges == (1, 2, 3)
    numbers = np.array([[0], [0.99], [1], [2], [2.5], [3], [1000]])
    assert discretise(numbers, ["split.br"])[:, 0].tolist() == [0, 0, 1, 2, 2, 3, 3]
    assert number_of_values("split.br") == 4


def test_all_is_a_share_of_its_own() -> None:
    most, everything = discretise(np.array([[0.999], [7 / 7]]), ["char.alpha-rel"])[:, 0]
    assert everything == most + 1 == number_of_values("char.alpha-rel") - 1


SMALL = AttributeTable(("container.a", "split.br"), {"container.a": (-1, 0), "split.br": (0, 2)})


def test_attributes_of_a_small_template() -> None:
    assert len(SMALL) == len(SMALL.names) == 3 + 2 + 4 + 5
    values = np.array([[0, 3], [1, 2], [0, 0]], dtype=np.uint8)
    named = [[SMALL.names[attribute] for attribute in row] for row in SMALL.observe(values).tolist()]
    assert named == [
        ["container.a[-1]=none", "container.a[0]=0", "split.br[0]=3", "split.br[2]=0"],
        ["container.a[-1]=0", "container.a[0]=1", "split.br[0]=2", "split.br[2]=none"],
        ["container.a[-1]=1", "container.a[0]=0", "split.br[0]=0", "split.br[2]=none"],
    ]


def test_a_combination_has_an_attribute_for_all_its_values_together() -> None:
    terms = (("container.a", 0), ("split.br", 1))
    table = AttributeTable(("container.a", "split.br"), {"container.a": (0,), "split.br": (0,)}, (terms,))
    assert len(table) == 2 + 4 + 2 * 5
    named = [table.names[row[-1]] for row in table.observe(np.array([[1, 3], [0, 2]], dtype=np.uint8)).tolist()]
    assert named == ["container.a[0]=1 & split.br[1]=2", "container.a[0]=0 & split.br[1]=none"]
    without = AttributeTable(("container.a",), {"container.a": (0,)}, (terms,))
    assert len(without) == 2, "a feature of it is switched off"


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_attributes_of_some_features_are_those_of_a_table_without_the_others(experiment: str) -> None:
    every, features = AttributeTable(), EXPERIMENTS[experiment]
    chosen = np.flatnonzero(every.uses_only(features)).tolist()
    assert tuple(every.names[attribute] for attribute in chosen) == AttributeTable(features).names


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_observations_by_brute_force(experiment: str) -> None:
    features = EXPERIMENTS[experiment]
    table = AttributeTable(features)
    sizes = [number_of_values(name) for name in features]
    values = np.random.default_rng(7).integers(0, sizes, size=(9, len(features)), dtype=np.uint8)
    number = {name: position for position, name in enumerate(table.names)}
    assert len(number) == len(table)
    for run, row in enumerate(table.observe(values).tolist()):
        seen = {
            (name, offset): f"{name}[{offset}]={values[run + offset, column] if 0 <= run + offset < 9 else 'none'}"
            for column, name in enumerate(features)
            for offset in (-2, -1, 0, 1, 2)
        }
        wanted = {seen[name, offset] for name in features for offset in TEMPLATE[name]}
        wanted |= {
            " & ".join(seen[term] for term in terms) for terms in COMBINATIONS if all(term in seen for term in terms)
        }
        assert {table.names[attribute] for attribute in row} == wanted
        assert len(row) == len(wanted)


def test_observations_of_a_page() -> None:
    runs = find_text_runs(dehusk.segment(dehusk.read_page("<p>a<br><br>b <a href=x>c</a>")))
    named = [[SMALL.names[attribute] for attribute in row] for row in observations(runs, SMALL).tolist()]
    assert named == [
        ["container.a[-1]=none", "container.a[0]=0", "split.br[0]=0", "split.br[2]=0"],
        ["container.a[-1]=0", "container.a[0]=0", "split.br[0]=2", "split.br[2]=none"],
        ["container.a[-1]=0", "container.a[0]=1", "split.br[0]=0", "split.br[2]=none"],
    ]


@pytest.mark.parametrize("size", [0, 1, 2, 50_000])
def test_pages_of_any_size(size: int) -> None:
    table = AttributeTable()
    attributes = table.observe(np.zeros((size, 46), dtype=np.uint8))
    assert attributes.shape == (size, len(table.columns))
    assert attributes.dtype == np.int32
    assert not size or (attributes.min() >= 0 and attributes.max() < len(table))
