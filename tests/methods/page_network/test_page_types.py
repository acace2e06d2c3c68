"""What tells the types of pages apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.errors import ModelError
from dehusk.methods.model_files import read_model_file, write_model_file
from dehusk.methods.page_network.page_types import (
    ANY_PAGE,
    LIKELIHOODS,
    PAGE_TYPES,
    TypeWeights,
    clue_values,
    type_clues,
)
from dehusk.methods.page_network.trained_weights import Trained, load_trained
from dehusk.page.page_reading import read_page

DOUBT = np.full(len(PAGE_TYPES), 1 / len(PAGE_TYPES), dtype=np.float32)
FORUM, PRODUCT = PAGE_TYPES.index("forum"), PAGE_TYPES.index("product")


def speaking_for(kind: int, weight: float = 3.0) -> np.ndarray:
    return np.where(np.arange(len(PAGE_TYPES)) == kind, weight, 0.0).astype(np.float32)


class TestClues:
    def test_of_an_address(self) -> None:
        page = read_page("<p>text", url="https://forum.Example.org/Threads/how-do-i-descale-it/?page=12")
        assert type_clues(page) == {
            "host forum",
            "host example",
            "address of 2 steps",
            *(f"address {word}" for word in "threads how descale page".split()),
            "address with title",
        }
        assert "address with date" in type_clues(read_page("<p>text", url="https://a.example/2026/11/16/kettles"))
        assert "address of 0 steps" in type_clues(read_page("<p>text", url="https://a.example"))

    def test_of_the_address_that_a_page_without_one_names_itself(self) -> None:
        html = '<link rel=canonical href="https://forum.example/topic/7"><p>text'
        assert {"host forum", "address topic"} <= type_clues(read_page(html))
        assert "host forum" not in type_clues(read_page(html, url="https://a.example/copy"))

    def test_of_the_head(self) -> None:
        page = read_page(
            '<meta property="og:type" content=" Product "><div itemtype="https://schema.org/Offer/">x</div>'
        )
        assert type_clues(page) == {"og product", "schema Offer"}

    def test_of_scripts(self) -> None:
        script = '{"@type": ["QAPage"], "mainEntity": {"@type":"http://schema.org/Question", "name": "Why?"}}'
        assert type_clues(read_page(f'<script type="application/ld+json">{script}</script><p>text')) == {
            "schema QAPage",
            "schema Question",
        }

    @pytest.mark.parametrize("url", ["", "not an address", "http://[", "https://", "about:blank", "x" * 100_000])
    def test_of_no_address(self, url: str) -> None:
        assert not type_clues(read_page("<p>text", url=url))

    @given(st.text(max_size=60), st.text(max_size=60))
    def test_of_anything(self, url: str, content: str) -> None:
        script = f'<script type="application/ld+json">"@type":"{content}</script>'
        html = f'<meta property="og:type" content="{content}">{script}'
        assert all(len(clue) < 60 for clue in type_clues(read_page(html, url=f"https://{url}")))

    def test_are_few(self) -> None:
        script = "".join(f'{{"@type":"Kind{number}"}},' for number in range(1000))
        assert len(type_clues(read_page(f'<script type="application/ld+json">{script}</script>'))) == 200

    @pytest.mark.parametrize("script", ['"@type"' + " " * 199_000, '"@type":' + "[ " * 99_000, '"@type":' * 24_000])
    def test_of_a_script_that_never_says_it(self, script: str) -> None:
        """With backtracking each of these would take minutes."""
        assert not type_clues(read_page(f'<script type="application/ld+json">{script}</script>'))


class TestFile:
    def test_clues_without_weights_are_refused(self, tmp_path: Path) -> None:
        load_trained().save(tmp_path / "a.dehusk")
        file = read_model_file(tmp_path / "a.dehusk")
        for clues in ([*file.settings["clues"], "one more"], 7):
            write_model_file(tmp_path / "b.dehusk", replace(file, settings={**file.settings, "clues": clues}))
            with pytest.raises(ModelError):
                Trained.load(tmp_path / "b.dehusk")

    def test_a_training_without_clues_goes_by_the_network(self, tmp_path: Path) -> None:
        replace(load_trained(), types=TypeWeights()).save(tmp_path / "a.dehusk")
        assert not Trained.load(tmp_path / "a.dehusk").types.weights


class TestWeights:
    def test_without_any_the_network_decides(self) -> None:
        assert TypeWeights().likely(DOUBT, {"host forum"}) is DOUBT

    def test_clues_are_added_to_what_the_network_says(self) -> None:
        as_network = dict(zip(LIKELIHOODS, np.eye(len(PAGE_TYPES), dtype=np.float32), strict=True))
        weights = TypeWeights({**as_network, "host forum": speaking_for(FORUM), "og product": speaking_for(PRODUCT, 9)})
        assert weights.likely(DOUBT, {"unheard of"}) == pytest.approx(DOUBT)
        forum = weights.likely(DOUBT, {"host forum", "unheard of"})
        assert forum[FORUM] == pytest.approx(np.exp(3) / (np.exp(3) + len(PAGE_TYPES) - 1), abs=1e-4)
        assert forum.sum() == pytest.approx(1)
        assert weights.likely(DOUBT, {"host forum", "og product"}).argmax() == PRODUCT

    def test_the_network_is_never_taken_to_be_certain(self) -> None:
        certain = np.eye(len(PAGE_TYPES), dtype=np.float32)[FORUM]
        values = clue_values(certain, ["og product"])
        assert values["og product"] == values[ANY_PAGE] == 1
        assert -8 < values[LIKELIHOODS[PRODUCT]] < -5
