"""Sites that want to break us: learning from them and cleaning with what was learnt gives a result or a DehuskError."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from test_hostile_input import HOSTILE, KEPT, Source
from thoroughness import sized

import dehusk
from dehusk import DehuskError, Page
from dehusk.deciding.decisions import label_blocks
from dehusk.methods.base import SiteMethod
from dehusk.methods.site_trees.pagelet_templates import PageletTemplates
from dehusk.methods.site_trees.style_tree import StyleTree
from dehusk.methods.site_trees.template_positions import Matching

METHODS: dict[str, SiteMethod] = {
    "aligned": StyleTree(),
    "exact": StyleTree(matching=Matching.EXACT, virtual_leaves=False),
    "pagelets": PageletTemplates(),
}
OTHERS = [f"<nav><a href=/>Home</a></nav><div><p>{KEPT}</p></div>", "<p>Another page of the site.</p>"]

MORE: dict[str, Callable[[], Source]] = {
    "nested elements": lambda: "<div><p>x" * 5_000,
    "attributes": lambda: "<p " + " ".join(f"class{i}=x" for i in range(20_000)) + f" class=a>{KEPT}",
    "siblings": lambda: "<i>x</i>" * sized(50_000),
    "no body": lambda: "<html><head><title>Title</title></head>",
    "nothing in the body": lambda: "<body></body>",
    "frameset": lambda: "<title>Title</title><frameset><frame src=a><noframes>text</noframes></frameset>",
    "only hidden text": lambda: f"<body hidden><p>{KEPT}",
    "only marks": lambda: "<p>***</p><p>—</p>" * 100,
    "one text at many places": lambda: "".join(f"<x-{i}>{KEPT}</x-{i}>" for i in range(500)),
    "links to everywhere": lambda: "".join(f"<a href=/{i}#{i}>x</a>" for i in range(10_000)),
    "links without text": lambda: "<a href=/x></a>" * 5_000 + f"<p>{KEPT}",
    "hidden within shown within hidden": lambda: f"<p>{KEPT}<span hidden>x<b>y</b></span>{KEPT}" * 500,
}
SITES: dict[str, Callable[[], Source]] = {
    # Cut, so that learning from each of them takes a moment only; what is odd about them is odd at any size.
    **{name: lambda generate=generate: generate()[:20_000] for name, generate in HOSTILE.items()},  # type: ignore[misc]
    **{f"more: {name}": generate for name, generate in MORE.items()},
}


def read_all(sources: list[Source]) -> list[Page]:
    pages = []
    for source in sources:
        try:
            pages.append(dehusk.read_page(source, url="https://a.example/"))
        except DehuskError:
            continue
    return pages


@pytest.mark.parametrize("name", SITES)
def test_a_site_is_learnt_and_its_pages_cleaned(name: str) -> None:
    pages = read_all([SITES[name](), *OTHERS])
    assert len(pages) >= len(OTHERS)
    for method in METHODS.values():
        model = method.fit([pages[0], *pages])
        assert model.pages == len(pages) + 1
        labelled = label_blocks(dehusk.segment(pages[0]), model)
        assert (np.isnan(labelled.scores) | ((labelled.scores >= 0) & (labelled.scores <= 1))).all()
        assert 0 <= model.match(pages[0]) <= 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", MORE)
def test_what_was_learnt_is_saved_loaded_explained_and_rendered(name: str, method: str, tmp_path: Path) -> None:
    (page, *others) = read_all([SITES[f"more: {name}"]()[:30_000], *OTHERS])
    METHODS[method].fit([page, *others]).save(tmp_path / "a.dehusk")
    cleaned = dehusk.clean(page, dehusk.load_model(tmp_path / "a.dehusk"))
    assert len(cleaned.labelled.reasons) == len(dehusk.segment(page))
    for format_name in ("text", "words"):
        assert isinstance(cleaned.render(format_name), str)
