"""Scores of benchmarks/labelled_structure.py, which compares Markdown with labelled structure."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"

LABEL: dict[str, Any] = {
    "corpus": "gold/made-up",
    "page": "tea",
    "url": "https://tea.example/brewing/green.html",
    "title": "Green tea",
    "headings": [[2, "Water"], [3, "Leaves"]],
    "items": [
        "2 cups of soft water",
        "A kettle that tells the temperature, or some patience beside one[…]that does not tell it",
    ],
    "rows": [["Sencha", "70 °C"], ["Gyokuro", "55 °C"]],
    "quotes": ["Tip Warm the pot before you brew."],
    "code": [["python", "steep(minutes=2)"]],
    "images": [{"addresses": ["pot.jpg", "https://tea.example/big/pot.jpg"]}],
    "links": [["a shop", "../shop?kind=green tea"]],
    "notes": [["1", "Hara, Green tea, 2001."]],
    "formulas": ["t = \\frac{1}{2}"],
    "doubtful": {"items": ["Also on this site"], "links": [["", "/big/pot.jpg"]]},
}
MARKDOWN = """# Green tea

## Water

#### Leaves

- 2 cups of soft water
- A kettle that tells the temperature, or some patience beside one that cannot, and that does not tell it
- Also on this site: black tea

| | |
|---|---|
| Sencha | 70 °C |
| Gyokuro | 95 °C |

> Warm the pot before you brew.

```python
steep(minutes=2)
```

[![Pot](/brewing/pot.jpg)](/big/pot.jpg) costs $8 in [this shop](https://tea.example/shop?kind=green%20tea)[^1]
or $9 in [another](https://other.example/), see [above](#water). It is $t = \\frac{1}{2}$.

[^1]: Hara, *Green tea*, 2001.
"""


@pytest.fixture
def structure(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.delitem(sys.modules, "labelled_structure", raising=False)
    import labelled_structure

    return labelled_structure


def scored(structure: Any, markdown: str, label: dict[str, Any] = LABEL) -> Any:
    where = structure.Where(label)
    return structure.score(label, structure.read_markdown(markdown, where), where)


class TestOnePage:
    @pytest.mark.parametrize("kind", ["title", "headings", "items", "quotes", "code", "images", "notes", "formulas"])
    def test_elements_that_are_there(self, structure: Any, kind: str) -> None:
        count = scored(structure, MARKDOWN)[kind]
        assert (count.there, count.missing, count.wrong) == (count.wanted, (), ())
        assert count.there > 0

    def test_a_heading_at_another_level_is_found_but_not_at_its_level(self, structure: Any) -> None:
        assert scored(structure, MARKDOWN)["levels"] == structure.Count(1, ([3, "Leaves"],), ((4, "Leaves"),))

    def test_a_row_needs_all_its_cells(self, structure: Any) -> None:
        assert scored(structure, MARKDOWN)["rows"] == structure.Count(
            1, (["Gyokuro", "55 °C"],), (["Gyokuro", "95 °C"],)
        )

    def test_links_have_the_same_address_and_lead_away(self, structure: Any) -> None:
        assert scored(structure, MARKDOWN)["links"] == structure.Count(1, (), ("https://other.example/",))

    def test_each_label_counts_once(self, structure: Any) -> None:
        assert scored(structure, "- 2 cups of soft water\n- 2 cups of soft water")["items"].wrong == (
            "2 cups of soft water",
        )

    def test_nothing_found(self, structure: Any) -> None:
        counts = scored(structure, "")
        assert {kind for kind, count in counts.items() if count.there or count.wrong} == set()
        assert counts["items"].wanted == 2

    def test_numbers_of_items_are_text_or_marks(self, structure: Any) -> None:
        label = {**LABEL, "items": ["1. Boil some water"]}
        assert scored(structure, "1. Boil some water", label)["items"] == structure.Count(1)

    def test_notes_may_be_items(self, structure: Any) -> None:
        counts = scored(structure, "- Hara, Green tea, 2001.")
        assert (counts["items"].wrong, counts["notes"].wanted, counts["notes"].there) == ((), 1, 0)

    def test_a_short_text_is_not_the_beginning_of_another(self, structure: Any) -> None:
        assert not structure.alike("Water", "Water and leaves")
        assert structure.alike("W a t e r[…]end", "Water and leaves")

    def test_a_quotation_may_begin_with_the_mark_of_what_is_left_out(self, structure: Any) -> None:
        label = {**LABEL, "quotes": ["[…] I am writing to inform you."]}
        assert scored(structure, "> […] I am writing to inform you.", label)["quotes"] == structure.Count(1)


class TestAllPages:
    def test_by_element_and_by_page(self, structure: Any) -> None:
        counts = [structure.Count(3, (), ("wrong",)), structure.Count(0, ("missing",))]
        assert structure.by_element(counts) == [0.75, 0.75, 0.75]
        assert structure.mean_of_pages(counts) == [0.75, 0.5, pytest.approx(6 / 7 / 2)]

    def test_no_elements_at_all(self, structure: Any) -> None:
        assert structure.by_element([structure.Count(0)]) == [None] * 3
        assert structure.shown(None) == "-"


@pytest.mark.parametrize(("name", "pages", "untitled"), [("gold", 40, 0), ("closed", 74, 2)])
def test_labels_are_of_known_kinds(structure: Any, name: str, pages: int, untitled: int) -> None:
    labels = structure.read_labels(structure.LABELS.with_name(f"{name}.jsonl"))
    described = {"corpus", "page", "digest", "page_type", "url", "base", "doubtful"}
    kinds = set(structure.KINDS) - {"levels"}
    assert len(labels) == pages
    assert {field for label in labels for field in label} <= described | kinds
    assert {field for label in labels for field in label.get("doubtful", {})} <= kinds
    assert sum(not label.get("title") for label in labels) == untitled, "two old pages show none"


def test_labels_that_cannot_be_read(structure: Any, tmp_path: Path) -> None:
    from dehusk.errors import GoldError

    (tmp_path / "broken.jsonl").write_text("{")
    with pytest.raises(GoldError, match=r"broken\.jsonl: cannot be read"):
        structure.read_labels(tmp_path / "broken.jsonl")
