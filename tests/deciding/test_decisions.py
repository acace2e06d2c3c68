"""Scores -> keep or drop, for any method."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.deciding.decisions import Decision, LabelledBlocks, correct, decide, judge_blocks, label_blocks
from dehusk.deciding.rules import RULES
from dehusk.methods.base import Favour, Judgement, Reasons, Scores


class FixedModel:
    """Says what it was told to say."""

    method = "fixed"

    def __init__(self, scores: list[float], threshold: float) -> None:
        self.threshold = threshold
        self._scores = np.array(scores, dtype=np.float32)

    def score_blocks(self, blocks: Blocks) -> Scores:
        return self._scores.copy()

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        return (("told so",),) * len(blocks)


def label(scores: list[float], threshold: float) -> LabelledBlocks:
    page = dehusk.read_page("<p>x</p>" * len(scores))
    return label_blocks(dehusk.segment(page), FixedModel(scores, threshold))


def test_what_scores_the_threshold_is_kept() -> None:
    assert label([0.0, 0.49, 0.5, 0.51, 1.0], 0.5).kept == (2, 3, 4)


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.7])
def test_the_threshold_is_met_by_a_score_that_was_rounded_like_it(threshold: float) -> None:
    # 0.7 is not the same number in 32 and 64 bits.
    assert label([threshold], threshold).kept == (0,)


def test_what_the_model_has_no_opinion_on_is_kept() -> None:
    assert label([float("nan"), 0.0], 1.0).kept == (0,)


def test_labels_cannot_be_written_to() -> None:
    labelled = label([0.0, 1.0], 0.5)
    assert not labelled.scores.flags.writeable
    assert not labelled.keep.flags.writeable


def test_reasons_are_those_of_the_model() -> None:
    assert label([0.0, 1.0], 0.5).reasons == (("told so",), ("told so",))


@given(
    scores=st.lists(st.just(float("nan")) | st.floats(0, 1, width=32), max_size=20),
    low=st.floats(0, 1, width=32),
    high=st.floats(0, 1, width=32),
)
def test_a_higher_threshold_never_keeps_more(scores: list[float], low: float, high: float) -> None:
    low, high = sorted((low, high))
    assert set(label(scores, high).kept) <= set(label(scores, low).kept)


def test_deciding_again_is_labelling_with_another_threshold() -> None:
    blocks = segment(dehusk.read_page("<nav><a href=/>Home</a></nav><h1>Tea</h1><p>" + "Steep it for long. " * 20))
    for threshold in (0.0, 0.3, 0.9):
        for method in (dehusk.Hybrid, dehusk.SequenceLabels):
            judged = judge_blocks(blocks, method().fit())
            again = decide(judged, threshold=threshold)
            wanted = label_blocks(blocks, method(threshold=threshold).fit())
            assert again.keep.tolist() == wanted.keep.tolist()
            assert again.threshold == wanted.threshold
            assert again.confidence == wanted.confidence


def test_people_have_the_last_word() -> None:
    story = "<p>Steep it for as long as the pot is hot, and pour it before the leaves are bitter." * 4
    html = f"<nav><a href=/>Home</a></nav><article><h1>How to make tea</h1>{story}</article>"
    labelled = label_blocks(segment(dehusk.read_page(html)), dehusk.Hybrid().fit())
    assert labelled.keep.tolist() == [False, True, True, True, True, True]
    corrected = correct(labelled, np.array([1, 0, -1, 0, 0, 0], dtype=np.int8))
    assert corrected.keep.tolist() == [True, True, False, True, True, True]
    assert [reasons[-1] for reasons in corrected.reasons][:3:2] == [
        "kept by a manual correction",
        "dropped by a manual correction",
    ]
    assert labelled.corrected is None
    assert corrected.scores is labelled.scores


class JudgingModel(FixedModel):
    """Says that everything is content, and what type the page is of."""

    def __init__(self, page_type: str, comments: str = "comment", certainty: float = 0.8, agreed: bool = True) -> None:
        super().__init__([], 0.5)
        self._comments, self._type = comments, (page_type, certainty, agreed)

    def judge(self, blocks: Blocks) -> Judgement:
        comments = np.array([self._comments in blocks.path(index) for index in range(len(blocks))], dtype=np.float32)
        return Judgement(self.score_blocks(blocks), self.threshold, comments, *self._type)

    def score_blocks(self, blocks: Blocks) -> Scores:
        return np.full(len(blocks), 0.9, dtype=np.float32)

    def confidence(self, expected_f1: float) -> float:
        return expected_f1


POST = """<p>I have had this kettle for two years, and it takes four minutes a litre.
<p>Is the newer one any faster than that, or is it only quieter?"""
THREAD = f"<div>{POST}</div><blockquote>{POST}</blockquote><p>It is."


@pytest.mark.parametrize("page_type", ["forum", "article"])
@pytest.mark.parametrize("favour", Favour)
def test_what_posts_quote_is_part_of_them(page_type: str, favour: Favour) -> None:
    blocks = segment(dehusk.read_page(THREAD))
    labelled = label_blocks(blocks, JudgingModel(page_type), Decision(favour))
    assert labelled.kept == (0, 1, 2, 3, 4)
    assert labelled.confidence == pytest.approx(2 * 0.9 / (1 + 0.9))
    assert {reasons[-1] for reasons in labelled.reasons} == {"told so"}


@pytest.mark.parametrize(
    ("page_type", "favour", "kept"),
    [
        ("forum", Favour.BALANCED, (0, 1, 3)),
        ("forum", Favour.RECALL, (0, 1, 2, 3)),
        ("article", Favour.BALANCED, (0, 1, 2, 3)),
    ],
)
def test_signatures_below_posts_of_forums_go(page_type: str, favour: Favour, kept: tuple[int, ...]) -> None:
    blocks = segment(dehusk.read_page(f"{POST}<p class=signature>Two kettles of steel<p>It is."))
    labelled = label_blocks(blocks, JudgingModel(page_type), Decision(favour))
    assert labelled.kept == kept
    dropped = "dropped as the signature below a post (rule signatures)"
    assert [index for index, told in enumerate(labelled.reasons) if dropped in told] == [
        index for index in range(4) if index not in kept
    ]


ARTICLE = "".join(
    f"<p>{number} kettles came out of the kiln in one piece, which none of us foresaw." for number in range(4)
)


def comments(number: int) -> str:
    return "".join(
        f"<p class=comment>Mine broke after {day} days, and nobody at the shop cared." for day in range(number)
    )


def comments_labelled(html: str, page_type: str = "forum", decision: Decision | None = None) -> LabelledBlocks:
    return label_blocks(segment(dehusk.read_page(html)), JudgingModel(page_type), decision or Decision())


def test_confidence_falls_with_the_share_of_damaged_words() -> None:
    texts = ("été été été été".encode(), b"\xc3\xa9t\xff \xc3\xa9t\xc3\xa9 ete ete", "茶茶茶".encode() + b"\xff")
    pages = [segment(dehusk.read_page(b"<p>" + text)) for text in texts]
    assert pages[1].page.damage == pytest.approx(1 / 12)
    whole, *damaged = [label_blocks(blocks, JudgingModel("article")).confidence for blocks in pages]
    assert whole is not None
    assert damaged == [pytest.approx(0.75 * whole)] * 2


@pytest.mark.parametrize("page_type", ["article", "forum"])
def test_an_article_is_not_buried_under_its_comments(page_type: str) -> None:
    labelled = comments_labelled(ARTICLE + comments(30), page_type)
    assert labelled.kept == (0, 1, 2, 3)
    assert labelled.comments.sum() == 30
    assert labelled.reasons[4][-1] == "dropped as a reader's comment (rule comments-on-an-article)"
    assert labelled.confidence is not None
    assert labelled.confidence > 0.9
    with_comments = comments_labelled(ARTICLE + comments(30), page_type, Decision(comments=True))
    assert len(with_comments.kept) == 34
    assert len(comments_labelled(ARTICLE + comments(30), page_type, Decision(Favour.RECALL)).kept) == 34


@pytest.mark.parametrize(("page_type", "kept"), [("article", 4), ("forum", 34)])
def test_what_is_surely_a_forum_keeps_all_posts(page_type: str, kept: int) -> None:
    blocks = segment(dehusk.read_page(ARTICLE + comments(30)))
    assert len(label_blocks(blocks, JudgingModel(page_type, certainty=0.99)).kept) == kept


@pytest.mark.parametrize("page_type", ["article", "forum"])
def test_where_evidence_disagrees_on_the_type_scores_decide(page_type: str) -> None:
    blocks = segment(dehusk.read_page(ARTICLE + comments(30)))
    labelled = label_blocks(blocks, JudgingModel(page_type, agreed=False))
    assert labelled.page_type == page_type
    assert len(labelled.kept) == 34


def test_comments_that_are_announced_go_however_few() -> None:
    html = (
        f"{ARTICLE}<section><h3>2 Comments</h3><p>Mine broke after a week.<p>Mine has not, in twelve years.</section>"
    )
    labelled = comments_labelled(html, "article")
    assert labelled.kept == (0, 1, 2, 3)
    assert labelled.reasons[5][-1] == "dropped as a reader's comment (rule announced-comments)"
    assert len(comments_labelled(html, "article", Decision(comments=True)).kept) == 7
    assert len(comments_labelled(html, "article", Decision(Favour.RECALL)).kept) == 7
    assert len(comments_labelled(html, "forum").kept) == 7


def test_announced_replies_that_outweigh_the_text_stay() -> None:
    replies = "".join(f"<p>Mine broke after {day} days, and nobody at the shop cared." for day in range(40))
    labelled = comments_labelled(f"{ARTICLE}<section><h3>40 Replies</h3>{replies}</section>", "article")
    assert len(labelled.kept) == len(labelled.blocks) == 45
    assert not labelled.comments.any()


class ScoringModel(JudgingModel):
    """Says how likely each block is content."""

    def __init__(self, scores: list[float], threshold: float) -> None:
        super().__init__("article")
        self.threshold, self._scores = threshold, np.array(scores, dtype=np.float32)

    def score_blocks(self, blocks: Blocks) -> Scores:
        return self._scores.copy()


def favoured(scores: list[float], threshold: float = 0.5) -> dict[Favour, LabelledBlocks]:
    """A page of paragraphs of these scores, by what is favoured."""
    blocks = segment(dehusk.read_page("<p>Tea" * len(scores)))
    return {favour: label_blocks(blocks, ScoringModel(scores, threshold), Decision(favour)) for favour in Favour}


class TestFavour:
    def test_moves_what_is_doubtful(self) -> None:
        labelled = favoured([0.9, 0.7, 0.6, 0.4, 0.2])
        assert labelled[Favour.PRECISION].kept == (0, 1)
        assert labelled[Favour.BALANCED].kept == (0, 1, 2)
        assert labelled[Favour.RECALL].kept == (0, 1, 2, 3)

    def test_precision_leaves_a_quarter_of_the_text(self) -> None:
        labelled = favoured([0.6, 0.59, 0.58, 0.57, 0.56, 0.55, 0.54, 0.53])
        assert len(labelled[Favour.BALANCED].kept) == 8
        assert labelled[Favour.PRECISION].kept == (0, 1)

    @given(st.lists(st.floats(0, 1, width=32), min_size=1, max_size=20), st.floats(1 / 32, 31 / 32, width=32))
    def test_never_empties_a_page_and_is_in_order(self, scores: list[float], threshold: float) -> None:
        labelled = favoured(scores, threshold)
        precise, balanced, generous = (labelled[favour] for favour in Favour)
        assert bool(precise.kept) == bool(balanced.kept)
        assert set(precise.kept) <= set(balanced.kept) <= set(generous.kept)
        assert precise.threshold >= balanced.threshold >= generous.threshold


@pytest.mark.parametrize("page_type", ["article", "forum", "product"])
def test_text_inside_form_fields_is_dropped(page_type: str) -> None:
    field = "<textarea>Your answer: all of mine are in one piece as well, and that is that.</textarea>"
    labelled = comments_labelled(ARTICLE + field, page_type)
    assert labelled.kept == (0, 1, 2, 3)
    assert labelled.reasons[4][-1] == "dropped as text inside a form field (rule form-fields)"
    assert len(comments_labelled(ARTICLE + field, page_type, Decision(Favour.RECALL)).kept) == 5
    assert comments_labelled(f"<h1>Paste</h1>{field}", page_type).kept == (0, 1), "nothing else is there"


HIDDEN = "<p hidden>This line was left behind by an editor."
PANELS = """<div role=tabpanel hidden><p>Of steel, and two litres.</div>
<div class=accordion><h3>Water</h3><div style="display:none">Soft, or descale it.</div></div>"""


@pytest.mark.parametrize("page_type", ["article", "forum", "product"])
@pytest.mark.parametrize("favour", Favour)
def test_hidden_text_goes_unless_something_shows_it(page_type: str, favour: Favour) -> None:
    labelled = comments_labelled(HIDDEN + ARTICLE + PANELS, page_type, Decision(favour))
    assert labelled.kept == (1, 2, 3, 4, 5, 6, 7)
    assert labelled.reasons[0][-1] == "dropped because it is hidden and nothing on the page shows it (rule hidden-text)"


def test_hidden_comments_stay_out_when_comments_are_kept() -> None:
    html = ARTICLE + comments(30) + "<div hidden><p class=comment>Your comment is being sent.</div>"
    labelled = comments_labelled(html, "article", Decision(comments=True))
    assert len(labelled.kept) == 34
    assert "Your comment is being sent." not in [labelled.blocks.texts[index] for index in labelled.kept]


def test_the_default_method_leaves_hidden_paragraphs_of_an_article_out() -> None:
    paragraphs = [f"Kettle {number} came out of the kiln in one piece, " * 4 for number in range(6)]
    styles = ["", "hidden", "", "style='display:none'", "", "style='visibility:hidden'"]
    html = "".join(f"<p {style}>{text}</p>" for style, text in zip(styles, paragraphs, strict=True))
    text = dehusk.clean(f"<title>Kettles</title><article><h1>Kettles</h1>{html}</article>").text
    assert [f"Kettle {number} " in text for number in range(6)] == [True, False] * 3


@pytest.mark.parametrize(
    ("html", "page_type"),
    [
        (ARTICLE + comments(4), "article"),
        ("<h1>Kettles</h1>" + comments(30), "forum"),
        (ARTICLE + comments(30), "product"),
    ],
    ids=["few comments", "nothing else", "another type"],
)
def test_comments_stay_that_are_what_the_page_is_about(html: str, page_type: str) -> None:
    labelled = comments_labelled(html, page_type)
    assert len(labelled.kept) == len(labelled.blocks)


@pytest.mark.parametrize("name", ["form-fields", "section-headings"])
def test_a_rule_can_be_switched_off(name: str) -> None:
    field = "<textarea>Your answer: all of mine are in one piece as well, and that is that.</textarea>"
    others = Decision(rules=[rule for rule in RULES if rule != name])
    kept = comments_labelled(ARTICLE + field, "article", others).kept
    assert (4 in kept) == (name == "form-fields")


@pytest.mark.parametrize(
    ("rules", "keeps_hidden"), [(None, False), ([], True), (["teasers"], True), (["hidden-text"], False)]
)
def test_clean_applies_the_rules_it_is_given(rules: list[str] | None, keeps_hidden: bool) -> None:
    paragraphs = [f"Kettle {number} came out of the kiln in one piece, " * 4 for number in range(5)]
    html = "".join(f"<p {'hidden' if number == 2 else ''}>{text}</p>" for number, text in enumerate(paragraphs))
    page = f"<title>Kettles</title><article><h1>Kettles</h1>{html}</article>"
    assert ("Kettle 2 " in dehusk.clean(page, rules=rules).text) == keeps_hidden


def test_rules_need_a_method_that_judges_pages() -> None:
    with pytest.raises(dehusk.InvalidSetting, match="rules: the method satisfiable-subtree supports none of these"):
        dehusk.clean("<p>Tea", dehusk.SatisfiableSubtree().fit(), rules=[])


def test_the_documentation_lists_every_rule_with_its_measurement() -> None:
    lines = (Path(__file__).parents[2] / "docs" / "hybrid.md").read_text("utf-8").splitlines()
    for rule in RULES.values():
        row = next(line for line in lines if line.startswith(f"| `{rule.name}` |"))
        assert re.findall(r"\d+", row.split("|")[-2]) == re.findall(r"\d+", rule.measured), rule.name


def test_rules_that_are_not_there_are_refused() -> None:
    with pytest.raises(dehusk.InvalidSetting, match="'teaser' is unknown"):
        Decision(rules=["teaser"])


def test_every_rule_says_what_it_is_worth() -> None:
    assert list(RULES) == [rule.name for rule in RULES.values()]
    for rule in RULES.values():
        assert re.search(r"\d+ better, \d+ worse", rule.measured), rule.name
        assert rule.page_types <= set(dehusk.PAGE_TYPES)
