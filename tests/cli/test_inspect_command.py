"""`dehusk inspect`, in real processes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import dehusk as run

import dehusk
from dehusk.inspection.shipped_cards import SHIPPED_MODELS
from dehusk.methods.base import SiteModel
from dehusk.methods.site_trees.pagelet_templates import PageletTemplates

MENU = "".join(f"<li class=menu-item><a href=/{n}>Item {n}</a></li>" for n in range(12))
HOSTILE = "&lt;/script>&lt;img src=x onerror=alert(1)>&amp;lt;b> \x9b31m \u202e"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Twelve pages of a shop."""
    pages = [
        f"<body><nav><ul>{MENU}</ul></nav><main><article><p>Story{chr(97 + n)}</p></article><h2>News</h2></main>"
        + ("<aside><p>Once</p></aside>" if n == 4 else "")
        for n in range(12)
    ]
    path = tmp_path / "shop.dehusk"
    learn(pages).save(path, site="shop.example", created="2026-11-15")
    return path


def learn(pages: list[str]) -> SiteModel:
    return dehusk.learn(map(dehusk.read_page, pages), dehusk.StyleTree())


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Labels and texts that would like to be markup, or to steer a terminal."""
    name = "x&quot;&gt;&lt;img/src=x/onerror=alert(2)&gt;&#27;[31m"
    pages = [f'<body><div class="{name}"><p>{HOSTILE}</p><hr></div><p>new{chr(97 + n)}</p>' for n in range(12)]
    path = tmp_path / "hostile.dehusk"
    site = "</title><script>alert(3)</script>\x1b]0;x\x07"
    learn(pages).save(path, site=site, created="<b>now")
    return path


def listing(*arguments: str) -> str:
    result = run("inspect", *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout.decode()


def test_listing(model: Path) -> None:
    shown = listing(str(model))
    for fact in ("shop.dehusk", "shop.example", "2026-11-15", "style-tree", "chosen for this site", "attenuation 0.9"):
        assert fact in shown
    assert re.search(r"^pages learnt +12$", shown, re.MULTILINE)
    assert re.search(r"^noisy +2 maximal, 15 including those inside them$", shown, re.MULTILINE)
    assert re.search(r"^0\.\d\d +12    ~ main$", shown, re.MULTILINE)
    assert re.search(r"^1\.00 +12      \+ article  “Story\w”$", shown, re.MULTILINE)
    assert re.search(r"^0\.00 +12      - h2  “News”$", shown, re.MULTILINE)
    assert re.search(r"^0\.00 +12    - nav \(\+13\)  “Item \d+” · “Item", shown, re.MULTILINE)
    assert "1 template position is not shown: on fewer than 2 pages" in shown
    assert "aside" not in shown


def test_options(model: Path) -> None:
    assert "li.menu-item × 12" in listing(str(model), "--all")
    assert "aside" in listing(str(model), "--fewest", "1")
    shallow = listing(str(model), "--depth", "1")
    assert "~ body" in shallow
    assert "~ main" not in shallow
    assert "below the requested depth" in shallow
    assert "among the rarest; only 2 lines are shown" in listing(str(model), "--lines", "2")


def test_style_signatures_of_a_hybrid(tmp_path: Path) -> None:
    pages = [f"<body><nav><ul>{MENU}</ul></nav><main><p>Story {chr(97 + n)} of many" for n in range(5)]
    dehusk.learn(map(dehusk.read_page, pages)).save(tmp_path / "a.dehusk", site="shop.example")
    shown = listing(str(tmp_path / "a.dehusk"))
    for fact in ("hybrid", "chosen for each page", "17, of which 12 on several pages"):
        assert fact in shown
    assert re.search(r"^style signatures +2$", shown, re.MULTILINE)
    assert re.search(r"^0\.\d\d +5 +- nav > ul > li.menu-item +“Item \d+”$", shown, re.MULTILINE)
    assert re.search(r"^\d\.\d\d +5 +. body > main > p +“Story \w of many”$", shown, re.MULTILINE)


def test_a_threshold_that_was_set_is_said_to_be(tmp_path: Path) -> None:
    pages = [dehusk.read_page(f"<p>Story {n}") for n in range(3)]
    dehusk.StyleTree(threshold=0.25).fit(pages).save(tmp_path / "set.dehusk")
    shown = listing(str(tmp_path / "set.dehusk"))
    assert "0.25, as set" in shown
    assert "not noted" in shown


def test_text_does_not_steer_the_terminal(hostile: Path) -> None:
    shown = listing(str(hostile), "--all")
    assert not set("\x1b\x07\x9b\u202e") & set(shown)
    assert "onerror" in shown


def test_page(model: Path, tmp_path: Path) -> None:
    target = tmp_path / "shop.html"
    result = run("inspect", str(model), "--html", str(target))
    assert result.returncode == 0
    assert result.stdout == b""
    page = dehusk.read_page(target.read_bytes())
    names = page.tag_names
    assert names.count("details") == names.count("summary") == 2  # body and main have something under them
    assert not {"script", "img", "link", "iframe"} & set(names)
    assert "Story" in page.text
    assert "on fewer than 2 pages" in page.text
    assert "http" not in re.sub("http-equiv", "", target.read_text("utf-8"))


def test_page_of_hostile_labels_and_texts(hostile: Path, tmp_path: Path) -> None:
    target = tmp_path / "hostile.html"
    assert run("inspect", str(hostile), "--all", "--html", str(target)).returncode == 0
    page = dehusk.read_page(target.read_bytes())
    assert not {"script", "img"} & set(page.tag_names)
    assert page.tag_names.count("title") == 1
    assert "</script><img src=x onerror=alert(1)>&lt;b>" in page.text
    assert "<script>alert(3)</script>" in page.text
    html = target.read_text("utf-8")
    assert not set("\x1b\x07\x9b\u202e") & set(html)
    assert set(re.findall(r"<(\w+)", html)) <= set(
        "html head meta title style body main h1 bdi dl div dt dd ul li b span i details summary code q p".split()
    )


def test_every_element_of_the_page_is_closed(model: Path, tmp_path: Path) -> None:
    target = tmp_path / "shop.html"
    run("inspect", str(model), "--all", "--fewest", "1", "--html", str(target))
    waiting = []
    for closing, name in re.findall(r"<(/?)(\w+)", target.read_text("utf-8")):
        if closing:
            assert waiting.pop() == name
        elif name != "meta":
            waiting.append(name)
    assert waiting == []


def test_pagelet_templates(tmp_path: Path) -> None:
    pages = [dehusk.read_page(f"<p>Imprint of the shop<p>Story {n}<ul>{MENU}</ul>") for n in range(5)]
    path = tmp_path / "pagelets.dehusk"
    PageletTemplates().fit(pages).save(path, site="shop.example")
    shown = listing(str(path))
    assert "pagelet-templates" in shown
    assert re.search(r"^fingerprints +\d+ different pagelets$", shown, re.MULTILINE)
    assert re.search(r"^ +5  - pagelet × \d+$", shown, re.MULTILINE)
    assert "their text cannot be shown" in shown
    assert run("inspect", str(path), "--html", str(tmp_path / "p.html")).returncode == 0
    assert "their text cannot be shown" in dehusk.read_page((tmp_path / "p.html").read_bytes()).text


def test_structure_weights(tmp_path: Path) -> None:
    html = "<div><p class=foot>Imprint of the shop</p></div><div class=story><p>Story {0} about {0}</p></div>"
    pages = [dehusk.read_page(html.format(f"w{n}")) for n in range(5)]
    path = tmp_path / "weights.dehusk"
    dehusk.StructureWeights(leaf_height=1).fit(pages).save(path, site="shop.example")
    shown = listing(str(path))
    assert re.search(r"^ *0\.00 +5 +- .*Imprint of the shop", shown, re.MULTILINE), shown
    assert re.search(r"^ *0\.[1-9]\d +5 +\+ .*Story w\d", shown, re.MULTILINE), shown
    assert run("inspect", str(path), "--lines", "1", "--html", str(tmp_path / "w.html")).returncode == 0
    page = dehusk.read_page((tmp_path / "w.html").read_bytes()).text
    assert "only 1 lines are shown" in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.dehusk"], "absent.dehusk: cannot be read: no such file or directory"),
        (["page.html"], "not a sound model file"),
        (["shop.dehusk", "--html", "nowhere/x.html"], "nowhere/x.html: cannot be written: no such file or directory"),
    ],
)
def test_what_cannot_be_done_is_said(model: Path, arguments: list[str], message: str) -> None:
    (model.parent / "page.html").write_text("<p>a page</p>")
    result = run("inspect", *arguments, cwd=model.parent)
    assert result.returncode == 2
    assert message in result.stderr.decode()
    assert b"Traceback" not in result.stderr
    assert not list(model.parent.glob(".dehusk*"))


@pytest.mark.parametrize("name", SHIPPED_MODELS)
def test_the_card_of_a_shipped_model(name: str, tmp_path: Path) -> None:
    card = run("inspect", name, cwd=tmp_path).stdout.decode()
    assert "| data set | pages | not usable | SHA-256 |" in card
    assert "On sites that were held back" in card


def test_a_file_comes_before_a_card(model: Path) -> None:
    model.rename(model.with_name("page-network"))
    assert "shop.example" in run("inspect", "page-network", cwd=model.parent).stdout.decode()
