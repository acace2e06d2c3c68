"""All commands. Each is imported when it runs, and imports what it needs then, so that all start fast."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from itertools import chain
from typing import Annotated, Any, Final, get_type_hints

import typer
from typer.core import TyperGroup

from dehusk.cli.reporting import errors_reported
from dehusk.version import __version__

_COMMANDS: Final = {
    "clean": "clean_command",
    "crawl": "crawl_command",
    "links": "links_command",
    "learn": "learn_command",
    "batch": "batch_command",
    "serve": "serve_command",
    "mcp": "mcp_command",
    "thresholds": "thresholds_command",
    "inspect": "inspect_command",
    "weigh": "weigh_command",
    "evaluate": {
        "gold": "gold_command",
        "benchmark": "benchmark_command",
        "cleaneval": "cleaneval_command",
        "sequence-labels": "sequence_label_command",
        "clustering": "mining_commands",
        "classification": "mining_commands",
    },
    "train": {
        "hybrid": "train_commands",
        "networks": "train_commands",
        "site-evidence": "site_evidence_command",
        "sequence-labels": "train_commands",
    },
}
"""Command -> its module, in which its function is named after the command: `sequence_labels_command`."""
_GROUPS: Final = {"evaluate": "Measure extraction quality.", "train": "Train models on labelled pages."}
"""Group of commands -> its help text."""


class _Commands(Mapping[str, Any]):
    """Commands by name, imported when they are run or listed. Any: their classes differ between versions of typer."""

    def __init__(self, modules: Mapping[str, Any]) -> None:
        self._modules = modules
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = self._make(name, self._modules[name])
        return self._made[name]

    def _make(self, name: str, module: str | Mapping[str, str]) -> Any:
        if not isinstance(module, str):
            return typer.main.get_group(_group(module, name=name, help=_GROUPS[name]))
        single = typer.Typer(add_completion=False, rich_markup_mode="rich")
        function = getattr(import_module(f"dehusk.cli.{module}"), f"{name.replace('-', '_')}_command")
        single.command(name, help=help_of(function.__doc__ or ""))(_expanded(function))
        return typer.main.get_command(single)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


def _expanded(command: Callable[..., None]) -> Callable[..., None]:
    """The command with all options of a group as parameters, for each parameter that is a group."""
    parameters = inspect.signature(command, eval_str=True).parameters.values()
    groups: dict[str, Any] = {one.name: one.annotation for one in parameters if is_dataclass(one.annotation)}

    def call(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    expanded = list(chain.from_iterable(_options_of(one) if one.name in groups else [one] for one in parameters))
    # By keyword, as options with and without a default may stand in any order.
    shown = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in expanded]
    call.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in shown}
    return call


def _options_of(group: inspect.Parameter) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group.annotation, include_extras=True)
    for field in fields(group.annotation):
        yield group.replace(name=field.name, annotation=hints[field.name], default=field.default)


def help_of(docstring: str) -> str:
    """A docstring as help: paragraphs on one line, which screens of any width can wrap; examples as they are.

    Square brackets are no markup: `dehusk[train]`.
    """
    paragraphs = inspect.cleandoc(docstring).split("\n\n")
    lines = [text if text.startswith(" ") else " ".join(text.split()) for text in paragraphs]
    return "\n\n".join(lines).replace("[", r"\[")


def _group(modules: Mapping[str, Any], **settings: Any) -> typer.Typer:
    class LazyGroup(TyperGroup):
        """A group of commands that are imported on first use."""

        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            self.commands: Any = _Commands(modules)

        def invoke(self, ctx: Any) -> Any:
            with errors_reported():
                return super().invoke(ctx)

    return typer.Typer(cls=LazyGroup, no_args_is_help=True, **settings)


app = _group(
    _COMMANDS,
    name="dehusk",
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    help="Extract the main content of web pages; drop navigation, ads and other boilerplate.",
    epilog="Try [bold]dehusk clean page.html[/bold], or [bold]dehusk clean FOLDER --output cleaned[/bold].",
)


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=lambda v: _version(v)),
    ] = False,
) -> None:
    """Options of `dehusk` itself."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dehusk {__version__}")
        raise typer.Exit
