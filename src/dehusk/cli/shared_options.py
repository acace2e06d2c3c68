"""Options and arguments that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer


class Content(StrEnum):
    """What the field `text` of a record can hold."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"


class FavourName(StrEnum):
    """The names of `methods.base.Favour`."""

    PRECISION = "precision"
    BALANCED = "balanced"
    RECALL = "recall"


class LearningMethod(StrEnum):
    """The methods in METHODS that learn sites, repeated so that `--help` loads fast; a test keeps the two equal."""

    HYBRID = "hybrid"
    STYLE_TREE = "style-tree"
    PAGELET_TEMPLATES = "pagelet-templates"
    STRUCTURE_WEIGHTS = "structure-weights"


class MatchingName(StrEnum):
    """The names of `Matching`, repeated for the same reason."""

    ALIGNED = "aligned"
    EXACT = "exact"


_FILTERS: Final = "Filters: which cleaned pages are written"
_FIELDS: Final = "Fields of Parquet and JSON lines"
_SHOWN: Final = "What the output has besides the words"
"""Headings in the help."""

# Cleaning.

SitePages: TypeAlias = Annotated[
    list[str], typer.Argument(metavar="PATH", help="Pages of one site; anything `clean` accepts.")
]
MethodOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--method",
        "-m",
        metavar="NAME",
        help="The extraction method: hybrid, page-evidence, satisfiable-subtree, sequence-labels, style-tree, "
        "pagelet-templates or structure-weights.",
    ),
]
FavourOption: TypeAlias = Annotated[
    FavourName,
    typer.Option(
        "--favour", metavar="NAME", help="Drop doubtful text (precision), keep it (recall), or neither (balanced)."
    ),
]
CommentsOption: TypeAlias = Annotated[bool, typer.Option("--comments", help="Keep readers' comments, too.")]
WithoutRules: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--without-rule",
        metavar="NAME",
        help="Switch off a rule that overrides scores (repeatable); --explain names the rules that applied.",
    ),
]
DropOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--drop",
        metavar="SELECTOR",
        help="Take elements that match this CSS selector out of pages before they are judged (repeatable).",
    ),
]
KeepOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--keep",
        metavar="SELECTOR",
        help="Keep the text of elements that match this CSS selector, whatever its score (repeatable).",
    ),
]
ContentOption: TypeAlias = Annotated[
    Content,
    typer.Option("--content", metavar="FORMAT", help="Format of the `text` field in records: text, markdown or html."),
]
LinksOption: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--links/--no-links", help="Keep link targets. Default: in all formats but text.", rich_help_panel=_SHOWN
    ),
]
ImagesOption: TypeAlias = Annotated[
    bool | None,
    typer.Option("--images/--no-images", help="Keep images. Default: in all formats but text.", rich_help_panel=_SHOWN),
]
TablesOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--tables/--no-tables", help="Keep tables, or write their cells as paragraphs.", rich_help_panel=_SHOWN
    ),
]
RepeatSpansOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--repeat-spans",
        help="Repeat a table cell that spans several rows or columns in each of them; otherwise it is in the first.",
        rich_help_panel=_SHOWN,
    ),
]
FormattingOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--formatting/--no-formatting", help="Keep bold, italic, code, subscripts and so on.", rich_help_panel=_SHOWN
    ),
]
FootnotesOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--footnotes/--no-footnotes",
        help="Collect footnotes at the end, or leave them in place.",
        rich_help_panel=_SHOWN,
    ),
]
RawCharactersOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--raw-characters",
        help="In text and Markdown, leave odd spaces, soft hyphens and invisible characters as they are.",
        rich_help_panel=_SHOWN,
    ),
]


TitleOption: TypeAlias = Annotated[
    bool,
    typer.Option("--title/--no-title", help="Keep the heading that is the page's title.", rich_help_panel=_SHOWN),
]
FrontMatterOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--front-matter",
        help="Begin Markdown with YAML front matter: title, author, published, language, site, address, type, "
        "confidence.",
        rich_help_panel=_SHOWN,
    ),
]
ChunkWords: TypeAlias = Annotated[
    int,
    typer.Option(
        "--chunk-words", min=1, metavar="N", help="Maximum words per chunk (format chunks).", rich_help_panel=_SHOWN
    ),
]
ChunkOverlap: TypeAlias = Annotated[
    int,
    typer.Option(
        "--chunk-overlap",
        min=0,
        metavar="N",
        help="Maximum words that a chunk repeats from the one before it.",
        rich_help_panel=_SHOWN,
    ),
]
CHUNK_WORDS: Final = 300
"""`outputs.chunks.MAX_WORDS`, repeated so that `--help` loads fast; a test keeps the two equal."""


def shown_beside_words(
    links: bool | None,
    images: bool | None,
    tables: bool,
    repeat_spans: bool,
    formatting: bool,
    footnotes: bool,
    title: bool,
    front_matter: bool,
    raw_characters: bool,
) -> dict[str, bool]:
    """The options of documents that differ from the defaults of every format."""
    given = {"links": links, "images": images}
    others = {"tables": tables, "formatting": formatting, "footnotes": footnotes, "title": title}
    asked_for = {"repeat_spans": repeat_spans, "front_matter": front_matter, "raw_characters": raw_characters}
    return {
        **{name: value for name, value in given.items() if value is not None},
        **{name: value for name, value in others.items() if not value},
        **{name: True for name, is_on in asked_for.items() if is_on},
    }


# The fields of Parquet and JSON lines.

HtmlField: TypeAlias = Annotated[
    str,
    typer.Option(
        "--html-field",
        metavar="NAME",
        help="Column or field with the pages, in Parquet and JSON lines: a.b for b in a.",
        rich_help_panel=_FIELDS,
    ),
]
UrlField: TypeAlias = Annotated[
    str, typer.Option("--url-field", metavar="NAME", help="The same for URLs.", rich_help_panel=_FIELDS)
]
TextField: TypeAlias = Annotated[
    str,
    typer.Option(
        "--text-field", metavar="NAME", help="The same for plain text, if there is no html.", rich_help_panel=_FIELDS
    ),
]
TimeField: TypeAlias = Annotated[
    str,
    typer.Option("--time-field", metavar="NAME", help="The same for the time of fetching.", rich_help_panel=_FIELDS),
]
HeadersField: TypeAlias = Annotated[
    str, typer.Option("--headers-field", metavar="NAME", help="The same for response headers.", rich_help_panel=_FIELDS)
]
FollowLinks: TypeAlias = Annotated[
    bool, typer.Option("--follow-links", help="Follow symbolic links that lead out of a folder.")
]
AllowPrivate: TypeAlias = Annotated[
    bool, typer.Option("--allow-private", help="Also fetch from this machine and from private networks.")
]

# Which cleaned pages are written; `filter_options` makes a value of these.

LanguageOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="CODE,...",
        help="Keep pages whose text is in one of these languages: de,en.",
        rich_help_panel=_FILTERS,
    ),
]
LanguageConfidence: TypeAlias = Annotated[
    float,
    typer.Option(
        "--language-confidence",
        min=0.0,
        max=1.0,
        help="Minimum probability of the detected language.",
        metavar="SHARE",
        rich_help_panel=_FILTERS,
    ),
]
MinWords: TypeAlias = Annotated[
    int,
    typer.Option(
        "--min-words",
        min=0,
        help="Keep pages with at least this many words of content.",
        metavar="N",
        rich_help_panel=_FILTERS,
    ),
]
MaxWords: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--max-words",
        min=0,
        help="Keep pages with at most this many words of content.",
        metavar="N",
        rich_help_panel=_FILTERS,
    ),
]
MinConfidence: TypeAlias = Annotated[
    float,
    typer.Option(
        "--min-confidence",
        min=0.0,
        max=1.0,
        help="Keep pages with at least this confidence (expected F1).",
        metavar="SHARE",
        rich_help_panel=_FILTERS,
    ),
]
OnlyType: TypeAlias = Annotated[
    str,
    typer.Option(
        "--only-type", metavar="TYPE,...", help="Keep pages of these types: article,forum.", rich_help_panel=_FILTERS
    ),
]
RequireOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--require",
        metavar="FIELD,...",
        help="Keep pages that have this metadata: title,published.",
        rich_help_panel=_FILTERS,
    ),
]
DropDuplicates: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--drop-duplicates",
        help="Keep only the first of pages with (nearly) the same content.",
        rich_help_panel=_FILTERS,
    ),
]
SimilarityOption: TypeAlias = Annotated[
    float,
    typer.Option(
        "--similarity",
        min=0.01,
        max=1.0,
        help="Share of common five-word runs that makes duplicates.",
        metavar="SHARE",
        rich_help_panel=_FILTERS,
    ),
]

# Fetching.

IncludeOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--include", metavar="PATTERN", help="Only URLs whose path fits, such as '/blog/*' (repeatable: any of them)."
    ),
]
ExcludeOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="PATTERN", help="No URLs whose path fits, such as '*/tag/*' (repeatable)."),
]
DelayOption: TypeAlias = Annotated[
    float,
    typer.Option("--delay", min=0.0, metavar="SECONDS", help="Pause between requests; robots.txt may ask for more."),
]
ContactOption: TypeAlias = Annotated[
    str, typer.Option("--contact", metavar="TEXT", help="Contact for site operators, sent in the User-Agent.")
]

RenderOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--render", help="Fetch pages with an installed Chromium, so that their scripts run (needs dehusk\\[render])."
    ),
]

# Labelled pages, learning and training.

MarkedGold: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH", help="Parquet files of labelled pages (columns html, gold, gold_marked), or folders."
    ),
]
MostPages: TypeAlias = Annotated[
    int | None, typer.Option("--limit", min=1, help="Score at most this many pages per file.")
]
ModelOutput: TypeAlias = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the model.")
]
Created: TypeAlias = Annotated[str, typer.Option("--created", metavar="DATE", help="Date to store in the model.")]
Iterations: TypeAlias = Annotated[int, typer.Option("--iterations", min=1, help="Maximum number of training steps.")]
Penalty: TypeAlias = Annotated[float, typer.Option("--penalty", min=0.0, help="L2 penalty on weights.")]

# Runs and reports.

Jobs: TypeAlias = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of processes.")]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="Random seed.")]
PageSeed: TypeAlias = Annotated[int, typer.Option("--seed", help="Random seed for choosing pages.")]
JsonFile: TypeAlias = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the scores as JSON.")]
