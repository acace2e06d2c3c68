"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

FollowLinks: TypeAlias = Annotated[
    bool,
    typer.Option("--follow-links", help="Follow symbolic links that lead out of a folder."),
]

WithoutRules: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--without-rule",
        metavar="NAME",
        help="Switch off a rule that overrides scores (repeatable); --explain names the rules that applied.",
    ),
]
