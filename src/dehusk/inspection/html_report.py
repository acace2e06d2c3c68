"""The skeleton of all html reports: one self-contained page, without scripts, fonts or requests.

Names and texts in reports come from untrusted pages. All of them pass through `escaped`, and the content security
policy forbids scripts and requests in case one slips through.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

# Text has a contrast of at least 4.5 : 1 with the background, in both colour schemes (WCAG 2 AA).
STYLE: Final = """
:root {
  --back: #fff; --raised: #f6f7f9; --text: #1c1e21; --quiet: #5b616b; --rule: #d9dde3; --over: #eef1f5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #15171a; --raised: #1d2024; --text: #e6e8eb; --quiet: #a0a7b1; --rule: #33383f; --over: #23272c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: .5rem 0 1rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; }
a { color: inherit; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { color: var(--quiet); } dd { margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; font-size: .9rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .2rem .6rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--rule); }
th:first-child, td:first-child { text-align: left; }
"""


def html_report(title: str, body: Iterable[str], style: str = "", heading: str = "") -> str:
    """The whole page; the heading is the title unless given, `style` adds rules to `STYLE`."""
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            '<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escaped(title)}</title>",
            f"<style>{STYLE}{style}</style></head>",
            "<body><main>",
            f"<h1><bdi>{escaped(heading or title)}</bdi></h1>",
            *body,
            "</main></body></html>",
            "",
        ]
    )


def escaped(text: str) -> str:
    """Text without markup, control characters, or characters that UTF-8 cannot encode."""
    return escape("".join(character if character.isprintable() else "\ufffd" for character in text))
