"""Parts of a page that React sends after the rest (`native/src/html/streamed_parts.rs`)."""

from __future__ import annotations

import dehusk

_PARAGRAPH = "Steep the leaves for three minutes in water that has cooled for as long, and pour it off. " * 3
_PAGE = f"""<!DOCTYPE html><html><head><title>Green tea</title></head><body><header><a href="/">Home</a></header>
<main><article><h1>Green tea</h1><p>{_PARAGRAPH}</p>
<!--$?--><template id="B:0"></template><div class="skeleton">One moment</div><!--/$-->
<h2>Serving</h2><p>{_PARAGRAPH}</p></article></main><footer>Imprint</footer>
<div hidden id="S:0"><h2>Water</h2><p>{_PARAGRAPH}</p><template id="P:1"></template><p>{_PARAGRAPH}</p></div>
<script>$RC("B:0","S:0")</script>
<div hidden id="S:1"><figure><img src="/kettle.jpg" alt="A kettle" width="800" height="600">
<figcaption>A kettle of cast iron</figcaption></figure></div><script>$RS("S:1","P:1")</script></body></html>"""


def test_parts_are_read_where_they_are_shown() -> None:
    markdown = dehusk.clean(_PAGE, url="https://tea.example/green").markdown
    order = ["# Green tea", "## Water", "![A kettle](https://tea.example/kettle.jpg)", "cast iron", "## Serving"]
    assert sorted(order, key=markdown.index) == order
    assert "One moment" not in markdown


def test_parts_are_not_hidden() -> None:
    page = dehusk.clean(_PAGE)
    assert not any(block.hidden for block in page if block.text in ("Water", "A kettle of cast iron"))


def test_parts_without_a_place_stay_where_they_are() -> None:
    markdown = dehusk.clean(_PAGE.replace('<template id="B:0"></template>', "")).markdown
    assert markdown.index("## Serving") < markdown.index("## Water")
