"""Options and arguments that several commands share.

Options that go together are a class: a command with a parameter of that class has all of them, and gets the value. What
is repeated here of other packages, names and defaults, lets `--help` load fast; tests keep the two equal.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

if TYPE_CHECKING:
    from dehusk.cli.clean_step import Selectors
    from dehusk.deciding.decisions import Decision
    from dehusk.filtering.page_filters import Filters
    from dehusk.sources.source_options import SourceOptions


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
    """The methods in METHODS that learn sites."""

    HYBRID = "hybrid"
    STYLE_TREE = "style-tree"
    PAGELET_TEMPLATES = "pagelet-templates"
    STRUCTURE_WEIGHTS = "structure-weights"


class MatchingName(StrEnum):
    """The names of `Matching`."""

    ALIGNED = "aligned"
    EXACT = "exact"


# Groups of options.

_shown = partial(typer.Option, rich_help_panel="What the output has besides the words")
_field = partial(typer.Option, metavar="NAME", rich_help_panel="Fields of Parquet and JSON lines")
_filter = partial(typer.Option, rich_help_panel="Filters: which cleaned pages are written")
_share = partial(_filter, max=1.0, metavar="SHARE")


@dataclass(frozen=True)
class DecidingOptions:
    """How blocks are decided on, besides their scores."""

    favour: Annotated[
        FavourName,
        typer.Option(
            "--favour", metavar="NAME", help="Drop doubtful text (precision), keep it (recall), or neither (balanced)."
        ),
    ] = FavourName.BALANCED
    comments: Annotated[bool, typer.Option("--comments", help="Keep readers' comments, too.")] = False
    without_rules: Annotated[
        list[str] | None,
        typer.Option(
            "--without-rule",
            metavar="NAME",
            help="Switch off a rule that overrides scores (repeatable); --explain names the rules that applied.",
        ),
    ] = None
    drop: Annotated[
        list[str] | None,
        typer.Option(
            "--drop",
            metavar="SELECTOR",
            help="Take elements that match this CSS selector out of pages before they are judged (repeatable).",
        ),
    ] = None
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            metavar="SELECTOR",
            help="Keep the text of elements that match this CSS selector, whatever its score (repeatable).",
        ),
    ] = None

    @property
    def selectors(self) -> Selectors:
        return tuple(self.keep or ()), tuple(self.drop or ())

    def decision(self, method: str) -> Decision:
        """The settings of the decision, for a method without training on the site."""
        from dehusk.cli.clean_step import decision_without, model_for

        model = model_for(method, "")
        return decision_without(self.without_rules or (), self.favour.value, self.comments, model, self.selectors)


@dataclass(frozen=True)
class HeadOptions:
    """What the output has of the head of a page."""

    title: Annotated[bool, _shown("--title/--no-title", help="Keep the heading that is the page's title.")] = True
    front_matter: Annotated[
        bool,
        _shown(
            "--front-matter",
            help="Begin Markdown with YAML front matter: title, author, published, language, site, address, type, "
            "confidence.",
        ),
    ] = False

    def changed(self) -> dict[str, bool]:
        """The options of documents that differ from the defaults of every format."""
        values = {field.name: (getattr(self, field.name), field.default) for field in fields(self)}
        return {name: value for name, (value, default) in values.items() if value != default}


@dataclass(frozen=True)
class ShownOptions(HeadOptions):
    """What the output has besides the words."""

    links: Annotated[
        bool | None, _shown("--links/--no-links", help="Keep link targets. Default: in all formats but text.")
    ] = None
    images: Annotated[
        bool | None, _shown("--images/--no-images", help="Keep images. Default: in all formats but text.")
    ] = None
    tables: Annotated[bool, _shown("--tables/--no-tables", help="Keep tables, or write their cells as paragraphs.")] = (
        True
    )
    repeat_spans: Annotated[
        bool,
        _shown(
            "--repeat-spans",
            help="Repeat a table cell that spans several rows or columns in each of them; otherwise it is in the "
            "first.",
        ),
    ] = False
    formatting: Annotated[
        bool, _shown("--formatting/--no-formatting", help="Keep bold, italic, code, subscripts and so on.")
    ] = True
    footnotes: Annotated[
        bool, _shown("--footnotes/--no-footnotes", help="Collect footnotes at the end, or leave them in place.")
    ] = True
    raw_characters: Annotated[
        bool,
        _shown(
            "--raw-characters",
            help="In text and Markdown, leave odd spaces, soft hyphens and invisible characters as they are.",
        ),
    ] = False


CHUNK_WORDS: Final = 300
"""`outputs.chunks.MAX_WORDS`."""


@dataclass(frozen=True)
class ChunkSizes:
    """The sizes of chunks."""

    chunk_words: Annotated[
        int, _shown("--chunk-words", min=1, metavar="N", help="Maximum words per chunk (format chunks).")
    ] = CHUNK_WORDS
    chunk_overlap: Annotated[
        int,
        _shown(
            "--chunk-overlap", min=0, metavar="N", help="Maximum words that a chunk repeats from the one before it."
        ),
    ] = 0


@dataclass(frozen=True)
class FieldOptions:
    """The names of fields in tables, and how much is read of files of many pages."""

    html_field: Annotated[
        str, _field("--html-field", help="Column or field with the pages, in Parquet and JSON lines: a.b for b in a.")
    ] = ""
    url_field: Annotated[str, _field("--url-field", help="The same for URLs.")] = ""
    text_field: Annotated[str, _field("--text-field", help="The same for plain text, if there is no html.")] = ""
    time_field: Annotated[str, _field("--time-field", help="The same for the time of fetching.")] = ""
    headers_field: Annotated[str, _field("--headers-field", help="The same for response headers.")] = ""
    file_megabytes: Annotated[
        int,
        _field(
            "--file-megabytes",
            min=0,
            metavar="N",
            help="Maximum megabytes of pages in one file, unpacked. 0: 100 times its size, or 100 MB if that is more.",
        ),
    ] = 0

    def source(self) -> SourceOptions:
        """How to read sources with these fields."""
        from dehusk.sources.source_options import SourceOptions

        fields = {name: value for name, value in vars(self).items() if name != "file_megabytes"}
        return SourceOptions(**fields, file_bytes=self.file_megabytes * 1_000_000)


LANGUAGE_CONFIDENCE: Final = 0.5
SIMILARITY: Final = 0.7
"""The defaults of `page_filters`."""
_LISTS: Final = {"language": "languages", "only_type": "only_types", "require": "require"}
"""Options that are lists -> the filters that they set."""


@dataclass(frozen=True)
class FilterOptions:
    """Which cleaned pages are written. Lists are separated by commas."""

    language: Annotated[
        str,
        _filter("--language", metavar="CODE,...", help="Keep pages whose text is in one of these languages: de,en."),
    ] = ""
    language_confidence: Annotated[
        float,
        _share("--language-confidence", min=0.0, help="Minimum probability of the detected language."),
    ] = LANGUAGE_CONFIDENCE
    min_words: Annotated[
        int, _filter("--min-words", min=0, metavar="N", help="Keep pages with at least this many words of content.")
    ] = 0
    max_words: Annotated[
        int | None,
        _filter("--max-words", min=0, metavar="N", help="Keep pages with at most this many words of content."),
    ] = None
    min_confidence: Annotated[
        float,
        _share("--min-confidence", min=0.0, help="Keep pages with at least this confidence (expected F1)."),
    ] = 0.0
    only_type: Annotated[
        str, _filter("--only-type", metavar="TYPE,...", help="Keep pages of these types: article,forum.")
    ] = ""
    require: Annotated[
        str, _filter("--require", metavar="FIELD,...", help="Keep pages that have this metadata: title,published.")
    ] = ""
    drop_duplicates: Annotated[
        bool, _filter("--drop-duplicates", help="Keep only the first of pages with (nearly) the same content.")
    ] = False
    similarity: Annotated[
        float,
        _share("--similarity", min=0.01, help="Share of common five-word runs that makes duplicates."),
    ] = SIMILARITY

    def filters(self) -> Filters | None:
        """The filters that were asked for; None if there are none."""
        asked = {field.name: value for field in fields(self) if (value := getattr(self, field.name)) != field.default}
        if not asked.keys() - {"language_confidence"}:
            return None
        from dehusk.errors import InvalidSetting
        from dehusk.filtering.page_filters import Filters

        for name, plural in _LISTS.items():
            if name in asked:
                asked[plural] = tuple(value.strip() for value in asked.pop(name).split(",") if value.strip())
        try:
            return Filters(**asked)
        except InvalidSetting as error:
            name = next((one for one, plural in _LISTS.items() if plural == error.subject), error.subject)
            raise error.about(f"--{name.replace('_', '-')}") from error


# Single options.

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
ContentOption: TypeAlias = Annotated[
    Content,
    typer.Option("--content", metavar="FORMAT", help="Format of the `text` field in records: text, markdown or html."),
]
FollowLinks: TypeAlias = Annotated[
    bool, typer.Option("--follow-links", help="Follow symbolic links that lead out of a folder.")
]
AllowPrivate: TypeAlias = Annotated[
    bool, typer.Option("--allow-private", help="Also fetch from this machine and from private networks.")
]
MatchingOption: TypeAlias = Annotated[
    MatchingName,
    typer.Option(
        "--matching", help="Style tree and structure weights: align optional elements, or match as published."
    ),
]
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
