"""Hooks of MkDocs: pages that are made from the code or are kept elsewhere, and links between them.

* `reference/library.md`: every public name, from `src/dehusk/__init__.pyi`; mkdocstrings fills it in.
* `reference/commands.md`: every command and option, from the command line itself.
* Pages kept at the root of the repository or in the package (`KEPT_ELSEWHERE`): contributing, changes, security,
  benchmarks, cards.

Links in Markdown are those of the repository, where they work on any forge. Here they are turned into links between
pages; a link to a file that is no page becomes its text.
"""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

REPOSITORY: Final = Path(__file__).parents[1]
KEPT_ELSEWHERE: Final = {
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "security.md": "SECURITY.md",
    "measuring.md": "benchmarks/README.md",
    "cards/page-network.md": "src/dehusk/models/page-network.md",
    "cards/sequence-labels.md": "src/dehusk/models/sequence-labels.md",
}
"""Page -> the file in the repository."""
_LINK: Final = re.compile(r"(!?\[(?:[^\[\]]|\[[^\[\]]*\])*\])\(([^()\s]+)\)")
_PUBLIC: Final = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)
_GROUPS: Final = {
    "Clean pages": "cleaning deciding.rules blocks page metadata limits",
    "Learn sites": "learning methods sites.duplicates",
    "Read and write": "sources sinks outputs filtering",
    "Crawl": "sites",
    "Mine": "lab",
    "Errors": "errors",
    "Others": "",
}
"""Headings of the reference, and the modules of their names; a name stands under the first that fits."""
ADAPTERS: Final = ("pandas", "datatrove", "scikit_learn", "langchain", "llama_index")


def on_config(config: Any) -> Any:
    """Take the addresses of the project from pyproject.toml, if there are any."""
    urls = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"].get("urls", {})
    config.repo_url = urls.get("repository") or config.repo_url
    config.site_url = urls.get("documentation") or config.site_url
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are not in this folder."""
    made = {name: (REPOSITORY / source).read_text("utf-8") for name, source in KEPT_ELSEWHERE.items()}
    made["reference/library.md"] = library_reference()
    made["reference/commands.md"] = command_reference()
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Turn links of the repository into links of the site."""
    name = page.file.src_uri
    source = KEPT_ELSEWHERE.get(name, f"docs/{name}")
    for mark, (heading, kind) in TABLES.items():
        if mark in markdown:
            markdown = markdown.replace(mark, scores_of_network(heading, kind))
    return _LINK.sub(lambda match: _link(match, posixpath.dirname(source), name, files), markdown)


def _link(match: re.Match[str], folder: str, page: str, files: Files) -> str:
    label, target = match[1], match[2]
    path, mark, anchor = target.partition("#")
    if not path or re.match(r"[a-z]+:", target):
        return match[0]
    place = posixpath.normpath(posixpath.join(folder, path))
    assert (REPOSITORY / place).exists() or place.startswith("docs/"), f"{page}: no such file: {target}"
    of_file = {source: name for name, source in KEPT_ELSEWHERE.items()}
    named = of_file.get(place, place.removeprefix("docs/"))
    if files.get_file_from_path(named) is None:
        return label[1:-1] if not label.startswith("!") else match[0]
    return f"{label}({posixpath.relpath(named, posixpath.dirname(page) or '.')}{mark}{anchor})"


def scores_of_network(heading: str, kind: str) -> str:
    """A table of the scores in the network's card, best first: `kind` is what stands before the name of each."""
    card = (REPOSITORY / KEPT_ELSEWHERE["cards/page-network.md"]).read_text("utf-8")
    found = re.findall(rf"^\* word F1 on pages {kind} (\w+): ([\d.]+)$", card, re.MULTILINE)
    assert found, f"the card of the network has no scores of pages {kind}"
    rows = [f"| {name} | {score} |" for name, score in sorted(found, key=lambda one: -float(one[1]))]
    return "\n".join([f"| {heading} | word F1 |", "|---|---|", *rows])


TABLES: Final = {
    "<!-- scores by type -->": ("type of page", "of type"),
    "<!-- scores by language -->": ("language", "in"),
}
"""Marks in pages, and the tables of the network's scores that stand there: their heading, and which scores."""


def library_reference() -> str:
    """Every public name, grouped by its module."""
    stub = (REPOSITORY / "src" / "dehusk" / "__init__.pyi").read_text("utf-8")
    public = [(name, module) for module, name in _PUBLIC.findall(stub) if not name.startswith("_")]
    # Functions first: they are what one looks for.
    names = sorted(public, key=lambda one: (one[0][0].isupper(), one[0]))
    groups: dict[str, list[str]] = {group: [] for group in _GROUPS}
    for name, module in names:
        groups[_group_of(module)].append(f"::: {module}.{name}\n")
    intro = "# Library\n\nEvery name that `import dehusk` gives: `dehusk.clean`, `dehusk.Limits` and so on.\n"
    parts = [f"\n## {group}\n\n" + "\n".join(entries) for group, entries in groups.items() if entries]
    adapters = [f"::: dehusk.integrations.{name}\n" for name in ADAPTERS]
    return intro + "\n".join(parts) + "\n## Adapters\n\n" + "\n".join(adapters)


def _group_of(module: str) -> str:
    own = module.removeprefix("dehusk.")
    fits = (
        group
        for group, prefixes in _GROUPS.items()
        for prefix in prefixes.split() or [own]
        if f"{own}.".startswith(f"{prefix}.")
    )
    return next(fits)


def command_reference() -> str:
    """Every command with its help and its options."""
    import typer

    from dehusk.cli import app

    parts = ["# Command line", "Made from the commands themselves: `dehusk COMMAND --help` says the same."]
    parts += [_command(path, command) for path, command in _commands(typer.main.get_command(app)) if path]
    return "\n\n".join(parts) + "\n"


def _commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for name, child in getattr(command, "commands", {}).items():
        yield from _commands(child, (*path, name))


def _command(path: tuple[str, ...], command: Any) -> str:
    options = [parameter for parameter in command.params if parameter.name != "help"]
    rows = [f"| {_names(one)} | {_cell(getattr(one, 'help', '') or '')}{_default(one)} |" for one in options]
    table = "\n".join(["| | |", "|---|---|", *rows]) if rows else ""
    return "\n\n".join(part for part in (f"## dehusk {' '.join(path)}", _prose(command.help or ""), table) if part)


def _prose(text: str) -> str:
    """Help as Markdown: examples, which are indented by two blanks, as code."""
    return re.sub(r"^ {2}(?=\S)", "    ", text.replace("\\[", "["), flags=re.MULTILINE)


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{(parameter.metavar or parameter.name).upper()}`"
    return ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))


def _default(parameter: Any) -> str:
    value = getattr(parameter, "default", None)
    shown = getattr(value, "value", value)
    return f" Default: `{shown}`." if isinstance(shown, str | int | float) and shown not in ("", False, True) else ""


def _cell(text: str) -> str:
    return " ".join(text.replace("\\[", "[").replace("|", "\\|").replace("<", "&lt;").split())
