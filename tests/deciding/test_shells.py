"""Pages that scripts fill and pages of blocked programs are recognised, and pages that say something are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import dehusk as dehusk_command

import dehusk
from dehusk.filtering.page_filters import Filters, reason_to_drop

TEXT = "The kettle of the old house was on the stove, and the tea in it was as black as the night was long. " * 3
SHELLS = {
    "react": "<title>Shop</title><noscript>You need to enable JavaScript to run this.</noscript><div id=root></div>",
    "next": "<title>Shop</title><div id=__next><div class=spinner>Loading</div></div><script>1</script>",
    "angular": "<title>Shop</title><app-root></app-root>",
    "asks": "<title>Shop</title><p>Please turn on JavaScript in your browser to continue.",
    "german": "<p>Bitte aktivieren Sie JavaScript, um diese Seite zu sehen.",
    "disabled": "<h1>JavaScript is disabled</h1><p>This site is empty without it.",
}
REFUSALS = {
    "cloudflare": "<title>Just a moment...</title><h1>a.example</h1><p>Verifying you are human. This may take a while."
    "<noscript>Enable JavaScript and cookies to continue</noscript>",
    "cloudflare block": "<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>"
    "<p>You are unable to access a.example<h2>Why have I been blocked?</h2>" + "<p>This website uses a service." * 20,
    "akamai": "<title>Access Denied</title><h1>Access Denied</h1>"
    'You don\'t have permission to access "http://a.example/" on this server.<p>Reference #18.4d2f1402.1700',
    "imperva": "<p>Request unsuccessful. Incapsula incident ID: 89300013-1",
    "perimeterx": "<title>Access to this page has been denied</title><p>Press &amp; Hold to confirm you are a human",
    "datadome": "<title>a.example</title><p>Please enable JS and disable any ad blocker",
    "google": "<p>Our systems have detected unusual traffic from your computer network.",
    "shop": "<title>Robot Check</title><p>Enter the characters you see below",
    "server": "<title>403 Forbidden</title><h1>403 Forbidden</h1><hr>nginx",
}
ABOUT_ROBOTS = "Are you a robot? Sites that ask this want you to verify that you are human, and some mean well. " * 15
PAGES = {
    "about robots": f"<title>Are you a robot?</title><p>{ABOUT_ROBOTS}",
    "forbidden fruit": "<title>The forbidden fruit</title><p>A short page about apples.",
    "text": f"<div id=root><p>{TEXT}</div><noscript>Enable JavaScript.</noscript>",
    "forum": f"<title>Tea</title><noscript><h1>Tea</h1><div class=post><p>{TEXT}</p></div><div class=post><p>{TEXT}</p>"
    "</div></noscript><div id=app></div>",
    "short": "<p>A short page about tea.",
    "about scripts": "<p>JavaScript is a language.",
    "empty": "",
    "no end of title": f"<title>Shop <p>{TEXT} enable JavaScript",
}


@pytest.mark.parametrize("html", SHELLS.values(), ids=SHELLS)
def test_shells(html: str) -> None:
    page = dehusk.clean(html)
    assert page.problem == "js-required"
    assert page.confidence is not None
    assert page.confidence <= 0.1
    assert page.to_record()["problem"] == page.to_dict()["problem"] == "js-required"
    assert reason_to_drop(page.labelled, Filters(min_confidence=0.3)) == "js-required"


@pytest.mark.parametrize("html", REFUSALS.values(), ids=REFUSALS)
def test_refusals(html: str) -> None:
    page = dehusk.clean(html)
    assert page.problem == page.to_record()["problem"] == "blocked"
    assert page.confidence is not None
    assert page.confidence <= 0.1


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_pages(html: str) -> None:
    assert dehusk.clean(html).problem == ""


def test_the_command_line_says_so(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(SHELLS["react"])
    result = dehusk_command("clean", str(tmp_path / "page.html"), "-f", "jsonl")
    assert json.loads(result.stdout)["problem"] == "js-required"
    assert b"js-required: scripts fill this page" in result.stderr
    listing = dehusk_command("clean", str(tmp_path / "page.html"), "--explain").stdout
    assert b"js-required: scripts fill this page" in listing
