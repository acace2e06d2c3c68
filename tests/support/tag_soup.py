"""Hypothesis strategies for pages as the web writes them: unclosed, misnested and half hidden."""

from __future__ import annotations

from hypothesis import strategies as st

_BLOCKS = "p div h2 ul ol li dl dt dd blockquote pre section form fieldset figure figcaption hr address"
_TABLES = "table caption tbody tr td th"
_INLINE = "a b i em font nobr span sub code label br img wbr q big"
_SPECIAL = "textarea select option button noscript template svg math object video head body frameset my-widget"
_TAGS = f"{_BLOCKS} {_TABLES} {_INLINE} {_SPECIAL}".split()

_ATTRIBUTES = [
    "hidden",
    'style="color: red; DISPLAY : None"',
    "style='visibility:hidden'",
    'style="display:block"',
    "aria-hidden=true",
    "aria-hidden=false",
    'class="post-17 wide"',
    "id=only",
    'href="/a?b=1&amp;c=2"',
    "onclick=run()",
    "colspan=3",
    "role=presentation",
    "bgcolor=#fff",
    "=",
    '"',
]

_WORDS = [
    "one",
    "two",
    " ",
    "\n",
    "  three  four ",
    "&nbsp;",
    "&amp;",
    "&lt;p&gt;",
    "é",
    "中文",
    "𝒳",
    "\t",
    "&#x1F;",
    "<",
    ">",
    "\0",
]
_RAW = [
    "<script>if (a < b) { run('<p>') }</script>",
    '<script type="application/ld+json">{"a": 1}</script>',
    "<style>p > a { color: red }</style>",
    "<title>A title</title>",
    "<iframe>old <b>text</b></iframe>",
    "<!-- a comment -->",
    "<!-->",
    "<![CDATA[data]]>",
    "<?php echo 1 ?>",
    "<!doctype html>",
]


def _start_tag(tag: str, attributes: list[str]) -> str:
    return f"<{' '.join([tag, *attributes])}>"


start_tags = st.builds(_start_tag, st.sampled_from(_TAGS), st.lists(st.sampled_from(_ATTRIBUTES), max_size=2))
end_tags = st.sampled_from(_TAGS).map("</{}>".format)
texts = st.sampled_from(_WORDS) | st.text(max_size=5)
raw_parts = st.sampled_from(_RAW)

tag_soup = st.lists(start_tags | end_tags | texts | raw_parts, max_size=40).map("".join)
"""Any sequence of tags, texts, comments and raw text, mostly nonsense."""
