"""The rules on imports: data flows forward through the packages, and so do imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from slow_files import SLOW, group_of

SOURCE = Path(__file__).parent.parent / "src" / "dehusk"

PACKAGES = (
    *"errors arguments native version limits workers sources page blocks metadata sites methods deciding".split(),
    *"learning inspection outputs cleaning filtering sinks integrations batch lab webapp cli __init__ __main__".split(),
)
"""A package imports packages before it, never one after it. Modules import each other in no circle."""

INDEPENDENT = (
    "methods.page_network methods.sequence_labels methods.site_trees methods.satisfiable_subtree".split(),
    "outputs.text outputs.markdown outputs.html outputs.xml outputs.tei outputs.words outputs.cleaneval_text".split(),
    "sinks.line_sinks sinks.parquet_sink sinks.warc_sink sinks.folder_sink".split(),
)
"""In each line, no part imports another: one method, one folder; one format, one module."""

LIBRARY = {"native.library": "_native"}
"""Who may load the compiled part."""

BROAD_EXCEPT = {"workers.guard", "sources.remote"}
"""Who may catch any exception: the guard, and the reader of storages whose libraries raise whatever they like."""

LIGHT = {"typer", "typing", "dehusk.version", "dehusk.cli"}
"""What modules that `dehusk --help` loads may import besides the standard library."""

GENERATED = SOURCE / "_native"
"""Made by the build."""

MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts): path
    for path in sorted(SOURCE.rglob("*.py"))
    if GENERATED not in path.parents
}
TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in MODULES.items()}


def imports(tree: ast.AST) -> Iterator[str]:
    """The dotted names that a module imports, `dehusk.` taken off: modules, and names in modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("dehusk.") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative import"
            module = (node.module or "").removeprefix("dehusk.")
            yield from (f"{module}.{alias.name}" for alias in node.names)


def own_imports(tree: ast.AST) -> set[str]:
    """Those of them that are modules of dehusk."""
    found = set()
    for name in imports(tree):
        module, _, _ = name.rpartition(".")
        found |= {one for one in (name, f"{name}.__init__", module, f"{module}.__init__") if one in MODULES}
    return found


def breaches(name: str, imported: set[str]) -> list[str]:
    """What a module imports against the rules."""
    package = PACKAGES.index(name.split(".")[0])
    later = [other for other in imported if PACKAGES.index(other.split(".")[0]) > package]
    parts = [(line, part) for line in INDEPENDENT for part in line if f"{name}.".startswith(f"{part}.")]
    beside = [
        other
        for line, own in parts
        for other in imported
        if any(f"{other}.".startswith(f"{part}.") for part in line if part != own)
    ]
    return sorted(later + beside)


def test_imports_go_one_way() -> None:
    assert {name: wrong for name in MODULES if (wrong := breaches(name, own_imports(TREES[name])))} == {}


def test_a_wrong_import_is_noticed() -> None:
    assert breaches("page.page_columns", {"blocks.block_columns"}) == ["blocks.block_columns"]
    assert breaches("outputs.xml", {"outputs.html", "errors"}) == ["outputs.html"]
    assert breaches("methods.site_trees.style_tree", {"methods.page_network.hybrid"})
    assert breaches("methods.site_trees.style_tree", {"methods.base", "methods.site_trees.importance"}) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {name: own_imports(tree) - {name} for name, tree in TREES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"modules import each other in a circle: {' -> '.join(error.args[1])}")


def test_file_names_tell_files_apart() -> None:
    stems = [name.rpartition(".")[2] for name in MODULES if not name.endswith("__init__")]
    assert sorted(stem for stem in set(stems) if stems.count(stem) > 1) == []


def test_another_parser_is_only_what_dehusk_is_compared_with() -> None:
    found = {name for name, tree in TREES.items() if any(one.startswith("turbohtml") for one in imports(tree))}
    assert found == {"lab.evaluation.other_tools"}


def test_only_one_file_loads_the_compiled_part() -> None:
    found = {
        name: imported.rpartition(".")[0]
        for name, tree in TREES.items()
        for imported in imports(tree)
        if imported.startswith("_native")
    }
    assert found == LIBRARY


def test_commands_import_at_the_top_only_what_is_light() -> None:
    """So that `dehusk --help` answers at once; `test_public_names` runs it to see."""
    for name in (
        name
        for name in MODULES
        if name in {"cli.__init__", "cli.application"} or name.endswith(("_command", "_commands"))
    ):
        body = [node for node in TREES[name].body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in body}
        ours = {one for one in names if one and one.split(".")[0] in {"dehusk", "numpy", "pyarrow", "turbohtml"}}
        assert {one for one in ours if not one.startswith(tuple(LIGHT))} == set(), name


def test_no_broad_except_outside_the_guard() -> None:
    broad = {
        name
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"})
    }
    assert broad <= BROAD_EXCEPT


def test_the_layout_table_lists_every_package() -> None:
    table = (SOURCE.parent.parent / "CONTRIBUTING.md").read_text("utf-8")
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    missing = [name for name in PACKAGES if not name.startswith("__") and not any(f"`{name}" in row for row in rows)]
    assert missing == []


def test_slow_files_are_there_and_browsers_in_few_workers() -> None:
    tests = Path(__file__).parent
    named = [file for line in SLOW for file in line.split()]
    assert len(named) == len(set(named))
    assert [file for file in named if not (tests / file).is_file()] == []
    browser = {path.relative_to(tests).as_posix() for path in (tests / "browser").glob("test_*.py")}
    assert browser <= set(named)
    assert len(set(map(group_of, browser))) == 2
