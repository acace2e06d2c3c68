"""An outline as one self-contained html page (`html_report`).

Labels and texts come from untrusted pages: all of them pass through `_escaped`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dehusk.inspection.html_report import escaped, html_report
from dehusk.inspection.outline_lines import Line, Mark, Outline, page_range, value_range

_SIGNS: Final = {Mark.NOISY: "−", Mark.MEANINGFUL: "+", Mark.MIXED: "~"}
"""Marks have a sign as well as a colour, for readers who cannot see the colour."""
_EXPLAINED: Final = {
    Mark.NOISY: "nothing in it is important",
    Mark.MEANINGFUL: "nothing in it is noisy",
    Mark.MIXED: "contains both",
}
_MOST_NESTED: Final = 60
"""Levels nested in the page. Browsers stop nesting at 512 elements; deeper lines show their level as a number."""
_FEW_LINES: Final = 150
"""Trees with at most this many lines are fully expanded at first."""
_LEVELS_OPEN: Final = 4
"""Levels of larger trees that are expanded at first."""

# Text has a contrast of at least 4.5 : 1 with the background, in both colour schemes (WCAG 2 AA).
_STYLE: Final = """
:root {
  --noisy: #b3261e; --meaningful: #1b6e36; --mixed: #7a5700; --bar: #e2e6ec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --noisy: #ff8a80; --meaningful: #7ddc96; --mixed: #e8c15a; --bar: #30353c;
  }
}
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 44%), 1fr)); gap: .6rem 1.5rem;
  margin: 0; padding: .8rem 1rem; background: var(--raised); border: 1px solid var(--rule); border-radius: .5rem; }
.facts div:last-child { grid-column: 1 / -1; }
.facts dt { color: var(--quiet); font-size: .8rem; }
.facts dd { margin: 0; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; list-style: none; margin: 1rem 0; padding: 0;
  color: var(--quiet); font-size: .85rem; }
.legend .value { display: none; }
.legend .importance { width: auto; }
.noisy { --mark: var(--noisy); }
.meaningful { --mark: var(--meaningful); }
.mixed { --mark: var(--mixed); }
.sign { color: var(--mark); flex: none; width: 1em; text-align: center; font-family: ui-monospace, monospace; }
.tree { border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); padding: .4rem 0; }
details > details, details > .end { margin-left: .45rem; border-left: 1px solid var(--rule); padding-left: .55rem; }
summary { display: flex; align-items: baseline; cursor: pointer; list-style: none; border-radius: .3rem; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "▸"; flex: none; width: 1.1em; color: var(--quiet); }
details[open] > summary::before { content: "▾"; }
.end { display: flex; }
.end::before { content: ""; flex: none; width: 1.1em; }
summary:hover, .end:hover { background: var(--over); }
.line { display: flex; flex: 1; gap: .4rem; align-items: baseline; min-width: 0; padding: .12rem 0; }
.what { flex: 1; min-width: 0; }
code { color: var(--mark); font: .87em/1.4 ui-monospace, monospace; }
.samples { display: block; color: var(--quiet); font-size: .85rem; }
.numbers { flex: none; display: flex; gap: .8rem; align-items: baseline; font-size: .8rem; color: var(--quiet);
  font-variant-numeric: tabular-nums; }
.pages { width: 6.5rem; text-align: right; }
.hidden { width: 3.6rem; text-align: right; }
.legend .hidden { width: auto; }
.level { color: var(--quiet); font-size: .8rem; }
.importance { display: inline-flex; gap: .4rem; align-items: center; width: 9rem; }
.bar { position: relative; display: inline-block; flex: none; width: 3.5rem; height: .5rem; border-radius: .25rem;
  background: var(--bar); overflow: hidden; }
.bar i { position: absolute; inset: 0 auto 0 0; background: var(--mark, var(--quiet)); opacity: .5; }
.note { color: var(--quiet); font-size: .85rem; margin: .5rem 0; }
@media (max-width: 44rem) {
  main { padding: .6rem; }
  .line { flex-wrap: wrap; }
  .what { flex-basis: calc(100% - 1.6rem); }
  .numbers { flex-basis: 100%; padding-left: 1.4rem; flex-wrap: wrap; gap: .2rem .8rem; }
  .pages, .hidden, .importance { width: auto; }
  details > details, details > .end { margin-left: .15rem; padding-left: .25rem; }
}
"""


def outline_page(outline: Outline) -> str:
    """The page."""
    title = _folded(outline.title)
    body = [
        *_facts(outline),
        *_legend(outline.lines),
        *_tree(outline.lines),
        *(f'<p class="note">{_escaped(note)}</p>' for note in outline.notes),
    ]
    return html_report(f"{title}: what was learnt", body, _STYLE, heading=title)


def _facts(outline: Outline) -> Iterator[str]:
    yield '<dl class="facts">'
    for name, value in outline.facts:
        yield f"<div><dt>{_escaped(name)}</dt><dd><bdi>{_escaped(value)}</bdi></dd></div>"
    yield "</dl>"


def _legend(lines: Sequence[Line]) -> Iterator[str]:
    """The meaning of the signs used on the page."""
    used = {line.mark for line in lines}
    yield '<ul class="legend">'
    for mark in (mark for mark in Mark if mark in used):
        yield f'<li class="{mark}"><b class="sign">{_SIGNS[mark]}</b> <b>{mark}</b>: {_EXPLAINED[mark]}</li>'
    if any(line.importance for line in lines):
        yield f"<li>{_bar((0.6, 0.6))} importance: 0 the same on all pages, 1 different on each</li>"
    if any(line.count > 1 for line in lines):
        yield "<li><b>× 12</b> number of similar elements in one line</li>"
    if any(line.hidden for line in lines):
        yield '<li><span class="hidden">+34</span> template positions inside that have no line</li>'
    yield "</ul>"


def _tree(lines: Sequence[Line]) -> Iterator[str]:
    """Nested lines; those with others below them expand and collapse."""
    levels = [min(line.level, _MOST_NESTED) for line in lines]
    open_levels = _LEVELS_OPEN if len(lines) > _FEW_LINES else _MOST_NESTED
    yield '<div class="tree">'
    for line, level, following in zip(lines, levels, [*levels[1:], 0], strict=True):
        if following > level:
            yield f"<details{' open' if level < open_levels else ''}><summary>{_line(line)}</summary>"
        else:
            yield f'<div class="end">{_line(line)}</div>'
        yield "</details>" * (level - following)
    yield "</div>"


def _line(line: Line) -> str:
    pages = f"{page_range(line.pages)} {'page' if line.pages == (1, 1) else 'pages'}"
    hidden = f"+{line.hidden:,}" if line.hidden else ""
    level = f'<span class="level">level {line.level}</span> ' if line.level > _MOST_NESTED else ""
    count = f" <b>× {line.count:,}</b>" if line.count > 1 else ""
    parts = [
        f'<span class="line {line.mark}"><b class="sign" title="{line.mark}">{_SIGNS[line.mark]}</b>',
        f'<span class="what">{level}<code><bdi>{_escaped(line.chain)}</bdi></code>{count}',
        f"{_samples(line.samples)}</span>",
        f'<span class="numbers">{_bar(line.importance)}<span class="pages">{pages}</span>',
        f'<span class="hidden">{hidden}</span></span></span>',
    ]
    return "".join(parts)


def _samples(samples: tuple[str, ...]) -> str:
    quotes = " · ".join(f'<q dir="auto">{_escaped(sample)}</q>' for sample in samples)
    return f'<span class="samples">{quotes}</span>' if quotes else ""


def _bar(importance: tuple[float, float] | None) -> str:
    """A bar that ends at the largest importance and is darker up to the smallest."""
    if importance is None:
        return ""
    low, high = (round(100 * min(max(value, 0.0), 1.0)) for value in importance)
    bar = f'<span class="bar"><i style="width:{high}%"></i><i style="width:{low}%"></i></span>'
    return f'<span class="importance">{bar}<span class="value">{value_range(importance)}</span></span>'


def _escaped(text: str) -> str:
    return escaped(_folded(text))


def _folded(text: str) -> str:
    return " ".join(text.split())
