"""How large is the code, and how does it hang together?

    python benchmarks/layout.py [FOLDER]

Counts the Python below a folder (by default `src/dehusk`): lines, modules, packages and loose modules, how many levels
of packages import each other, modules that a single other one imports, file names that occur twice, and pairs of
modules that share a run of WINDOW lines.
"""

from __future__ import annotations

import argparse
import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

WINDOW = 6
"""Lines, without blanks, comments and imports, that are no coincidence."""
REPOSITORY = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=REPOSITORY / "src" / "dehusk")
    root = parser.parse_args().folder
    # What a build generates is not ours to count.
    paths = (path for path in sorted(root.rglob("*.py")) if "_native" not in path.parts)
    texts = {module_name(path, root): path.read_text("utf-8") for path in paths}
    uses = {name: set(imported(text, root.name, texts)) - {name} for name, text in texts.items()}
    used_by = Counter(other for others in uses.values() for other in others)
    tops = {name.split(".")[0] for name in texts}
    stems = Counter(name.rpartition(".")[2] for name in texts if not name.endswith("__init__"))
    packages = {top for top in tops if f"{top}.__init__" in texts}
    for label, value in {
        "lines": sum(text.count("\n") for text in texts.values()),
        "modules": len(texts),
        "packages": len(packages),
        "loose modules": len(tops - packages),
        "levels of imports between packages": levels(uses),
        "modules with a single caller": sum(times == 1 for times in used_by.values()),
        "file names that occur twice": sum(times > 1 for times in stems.values()),
        "pairs of modules that share lines": len(shared_pairs(texts)),
    }.items():
        print(f"{label:<36} {value:,}")


def module_name(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts)


def imported(text: str, package: str, modules: dict[str, str]) -> Iterator[str]:
    """The modules of the package that a module imports."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package:
            base = (node.module or "").partition(".")[2]
            for name in (f"{base}.{alias.name}".lstrip(".") for alias in node.names):
                yield from {one for one in (name, f"{name}.__init__", base, f"{base}.__init__") if one in modules}


def levels(uses: dict[str, set[str]]) -> int:
    """The longest chain of packages of which each imports the next."""
    graph: defaultdict[str, set[str]] = defaultdict(set)
    for name, others in uses.items():
        own = name.split(".")[0]
        graph[own] |= {other.split(".")[0] for other in others} - {own}

    @cache
    def depth(package: str) -> int:
        return 1 + max(map(depth, graph[package]), default=0)

    return max(map(depth, list(graph)))


def shared_pairs(texts: dict[str, str]) -> set[tuple[str, str]]:
    """Pairs of modules with WINDOW equal lines in a row."""
    places: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for name, text in texts.items():
        lines = [line.strip() for line in text.splitlines()]
        lines = [line for line in lines if len(line) > 3 and not line.startswith(("#", "from ", "import "))]
        for start in range(len(lines) - WINDOW + 1):
            places[tuple(lines[start : start + WINDOW])].add(name)
    return {pair for names in places.values() for pair in combinations(sorted(names), 2)}


if __name__ == "__main__":
    main()
