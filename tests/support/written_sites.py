"""Small sites for the browser tests."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

_WORDS = "harbour morning kettle paper ink copper letter garden winter stone river window table lamp bread".split()

_PAGE = """<!DOCTYPE html><html lang="en"><head><title>{title}</title>
<link rel="canonical" href="https://{host}/{number}.html"></head>
<body><header class="top"><a href="/">Home of {host}</a><nav><ul><li><a href="/a">Shop for tea</a></li>
<li><a href="/b">All magazines</a></li><li><a href="/c">Your basket</a></li></ul></nav></header>
<main><h1>{title}</h1><p>{first}</p><p>{second}</p><p>{third}</p></main>
<aside class="related"><h2>Read more</h2><ul><li><a href="/{number}1">Another page like this</a></li></ul></aside>
<footer><p>Copyright of {host}. All rights reserved. We use cookies to improve your visit.</p></footer></body></html>"""


def page_of(host: str, number: int, length: int = 1) -> str:
    """A page with the template of its host and its own words; `length` makes it that many times as long."""
    title = f"Page {number} about {_word(number, 1)}"
    paragraphs = {name: "</p><p>".join([text] * length) for name, text in _paragraphs(number).items()}
    return _PAGE.format(host=host, number=number, title=title, **paragraphs)


def zipped_site(host: str, pages: int, folder: str = "site", length: int = 1) -> bytes:
    """A zip file with pages of a host."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(pages):
            archive.writestr(f"{folder}/page-{number:03}.html", page_of(host, number, length))
    return written.getvalue()


def folder_site(folder: Path, host: str, pages: int) -> Path:
    """A folder of them, half in a folder below, with a file that is no page."""
    below = folder / "below"
    below.mkdir(parents=True)
    for number in range(pages):
        (below if number % 2 else folder).joinpath(f"page-{number}.html").write_text(page_of(host, number))
    folder.joinpath("notes.pdf").write_bytes(b"%PDF")
    return folder


def _paragraphs(number: int) -> dict[str, str]:
    return {name: _sentences(number, seed) for seed, name in enumerate(("first", "second", "third"), 3)}


def _sentences(number: int, seed: int) -> str:
    words = (_word(number * 7 + seed, position) for position in range(60))
    return f"Of number {number}: " + " ".join(words).capitalize() + ", and that was all there was to say about it."


def _word(number: int, position: int) -> str:
    return _WORDS[(number * 31 + position * position * 7 + position) % len(_WORDS)]
