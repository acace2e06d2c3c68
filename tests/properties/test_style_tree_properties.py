"""What holds for every small site: parts add up to the whole, and scores, decisions and reasons agree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_sites import pages, sites
from thoroughness import examples

import dehusk
from dehusk import Page
from dehusk.deciding.decisions import label_blocks
from dehusk.methods.base import SiteMethod
from dehusk.methods.site_trees.pagelet_templates import PageletTemplates, PageletTemplatesModel
from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel
from dehusk.methods.site_trees.template_positions import Matching

style_trees = st.builds(
    StyleTree,
    matching=st.sampled_from(Matching),
    virtual_leaves=st.booleans(),
    merge_similar=st.booleans(),
    threshold=st.sampled_from([None, 0.0, 0.2, 1.0]),
    change_price=st.sampled_from([0.0, 1.0, 100.0]),
)
site_methods: st.SearchStrategy[SiteMethod] = style_trees | st.builds(
    PageletTemplates, links=st.integers(1, 3), shingle_words=st.integers(1, 4)
)


def learnt(model: object) -> object:
    """What a model holds, in a form that compares."""
    if isinstance(model, StyleTreeModel):
        return model.settings, model.counts, model.cut, model.tree.composite.tobytes(), model.marks.noisy.tobytes()
    assert isinstance(model, PageletTemplatesModel)
    return model.settings, model.pages, model.fingerprints


@settings(max_examples=examples(60))
@given(site_methods, st.lists(pages, max_size=5), st.data())
def test_parts_of_a_site_add_up_to_the_whole(method: SiteMethod, site: list[Page], data: st.DataObject) -> None:
    whole = method.fit(site)
    order = data.draw(st.permutations(site))
    cut = data.draw(st.integers(0, len(site)))
    first, second = method.fit(order[:cut]), method.fit(order[cut:])
    for model in (
        method.fit(order),
        first + second,
        second + first,
        first.update(order[cut:]),
        method.fit().update(site),
    ):
        assert learnt(model) == learnt(whole)
        assert model.knows_a_template == whole.knows_a_template
    if site:
        blocks = dehusk.segment(site[0])
        np.testing.assert_array_equal((second + first).score_blocks(blocks), whole.score_blocks(blocks))
        assert (second + first).explain_blocks(blocks) == whole.explain_blocks(blocks)
        assert (second + first).match(site[0]) == whole.match(site[0])


@settings(max_examples=examples(60))
@given(style_trees, sites, pages)
def test_scores_decisions_and_reasons_agree(method: StyleTree, site: list[Page], other: Page) -> None:
    model = method.fit(site)
    for page in [*site[:2], other]:
        blocks = dehusk.segment(page)
        labelled = label_blocks(blocks, model)
        scores = labelled.scores
        assert scores.dtype == np.float32
        assert (np.isnan(scores) | ((scores >= 0) & (scores <= 1))).all()
        assert labelled.keep.tolist() == [
            bool(np.isnan(score) or score >= np.float32(model.threshold)) for score in scores
        ]
        assert (scores[blocks.hidden] == 0).all()
        assert not labelled.keep[blocks.hidden].any()
        assert len(labelled.reasons) == len(blocks)
        assert all(each and all(each) for each in labelled.reasons)
        assert 0 <= model.match(page) <= 1


@settings(max_examples=examples(60))
@given(st.sampled_from([None, 0.2]), sites)
def test_reasons_mention_the_region_just_where_it_decided(threshold: float | None, site: list[Page]) -> None:
    # Without the evidence of links: a page of links is judged twice, and regions decide on which.
    method = StyleTree(threshold=threshold, change_price=20.0, shared_links=False)
    model, block_by_block = method.fit(site), replace(method, change_price=0.0).fit(site)
    for page in site[:3]:
        blocks = dehusk.segment(page)
        with_regions, without = label_blocks(blocks, model), label_blocks(blocks, block_by_block)
        mentions = [any("with its surroundings" in reason for reason in each) for each in with_regions.reasons]
        assert mentions == (with_regions.keep != without.keep).tolist()
        assert not any("with its surroundings" in reason for each in without.reasons for reason in each)


@settings(max_examples=examples(40))
@given(st.sampled_from(Matching), sites)
def test_noisy_words_are_words_of_their_blocks(matching: Matching, site: list[Page]) -> None:
    model = StyleTree(matching=matching).fit(site)
    for page in site[:3]:
        blocks = dehusk.segment(page)
        noisy = model.noisy_words(blocks)
        assert not noisy or model.knows_a_template
        for index, words in noisy.items():
            assert words
            assert all(word in blocks.texts[index].lower() for word in words)
            assert not blocks.hidden[index]


@settings(max_examples=examples(40))
@given(st.sampled_from(Matching), sites)
@example(Matching.EXACT, [dehusk.read_page("<p hidden>one")])
def test_learnt_pages_match_their_site(matching: Matching, site: list[Page]) -> None:
    model = StyleTree(matching=matching).fit(site)
    twice = model + model  # now every place is on two pages
    for page in site:
        assert 0 <= model.match(page) <= twice.match(page) == float(_has_text(page))


def _has_text(page: Page) -> bool:
    """In its body, be it hidden."""
    blocks = dehusk.segment(page)
    return any(text and blocks.path(index).startswith("html/body") for index, text in enumerate(blocks.texts))
