"""State of a running server: the workspace, the jobs and the limits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from dehusk.sources.fetching import Fetcher, HttpFetcher
from dehusk.webapp.jobs import Jobs
from dehusk.webapp.server_limits import DEFAULT_BOUNDS, Bounds
from dehusk.webapp.site_service import SiteService
from dehusk.webapp.workspace import Workspace


@dataclass(frozen=True, slots=True)
class AppState:
    """What all requests of a server share."""

    workspace: Workspace
    bounds: Bounds = DEFAULT_BOUNDS
    allow_fetch: bool = False
    open_fetcher: Callable[[], AbstractContextManager[Fetcher]] = HttpFetcher
    """Opens the HTTP client; tests inject their own."""
    jobs: Jobs = field(default_factory=Jobs)
    service: SiteService = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "service", SiteService(self.workspace))

    def close(self) -> None:
        """Stop all jobs and release the workspace."""
        self.jobs.close()
        self.workspace.close()
