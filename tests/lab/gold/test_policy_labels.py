"""Labels by the content policy: keys, files, and pages that fit them or do not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.blocks.segmentation import segment
from dehusk.errors import GoldError
from dehusk.lab.gold.corpora import is_kept_aside, site_of_labelled
from dehusk.lab.gold.policy_labels import (
    LABELLED_TYPES,
    LabelledPolicyPage,
    PolicyLabel,
    block_keys,
    digest_of_page,
    labelled_pages,
    masks,
    read_labels,
    write_labels,
)
from dehusk.page.page_reading import read_page

LABELS = Path(__file__).parents[3] / "labels"
ASIDE = LABELS / "kept-aside"
HTML = b"<title>Tea</title><ul><li>Home<li>Tea</ul><h1>Tea</h1><p>Steep it for long.<p>Anna: not that long!"
KEYS = block_keys(segment(read_page(HTML)).texts)
LABEL = PolicyLabel(
    "gold/written", "1", digest_of_page(HTML), "article", KEYS[3:5], comments=KEYS[5:], doubtful=KEYS[3:4]
)


class TestKeys:
    def test_white_space_and_case_do_not_count(self) -> None:
        assert block_keys(["Steep it"])[0] == block_keys([" steep\n IT\u00a0"])[0] != block_keys(["Steep"])[0]

    def test_equal_texts_are_numbered(self) -> None:
        first, other, second, third = block_keys(["Tea", "Pot", "tea", "T e a"])
        assert (second, third) == (f"{first}-2", f"{first}-3")
        assert other.isalnum()

    @given(st.lists(st.text(max_size=4), max_size=20))
    def test_no_two_blocks_share_one(self, texts: list[str]) -> None:
        assert len(set(block_keys(texts))) == len(texts)

    def test_half_a_character_has_one(self) -> None:
        assert len(block_keys(["\ud800"])) == 1


class TestFiles:
    def test_round_trip(self, tmp_path: Path) -> None:
        bare = PolicyLabel("gold/written", "é", "00", "nothing", ())
        written = (LABEL, replace(LABEL, page="2", note="is it tea?"), bare)
        write_labels(tmp_path / "a.jsonl", written)
        assert read_labels(tmp_path / "a.jsonl") == written

    def test_a_folder_is_read_in_the_order_of_names(self, tmp_path: Path) -> None:
        for name in ("b", "a"):
            write_labels(tmp_path / f"{name}.jsonl", [replace(LABEL, page=name)])
        (tmp_path / "notes.txt").write_text("no labels")
        assert [label.page for label in read_labels(tmp_path)] == ["a", "b"]

    @pytest.mark.parametrize(
        "line",
        [
            *("", "tea", "[]", "7", "null", "{}", '{"page_type":"article"}', "[" * 100_000),
            *(json.dumps({"corpus": "a", "page": "b", "page_type": "article", "digest": "c", "colour": 1}),),
        ],
    )
    def test_other_lines_are_refused(self, tmp_path: Path, line: str) -> None:
        write_labels(tmp_path / "a.jsonl", [LABEL])
        with open(tmp_path / "a.jsonl", "a", encoding="utf-8") as file:
            file.write(line + "\n")
        with pytest.raises(GoldError, match=r"a\.jsonl, line 2: is not a line of labels"):
            read_labels(tmp_path / "a.jsonl")

    @pytest.mark.parametrize(
        ("field", "value"),
        [("content", 5), ("content", None), ("content", "ab"), ("doubtful", [1]), ("page", 1), ("page_type", ["data"])],
    )
    def test_values_of_another_kind_are_refused(self, tmp_path: Path, field: str, value: object) -> None:
        line = {"corpus": "a", "page": "b", "page_type": "article", "digest": "c", field: value}
        (tmp_path / "a.jsonl").write_text(json.dumps(line))
        with pytest.raises(GoldError, match="line 1: has a value of the wrong kind"):
            read_labels(tmp_path / "a.jsonl")

    def test_unknown_types_are_refused_in_short(self, tmp_path: Path) -> None:
        write_labels(tmp_path / "a.jsonl", [replace(LABEL, page_type="poem" * 10_000)])
        with pytest.raises(GoldError, match=r"has the unknown type 'poempoem.*use one of article, ") as refused:
            read_labels(tmp_path / "a.jsonl")
        assert len(str(refused.value)) < 1000

    @pytest.mark.parametrize("content", [None, b"\xff\xfe\xff"])
    def test_files_that_cannot_be_read_are_refused(self, tmp_path: Path, content: bytes | None) -> None:
        if content is not None:
            (tmp_path / "a.jsonl").write_bytes(content)
        with pytest.raises(GoldError, match=r"a\.jsonl: cannot be read"):
            read_labels(tmp_path / "a.jsonl")


class TestMasks:
    def test_are_of_the_blocks_that_the_labels_name(self) -> None:
        content, comments, doubtful = masks(LABEL, KEYS)
        assert content.tolist() == [False, False, False, True, True, False]
        assert comments.tolist() == [False] * 5 + [True]
        assert doubtful.tolist() == [False] * 3 + [True, False, False]

    @pytest.mark.parametrize("field", ["content", "comments", "doubtful"])
    def test_labels_of_no_block_are_refused(self, field: str) -> None:
        lost = replace(LABEL, **{field: ("00000000", "00000000-2")})
        with pytest.raises(GoldError, match="gold/written:1: 2 of its labels are of no block of the page"):
            masks(lost, KEYS)


class TestPages:
    @pytest.fixture
    def data(self, tmp_path: Path) -> Path:
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow.parquet import write_table

        (tmp_path / "gold").mkdir()
        rows = [
            {"id": str(number), "site": "a", "url": "", "html": html, "gold": "Home", "page_type": "forum"}
            for number, html in enumerate((b"<p>Home", HTML))
        ]
        write_table(pyarrow.Table.from_pylist(rows), tmp_path / "gold" / "written.parquet")
        return tmp_path

    def read(self, data: Path, label: PolicyLabel) -> list[LabelledPolicyPage]:
        return list(labelled_pages([label], data))

    def test_have_the_text_of_their_blocks_as_gold(self, data: Path) -> None:
        (page,) = self.read(data, LABEL)
        assert page.label is LABEL
        assert (page.gold.gold, page.gold.gold_comments) == ("Tea\nSteep it for long.", "Anna: not that long!")
        assert page.gold.page_type == "article"
        assert page.content.tolist() == [False, False, False, True, True, False]
        assert len(page.blocks) == len(page.comments) == len(page.doubtful) == 6

    def test_that_the_data_lacks_are_left_out(self, data: Path) -> None:
        assert self.read(data, replace(LABEL, page="2")) == []

    def test_that_changed_are_refused(self, data: Path) -> None:
        with pytest.raises(GoldError, match="written:0: is not the page that was labelled"):
            self.read(data, replace(LABEL, page="0"))

    def test_that_are_cut_in_another_way_are_refused(self, data: Path) -> None:
        with pytest.raises(GoldError, match=r"1 of its labels are of no block.*label it again"):
            self.read(data, replace(LABEL, content=(*LABEL.content, "00000000")))


class TestLabelsOfTheRepository:
    def test_are_of_as_many_pages_as_the_policy_says(self) -> None:
        labels = [*read_labels(LABELS), *read_labels(ASIDE)]
        assert len({(label.corpus, label.page) for label in labels}) == len(labels) == 3946
        assert {label.page_type for label in labels} == set(LABELLED_TYPES)
        assert sum(label.corpus.startswith("more-pages/") for label in labels) == 1761

    def test_second_labels_are_of_pages_that_have_first_ones(self) -> None:
        first = {(label.corpus, label.page): label for label in (*read_labels(LABELS), *read_labels(ASIDE))}
        second = read_labels(LABELS / "second")
        known = [label for label in second if (label.corpus, label.page) in first]
        assert all(first[label.corpus, label.page].digest == label.digest for label in known)
        # The first reader kept nothing of four pages: these are left out.
        assert (len(second), len(known)) == (173, 169)

    @pytest.mark.parametrize("folder", [LABELS, ASIDE])
    def test_hold_no_text_of_pages(self, folder: Path) -> None:
        for label in read_labels(folder):
            keys = [*label.content, *label.comments, *label.doubtful]
            assert all(set(key) <= set("0123456789abcdef-") for key in keys)
            assert label.content
            assert not set(label.content) & set(label.comments)

    @pytest.mark.parametrize(("folder", "is_aside"), [(LABELS, False), (ASIDE, True)])
    def test_all_are_of_blocks_of_their_pages_and_on_their_side(
        self, data_folder: Path, folder: Path, is_aside: bool
    ) -> None:
        labels = read_labels(folder)
        sides = [is_kept_aside(site_of_labelled(page.gold)) for page in labelled_pages(labels, data_folder)]
        assert sides == [is_aside] * len(labels)


def test_a_fifth_of_the_sites_is_kept_aside() -> None:
    aside = sum(is_kept_aside(f"site-{number}.example") for number in range(5000))
    assert 900 < aside < 1100
    assert [is_kept_aside(site) for site in ("a.example", "d.example", "l.example", "\ud800")] == [
        False,
        True,
        True,
        False,
    ]
