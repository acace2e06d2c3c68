"""Imports go one way: top to bottom of the layout, as data flows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "dehusk"

LAYERS = (
    "version",
    "errors",
    "limits",
    "writing",
    "temporary_folders",
    "sources",
    "page",
    "blocks",
    "metadata",
    "pieces",
    "places",
    "model_files",
    "network",
    "counted_site",
    "methods",
    "sites",
    "learning",
    "labels",
    "outlines",
    "documents",
    "outputs",
    "cleaning",
    "sinks",
    "mining_words",
    "integrations",
    "gold",
    "batch",
    "training",
    "evaluation",
    "webapp",
    "cli",
    "__init__",
    "__main__",
)
"""Later layers may import earlier ones, never the other way round."""

WITHIN = {
    # Inside a package modules are layered, too.
    "sources": (
        "__init__",
        "raw_page",
        "file_types",
        "crawl_index",
        "files",
        "remote",
        "unpacking",
        "http_bodies",
        "reading",
        "field_names",
        "compressed",
        "warc",
        "parquet_sizes",
        "parquet",
        "jsonl",
        "archives",
        "mhtml",
        "urls",
        "opening",
        "addresses",
        "connecting",
        "fetching",
    ),
    "sinks": ("__init__", "base", "folder", "jsonl", "parquet", "warc", "opening"),
    "sites": (
        "__init__",
        "site_of",
        "duplicates",
        "robots",
        "politeness",
        "sitemaps",
        "frontier",
        "crawling",
        "parquet_pages",
        "keeping",
    ),
    "page": (
        "__init__",
        "characters",
        "tags",
        "styles",
        "columns",
        "style_sheets",
        "json_ld",
        "unshown",
        "decoding",
        "reading",
        "links",
    ),
    "blocks": (
        "__init__",
        "paths",
        "tables",
        "columns",
        "segmenting",
        "regions",
        "belonging",
        "repeating",
        "signatures",
        "hidden_text",
        "titles",
        "further_articles",
        "teasers",
        "comment_sections",
    ),
    "metadata": (
        "__init__",
        "values",
        "vocabularies",
        "texts",
        "microdata",
        "schema_org",
        "head",
        "people",
        "publishers",
        "dates",
        "language_codes",
        "languages",
        "titles",
        "naming",
        "bylines",
        "from_page",
        "guessed_dates",
        "finding",
    ),
    "pieces": (
        "__init__",
        "labels",
        "columns",
        "finding",
        "tag_counts",
        "groups",
        "character_classes",
        "text_counts",
        "patterns",
        "evidence",
        "features",
        "discretising",
        "templates",
    ),
    "places": (
        "__init__",
        "hashing",
        "tallies",
        "samples",
        "valleys",
        "text_rows",
        "placing",
        "counting",
        "storing",
        "importance",
        "path_importance",
        "merging",
        "looks",
        "block_places",
        "readings",
    ),
    "network": (
        "__init__",
        "page_types",
        "type_clues",
        "function_words",
        "character_kinds",
        "word_hashes",
        "block_texts",
        "surroundings",
        "feature_columns",
        "features",
        "tokens",
        "looks",
        "inputs",
        "products",
        "inference",
        "cutting",
        "part_trees",
        "site_weighing",
        "trained",
    ),
    "outlines": ("__init__", "lines", "style_tree_lines", "describing", "page_style", "page"),
    "documents": (
        "__init__",
        "options",
        "nodes",
        "reshaping",
        "plain",
        "formulas",
        "images",
        "notes",
        "spans",
        "containers",
        "tables",
        "building",
    ),
    "integrations": ("__init__", "page_cleaner", "pandas", "datatrove", "scikit_learn", "langchain"),
    "gold": ("__init__", "corpora", "folders", "matching", "aligning", "reordered"),
    "batch": (
        "__init__",
        "guard",
        "steps",
        "workers",
        "local",
        "causes",
        "settings",
        "folders",
        "storage",
        "inputs",
        "tables",
        "spilling",
        "page_steps",
        "reading_files",
        "bucketing",
        "sampling",
        "record_files",
        "counting",
        "learning_sites",
        "cleaning_slices",
        "private_ray",
        "ray_engine",
        "engines",
        "report",
        "starting",
        "running",
    ),
    "training": (
        "__init__",
        "site_splits",
        "known_types",
        "labelled_blocks",
        "prepared_pages",
        "network_modules",
        "checkpoints",
        "page_network",
        "site_samples",
        "site_weights",
        "type_weights",
        "calibrating",
        "hybrid",
    ),
    "evaluation": (
        "__init__",
        "gold_f1",
        "levels",
        "text_scores",
        "running",
        "reports",
        "bootstrap",
        "text_tables",
        "html_reports",
        "svg_plots",
        "other_tools",
        "comparing",
        "floors",
        "gold_groups",
        "gold_tables",
        "gold_plots",
        "worst_pages",
        "explained_page",
        "gold_report",
        "cleaneval_score",
        "cleaneval",
        "label_experiments",
        "mining_pages",
        "site_words",
        "representations",
        "word_vectors",
        "clustering",
        "splits",
        "classification",
        "mining",
        "published",
        "mining_tables",
        "mining_plots",
        "mining_reports",
    ),
    "webapp": (
        "__init__",
        "bounds",
        "refusals",
        "access",
        "answers",
        "gate",
        "names",
        "records",
        "workspace",
        "incoming",
        "jobs",
        "judging",
        "eliminating",
        "site_index",
        "site_trees",
        "studio",
        "desk",
        "calls",
        "asked",
        "describing",
        "sanitising",
        "page_views",
        "archives",
        "labelled_data",
        "word_differences",
        "comparing",
        "page_routes",
        "job_routes",
        "result_routes",
        "site_routes",
        "program_routes",
        "routes",
        "openapi",
        "app",
        "serving",
    ),
}

PARSER_IMPORTS = {"page/reading.py": "turbohtml.saxparse", "page/decoding.py": "turbohtml.detect"}
"""Who may import the html parser's package, and what of it."""

CONTAINED: dict[str, set[str]] = {
    # A record holds the content in one of these formats, and is written as JSON is.
    "outputs/records.py": {"text", "markdown", "html", "block_json"},
}
"""Outputs that are made of other outputs, and of which."""

LIGHT = (
    "version.py",
    "cli/__init__.py",
    "cli/batch.py",
    "cli/clean.py",
    "cli/cleaneval.py",
    "cli/crawl.py",
    "cli/evaluate.py",
    "cli/exit_codes.py",
    "cli/gold.py",
    "cli/inspect.py",
    "cli/label_experiments.py",
    "cli/train.py",
    "cli/learn.py",
    "cli/mining.py",
    "cli/serve.py",
    "cli/thresholds.py",
    "cli/weigh.py",
    "__init__.py",
)
"""Modules that `dehusk --help` loads: they must not import numpy, turbohtml or anything of ours that does."""


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def imports(path: Path, top_level_only: bool = False) -> Iterator[str]:
    """Dotted names a module imports; those under `if TYPE_CHECKING` and inside functions only if asked for."""
    tree = ast.parse(path.read_text("utf-8"))
    nodes = _running_at_import(tree) if top_level_only else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            yield node.module or ""


def _running_at_import(tree: ast.Module) -> Iterator[ast.stmt]:
    for node in tree.body:
        is_guard = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        if not is_guard:
            yield node


def layer_of(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def wrong_imports(path: Path, names: Iterator[str]) -> list[str]:
    relative = path.relative_to(SOURCE)
    own = relative.parts[0].removesuffix(".py")
    wrong = []
    for name in names:
        if name != "dehusk" and not name.startswith("dehusk."):
            continue
        other = layer_of(name)
        if LAYERS.index(other) > LAYERS.index(own):
            wrong.append(f"{relative} imports {name} from a later layer")
        if other == own and own in WITHIN and len(name.split(".")) > 2:
            order = WITHIN[own]
            if order.index(name.split(".")[2]) > order.index(relative.parts[1].removesuffix(".py")):
                wrong.append(f"{relative} imports {name}, which comes after it")
    return wrong


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_one_way(path: Path) -> None:
    assert wrong_imports(path, imports(path)) == []


def test_a_wrong_import_is_noticed() -> None:
    page = SOURCE / "page" / "columns.py"
    assert wrong_imports(page, iter(["dehusk.blocks.columns"]))
    assert wrong_imports(page, iter(["dehusk.page.reading"]))
    assert not wrong_imports(page, iter(["dehusk.page.tags", "numpy"]))


def test_methods_and_outputs_never_import_each_other() -> None:
    shared = {"methods": {"base", "page_judging"}, "outputs": {"markup", "markdown_inline", "page_metadata"}}
    for package, allowed in shared.items():
        for path in sorted((SOURCE / package).glob("*.py")):
            if path.stem == "__init__":
                continue
            siblings = {name.split(".")[2] for name in imports(path) if name.startswith(f"dehusk.{package}.")}
            contained = CONTAINED.get(path.relative_to(SOURCE).as_posix(), set())
            assert siblings <= allowed | contained, path


def test_only_one_file_imports_the_parser() -> None:
    found = {
        str(path.relative_to(SOURCE)): name
        for path in modules()
        for name in imports(path)
        if name.startswith("turbohtml") and path.stem != "other_tools"
    }
    assert found == PARSER_IMPORTS


@pytest.mark.parametrize("relative", LIGHT)
def test_help_stays_light(relative: str) -> None:
    heavy = [
        name
        for name in imports(SOURCE / relative, top_level_only=True)
        if name.split(".")[0] in {"numpy", "turbohtml", "pyarrow"}
        or (name.startswith("dehusk.") and layer_of(name) not in {"version", "cli"})
    ]
    assert heavy == []


def test_no_broad_except_outside_the_guard() -> None:
    for path in modules():
        if path.relative_to(SOURCE).as_posix() in {"batch/guard.py", "sources/remote.py"}:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ExceptHandler):
                assert node.type is not None, f"{path}:{node.lineno}"
                assert ast.unparse(node.type) not in {"Exception", "BaseException"}, f"{path}:{node.lineno}"
