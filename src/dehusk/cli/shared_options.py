"""Options that several commands have, so that they are spelled and explained alike."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

FollowLinks: TypeAlias = Annotated[
    bool,
    typer.Option("--follow-links", help="In folders, also read what links lead to elsewhere, folders included."),
]
