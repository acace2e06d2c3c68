"""Style rules of the page of an outline, besides those of all reports (`html_report`)."""

from __future__ import annotations

from typing import Final

# Text has a contrast of at least 4.5 : 1 with the background, in both colour schemes (WCAG 2 AA).
STYLE: Final = """
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
