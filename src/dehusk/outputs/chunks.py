"""Chunks: the Markdown of a page in parts of bounded size, for search and language models; JSON lines of these.

A section, a heading with its text, begins a chunk. One that is too long is cut between blocks, otherwise between items,
rows and lines, sentences, or words, but never within a row of a table, a line of code or a formula. The cut is the best
place in the second half of the chunk, the last of several.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from dehusk.arguments import checked
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.errors import InvalidSetting
from dehusk.outputs.block_json import json_text
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.outputs.markdown import MarkdownOptions, render_markdown
from dehusk.outputs.markdown_pieces import Cut, Link, Piece, links_of, pieces_of, plain_heading
from dehusk.outputs.page_metadata import metadata_of
from dehusk.page.characters import as_utf8

MAX_WORDS: Final = 300
"""Words of a chunk at most, by default: some 400 tokens, which the usual embedding models (512) take whole."""
CHUNK_FIELDS: Final = tuple("id name url title order headings start end words links text".split())
"""Fields of a line in order."""
_ID_DIGITS: Final = 16
"""64 bits: in a billion chunks, two that share an id are unlikely (3 %)."""
_DEFAULT: Final = MarkdownOptions()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a page's Markdown, see `CleanedPage.chunks`.

    >>> html = "<title>Green tea</title><article><h1>Green tea</h1><p>" + "Steep the leaves for three minutes. " * 9
    >>> page = dehusk.clean(html)
    >>> chunk = page.chunks()[0]
    >>> chunk.headings, chunk.words, chunk.text == page.markdown[chunk.start : chunk.end]
    (('Green tea',), 56, True)
    """

    id: str
    """The same for the same page and text, and different from that of every other chunk of the page."""
    order: int
    """0 for the first of the page."""
    headings: tuple[str, ...]
    """The headings it stands under, from the outermost to its own."""
    start: int
    end: int
    """Characters of the page's Markdown: `markdown[start:end]` is the text."""
    words: int
    """Runs of letters, digits and underscores; each letter of scripts without blanks counts as one."""
    links: tuple[str, ...]
    """Targets of its links in order, each once, whether or not the text shows them."""
    text: str

    def to_dict(self) -> dict[str, object]:
        """The chunk as plain values."""
        return asdict(self) | {"headings": list(self.headings), "links": list(self.links)}


@checked
@dataclass(frozen=True, slots=True)
class ChunkOptions:
    r"""How Markdown is cut into chunks.

    Arguments:
        max_words: words of a chunk at most, overlap included. Only a row, a line of code or a formula that has more
            is longer.
        overlap: words at most that a chunk repeats of the one before it in the same section; at most half of
            `max_words`.
        document: what the Markdown shows besides words (links, images, ...); None for the defaults.

    >>> dehusk.clean("<p>" + "Steep it. " * 20).render("chunks", dehusk.ChunkOptions(max_words=20)).count("\n")
    2
    """

    max_words: int = MAX_WORDS
    overlap: int = 0
    document: OutputOptions | None = None

    def __post_init__(self) -> None:
        if self.max_words < 1:
            raise InvalidSetting("max_words", f"{self.max_words} is less than 1", "choose more")
        if not 0 <= 2 * self.overlap <= self.max_words:
            cause = f"{self.overlap} is not between 0 and half of max_words ({self.max_words})"
            raise InvalidSetting("overlap", cause, "choose less, or 0 for none")


_DEFAULT_CHUNKS: Final = ChunkOptions()


def chunks_of(labelled: LabelledBlocks, options: ChunkOptions = _DEFAULT_CHUNKS) -> tuple[Chunk, ...]:
    """The chunks of a page in order."""
    shown = options.document or _DEFAULT
    markdown = render_markdown(labelled, shown)
    page = labelled.blocks.page
    parts = list(cut_markdown(markdown, options.max_words, options.overlap))
    linked = markdown if shown.links else render_markdown(labelled, replace(shown, links=True))
    seen: Counter[str] = Counter()
    chunks = []
    for order, (part, links) in enumerate(zip(parts, _links_of_parts(markdown, linked, parts), strict=True)):
        text = markdown[part.start : part.end]
        key = "\0".join((page.url or page.name, *part.headings, text))
        chunks.append(
            Chunk(
                *(_digest(f"{seen[key]}\0{key}"), order, part.headings, part.start, part.end, part.words),
                links,
                text,
            )
        )
        seen[key] += 1
    return tuple(chunks)


def chunk_records(labelled: LabelledBlocks, options: ChunkOptions = _DEFAULT_CHUNKS) -> Iterator[dict[str, object]]:
    """The chunks of a page by the names in CHUNK_FIELDS, each with what says which page it is of."""
    page = labelled.blocks.page
    known = {"name": page.name, "url": page.url, "title": metadata_of(labelled).title or ""}
    for chunk in chunks_of(labelled, options):
        values = known | chunk.to_dict()
        yield {name: values[name] for name in CHUNK_FIELDS}


def render_chunks(labelled: LabelledBlocks, options: ChunkOptions | None = None) -> str:
    """A line of JSON for each chunk; empty for a page without content."""
    return "".join(json_text(record) + "\n" for record in chunk_records(labelled, options or _DEFAULT_CHUNKS))


def _digest(key: str) -> str:
    return hashlib.sha256(as_utf8(key)).hexdigest()[:_ID_DIGITS]


class Part(NamedTuple):
    """Where a chunk begins and ends."""

    start: int
    end: int
    headings: tuple[str, ...]
    words: int


def cut_markdown(markdown: str, max_words: int = MAX_WORDS, overlap: int = 0) -> Iterator[Part]:
    """Cut any Markdown into parts; all but white space is in one of them, or with an overlap in several."""
    # Shorter lines need not be cut: every second half of a chunk has the end of one.
    pieces = pieces_of(markdown, min(max_words // 2, overlap) if overlap else max_words // 2)
    # A piece without words, such as a lone bracket in code, counts as one, so that chunks are bounded.
    weights = [0, *accumulate(max(piece.words, 1) for piece in pieces)]
    words_before = [0, *accumulate(piece.words for piece in pieces)]
    for first, end, headings in _sections(markdown, pieces):
        for begin, cut in _cut_section(pieces, weights, (first, end), (max_words, overlap)):
            words = words_before[cut] - words_before[begin]
            yield Part(pieces[begin].start, pieces[cut - 1].end, headings, words)


def _sections(markdown: str, pieces: Sequence[Piece]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """First piece, end and headings of each section. A heading without text of its own belongs to the next one."""
    above: list[tuple[int, str]] = []
    first, has_text = 0, False
    for number, piece in enumerate(pieces):
        if not piece.level:
            has_text = True
        elif piece.start == 0 or markdown[piece.start - 1] == "\n":
            if has_text:
                yield first, number, tuple(text for _, text in above)
                first, has_text = number, False
            while above and above[-1][0] >= piece.level:
                above.pop()
            above.append((piece.level, plain_heading(_line_at(markdown, piece.start))))
    if pieces:
        yield first, len(pieces), tuple(text for _, text in above)


def _line_at(markdown: str, start: int) -> str:
    end = markdown.find("\n", start)
    return markdown[start:] if end < 0 else markdown[start:end]


def _cut_section(
    pieces: Sequence[Piece], weights: Sequence[int], section: tuple[int, int], sizes: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """First piece and end of each chunk of a section."""
    (begin, end), (most, overlap) = section, sizes
    own, start = most, begin
    while begin + 1 < end and weights[end] - weights[begin] > own:
        # The last piece that still fits, or the first, if it is too long by itself.
        full = max(bisect_right(weights, weights[begin] + own, begin, end) - 1, begin + 1)
        cut = _best_cut(pieces, weights, begin, full)
        yield start, cut
        own = most - overlap
        # Before a piece that is nearly too long by itself there is less room, or none.
        room = min(overlap, most - (weights[cut + 1] - weights[cut]))
        start = _overlap_start(pieces, weights, (start + 1, cut), room)
        begin = cut
    yield start, end


def _best_cut(pieces: Sequence[Piece], weights: Sequence[int], begin: int, full: int) -> int:
    """The best place for a cut in the second half of a chunk that may end before the piece `full`."""
    half = bisect_left(weights, (weights[begin] + weights[full] + 1) // 2, begin + 1, full)
    return min(range(full, half - 1, -1), key=lambda number: pieces[number].cut)


def _overlap_start(pieces: Sequence[Piece], weights: Sequence[int], among: tuple[int, int], overlap: int) -> int:
    """Where a chunk begins that repeats so many words at most of the chunk before: a line or sentence, if possible."""
    first, cut = among
    if overlap <= 0 or first >= cut:
        return cut
    earliest = bisect_left(weights, weights[cut] - overlap, first, cut)
    whole = (number for number in range(earliest, cut) if pieces[number].cut <= Cut.SENTENCE)
    return next(whole, earliest)


def _links_of_parts(markdown: str, with_links: str, parts: Sequence[Part]) -> list[tuple[str, ...]]:
    """For each part: the targets of the links that end in it, each once.

    Markdown that shows no links is compared with the same that does: without targets, both have the same letters.
    """
    found = list(links_of(with_links))
    if not found:
        return [()] * len(parts)
    places = sorted({place for part in parts for place in (part.start, part.end)})
    if markdown is with_links:
        at, ends = {place: place for place in places}, [link.start for link in found]
    else:
        letters = accumulate(_letters(markdown[start:end]) for start, end in pairwise([0, *places]))
        at, ends = dict(zip(places, letters, strict=True)), _letters_before(with_links, found)
    within = ((bisect_right(ends, at[part.start]), bisect_right(ends, at[part.end])) for part in parts)
    return [tuple(dict.fromkeys(link.target for link in found[first:end])) for first, end in within]


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _letters_before(markdown: str, links: Sequence[Link]) -> list[int]:
    """For each link: letters and digits up to its end, those of targets left out."""
    edges = pairwise([(0, 0), *((link.start, link.end) for link in links)])
    return list(accumulate(_letters(markdown[end:start]) for (_, end), (start, _) in edges))
