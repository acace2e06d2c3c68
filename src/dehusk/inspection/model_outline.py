"""Model -> outline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.inspection.outline_lines import Line, Mark, Outline
from dehusk.inspection.style_tree_lines import Listed, View, list_positions
from dehusk.methods.base import Model
from dehusk.methods.corrections import Corrected
from dehusk.methods.page_network.hybrid import HybridModel
from dehusk.methods.page_network.site_readings import look_up_signatures
from dehusk.methods.site_models import NO_TEMPLATE
from dehusk.methods.site_trees.pagelet_templates import PageletTemplatesModel
from dehusk.methods.site_trees.structure_weights import StructureWeightsModel
from dehusk.methods.site_trees.style_tree import StyleTreeModel

_MOST_COUNTS: Final = 20
"""Rows in the listing of pagelet templates, one per number of pages."""

_UNUSED: Final = {
    ("style-tree", "exact"): ("text_rarity", "shared_links", "change_price"),
    ("style-tree", "aligned"): ("merge_similar", "characteristic_share", "least_overlap"),
    ("structure-weights", "aligned"): ("style_sheets",),
}
"""(method, matching) -> settings that it does not use, so they are not listed."""

Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """The header of a model file."""

    file: str
    method: str
    settings: Mapping[str, Any]
    site: str = ""
    created: str = ""
    pages: int = 0


def outline_of(model: Model, origin: Origin, view: View) -> Outline:
    """The outline of any model; just its file's header if there is nothing to list."""
    outline = _outline_of(model, origin, view)
    if not isinstance(model, Corrected) or not len(model.corrections):
        return outline
    kept = int((model.corrections.verdict > 0).sum())
    count = f"{len(model.corrections):,}: {kept:,} keep, {len(model.corrections) - kept:,} drop"
    return replace(outline, facts=(*outline.facts, ("corrections", count)))


def _outline_of(model: Model, origin: Origin, view: View) -> Outline:
    if isinstance(model, HybridModel):
        return _hybrid(model, origin, view)
    if isinstance(model, StyleTreeModel):
        return _style_tree(model, origin, view)
    if isinstance(model, PageletTemplatesModel):
        return _pagelets(model, origin, view)
    if isinstance(model, StructureWeightsModel):
        return _structure_weights(model, origin, view)
    return _outline(origin, (), (), ["models of this method have no template positions to list"])


def _outline(origin: Origin, found: Facts, lines: tuple[Line, ...], notes: Sequence[str]) -> Outline:
    unused = _UNUSED.get((origin.method, str(origin.settings.get("matching"))), ())
    used = {name: value for name, value in origin.settings.items() if name not in unused}
    settings = ", ".join(f"{name.replace('_', ' ')} {_spoken(value)}" for name, value in used.items())
    facts = (
        ("file", origin.file),
        ("site", origin.site or "not noted"),
        ("pages learnt", f"{origin.pages:,}"),
        ("date", origin.created or "not noted"),
        ("method", origin.method),
        *found,
        ("settings", settings),
    )
    return Outline(origin.site or origin.file, facts, lines, tuple(notes))


def _spoken(value: object) -> str:
    words = {None: "automatic", True: "yes", False: "no"}
    return words[value] if value is None or isinstance(value, bool) else str(value) or "as it comes"


def _style_tree(model: StyleTreeModel, origin: Origin, view: View) -> Outline:
    listed = list_positions(model, view)
    tree, marks = model.tree, model.marks
    is_chosen = model.settings.threshold is None
    merged = len(model.counts.positions) - len(model.merged_counts.positions)
    facts = (
        ("threshold", f"{model.cut:.2f}, {'chosen for this site' if is_chosen else 'as set'}"),
        ("template positions", f"{len(tree.key):,}, of which {int(marks.simplified.sum()):,} in the simplified tree"),
        ("noisy", _maximal(marks.maximal_noisy, marks.noisy)),
        ("meaningful", _maximal(marks.maximal_meaningful, marks.meaningful)),
        *([("merged", f"{merged:,} template positions with similar ones")] if model.settings.merges else []),
    )
    return _outline(origin, facts, listed.lines, _notes(model, listed, view))


def _hybrid(model: HybridModel, origin: Origin, view: View) -> Outline:
    """The style signatures of the site, those on the most pages first, with the page network's mean scores."""
    signatures, counts = model.site.signatures.keys[:, 0], model.site.signatures.counts
    fewest = view.fewest_of(model.pages)
    often = np.flatnonzero(counts[:, 0] >= fewest)
    shown = often[np.argsort(-counts[often, 0], kind="stable")][: view.most]
    found = look_up_signatures(model.site, signatures[shown])
    labels, texts = model.site.paths.texts_of(signatures[shown]), model.site.examples.texts_of(signatures[shown])
    likely = 1 / (1 + np.exp(-found.logits))
    rows = zip(labels, likely.tolist(), found.pages.tolist(), texts, strict=True)
    lines = tuple(_line(0.5, label or "?", value, pages, text) for label, value, pages, text in rows)
    repeated = int((model.site.places.counts[:, 0] > 1).sum())
    facts = (
        ("threshold", "chosen for each page" if model.settings.threshold is None else f"{model.threshold:.2f}, as set"),
        ("trust", str(model.report)),
        ("style signatures", f"{len(signatures):,}"),
        ("texts", f"{len(model.site.places):,}, of which {repeated:,} on several pages in the same place"),
    )
    reasons = (
        (len(signatures) - len(often), f"on fewer than {fewest:,} pages"),
        (len(often) - len(shown), f"among the rarest; only {view.most:,} lines are shown"),
    )
    notes = _not_shown("style signature", reasons)
    notes.append("numbers are mean content probabilities of the page network for elements with this style signature")
    return _outline(origin, facts, lines, notes)


def _line(meaningful_from: float, label: str, value: float, number: int, text: str) -> Line:
    """A line of one signature or template position."""
    mark = Mark.MEANINGFUL if value >= meaningful_from else Mark.NOISY
    return Line(0, (label,), 1, mark, (value, value), (number, number), (text,) if text else (), 0)


def _maximal(maximal: NDArray[np.bool_], marked: NDArray[np.bool_]) -> str:
    return f"{int(maximal.sum()):,} maximal, {int(marked.sum()):,} including those inside them"


def _notes(model: StyleTreeModel, listed: Listed, view: View) -> list[str]:
    reasons = (
        (listed.simplified, "inside noisy or meaningful ones, and marked like them"),
        (listed.rare, f"on fewer than {view.fewest_of(model.pages):,} pages"),
        (listed.deep, "below the requested depth"),
        (listed.surplus, f"among the rarest; only {view.most:,} lines are shown"),
    )
    notes = _not_shown("template position", reasons)
    if not model.knows_a_template:
        notes.append(NO_TEMPLATE)
    return notes


def _not_shown(what: str, reasons: Sequence[tuple[int, str]]) -> list[str]:
    counted = ((f"1 {what} is" if number == 1 else f"{number:,} {what}s are", number, why) for number, why in reasons)
    return [f"{these} not shown: {why}" for these, number, why in counted if number]


def _structure_weights(model: StructureWeightsModel, origin: Origin, view: View) -> Outline:
    """The template positions that hold words, those with the most tags first."""
    tree, counts = model.tree, model.merged_counts
    fewest = view.fewest_of(model.pages)
    leaves = np.flatnonzero(tree.leaf_tags >= fewest)
    shown = leaves[np.argsort(-tree.leaf_tags[leaves], kind="stable")][: view.most]
    labels = counts.labels.texts_of(counts.positions.keys[shown, 3])
    samples = counts.sample_texts.texts_of(tree.key[shown])
    rows = zip(labels, tree.leaf[shown].tolist(), tree.leaf_tags[shown].tolist(), samples, strict=True)
    lines = tuple(_line(model.threshold, label or "#text", value, tags, text) for label, value, tags, text in rows)
    facts = (
        ("threshold", f"{model.threshold:.2f}: the least mean weight of a block's words"),
        ("template positions", f"{len(tree.key):,}, of which {int((tree.leaf_tags > 0).sum()):,} with words"),
        ("merged", f"{len(model.counts.positions) - len(counts.positions):,} template positions with similar ones"),
    )
    reasons = (
        (int(((tree.leaf_tags > 0) & (tree.leaf_tags < fewest)).sum()), f"with fewer than {fewest:,} tags"),
        (len(leaves) - len(shown), f"among the rarest; only {view.most:,} lines are shown"),
    )
    notes = _not_shown("template position", reasons)
    tags_note = "counts are of tags: a page may have several at one template position"
    return _outline(origin, facts, lines, [tags_note, *notes])


def _pagelets(model: PageletTemplatesModel, origin: Origin, view: View) -> Outline:
    """Templates by their number of pages; fingerprints are hashes and hold no text."""
    pages = model.fingerprints.counts[:, 0]
    fewest = max(model.settings.fewest_pages, view.fewest or 0)
    numbers, templates = np.unique(pages[pages >= fewest], return_counts=True)
    rows = list(zip(numbers.tolist(), templates.tolist(), strict=True))[::-1]
    shown = rows[: min(_MOST_COUNTS, view.most)]
    lines = tuple(Line(0, ("pagelet",), count, Mark.NOISY, None, (number, number), (), 0) for number, count in shown)
    total = int((pages >= model.settings.fewest_pages).sum())
    facts = (
        ("threshold", f"{model.threshold:.2f}: the share of a block that must be outside templates"),
        ("fingerprints", f"{len(pages):,} different pagelets"),
        ("templates", f"{total:,} on at least {model.settings.fewest_pages:,} pages"),
    )
    left_out = total - sum(line.count for line in lines)
    notes = _not_shown("template", [(left_out, "on fewer pages than these")])
    return _outline(origin, facts, lines, ["pagelets are stored as hashes, so their text cannot be shown", *notes])
