"""What a server works with: the workspace, the jobs, and what it is allowed to do."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from dehusk.sources.fetching import Fetcher, HttpFetcher
from dehusk.webapp.jobs import Jobs
from dehusk.webapp.server_limits import DEFAULT_BOUNDS, Bounds
from dehusk.webapp.site_service import Studio
from dehusk.webapp.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Desk:
    """One of each."""

    workspace: Workspace
    bounds: Bounds = DEFAULT_BOUNDS
    allow_fetch: bool = False
    open_fetcher: Callable[[], AbstractContextManager[Fetcher]] = HttpFetcher
    """How pages are fetched; tests have a web of their own."""
    jobs: Jobs = field(default_factory=Jobs)
    studio: Studio = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "studio", Studio(self.workspace))

    def close(self) -> None:
        """End what is under way."""
        self.jobs.close()
        self.workspace.close()
