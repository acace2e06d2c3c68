"""The workspace: a folder with pages, learnt models, gold text and corrections.

    workspace.json    all records; written atomically at every change
    pages/ID          bytes of a page
    gold/ID           the text a person would keep of it
    models/SITE-METHOD.dehusk

No client input is ever part of a path: ids are made here, and looked up before use. Records are frozen; a change makes
a new `State` under a lock, so readers always see a consistent state and no change is lost.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from dehusk.errors import SourceUnreadable
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.api_errors import ApiError, not_found, too_large
from dehusk.webapp.safe_names import page_id, page_name, site_id, site_name
from dehusk.webapp.server_limits import DEFAULT_BOUNDS, Bounds
from dehusk.webapp.workspace_records import (
    Correction,
    Learnt,
    PageRecord,
    Result,
    Settings,
    SiteRecord,
    State,
    digest_of,
    state_as_json,
    state_from_json,
)
from dehusk.workers.whole_files import output_errors, written_whole

_ID: Final = re.compile(r"[0-9a-f]{12,20}(-[a-z-]+\.dehusk)?")
"""Names of our files; other files in these folders are left alone."""


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page to add, and the name of its site."""

    raw: RawPage
    site: str


@dataclass(frozen=True, slots=True)
class Added:
    """The pages that were added, and the ids of those already known."""

    pages: tuple[PageRecord, ...]
    known: tuple[str, ...]


class _PageWriter:
    """Writes new pages into the folder; on failure it removes all of them."""

    def __init__(self, folder: Path, bounds: Bounds, state: State) -> None:
        self._folder = folder
        self._bounds = bounds
        self._stored = state.pages
        self._bytes = sum(page.size for page in state.pages.values())
        self.pages: dict[str, PageRecord] = {}
        self.known: dict[str, None] = {}
        self.names: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            for identifier in self.pages:
                (self._folder / identifier).unlink(missing_ok=True)

    def keep(self, new: NewPage) -> None:
        """Write a page, unless it is already stored."""
        raw, name, site = new.raw, page_name(new.raw.name), site_name(new.site)
        identifier = page_id(name, raw.url, raw.body)
        if identifier in self._stored:
            self.known[identifier] = None
        if identifier in self._stored or identifier in self.pages:
            return
        self._bytes += len(raw.body)
        if len(self._stored) + len(self.pages) >= self._bounds.pages:
            raise too_large(f"more than {self._bounds.pages:,} pages", "remove some, or use the command line")
        if self._bytes > self._bounds.stored_bytes:
            raise too_large(f"more than {self._bounds.stored_bytes >> 20} MB of pages", "remove some")
        record = PageRecord(identifier, name, raw.url, site_id(site), len(raw.body), raw.header("content-type"))
        self.pages[identifier] = record
        self.names[record.site] = site
        with output_errors("pages", "free some space"), written_whole(self._folder / identifier) as file:
            file.write_bytes(raw.body)


class Workspace:
    """The folder and its state. Thread-safe."""

    def __init__(self, folder: Path, bounds: Bounds = DEFAULT_BOUNDS) -> None:
        self._folder = folder
        self._bounds = bounds
        self._lock = threading.RLock()
        self._names: dict[str, str] = {}
        """Site names by id, for sites that new pages create."""
        with output_errors(folder, "choose another --workdir"):
            folder.mkdir(parents=True, exist_ok=True)
            for name in ("pages", "gold", "models"):
                (folder / name).mkdir(exist_ok=True)
            self._lock_file = _lock_folder(folder)
        try:
            self._state = self._load()
        except SourceUnreadable:
            self._lock_file.close()
            raise
        self._delete_strays()

    def close(self) -> None:
        """Release the folder for another server."""
        self._lock_file.close()

    @property
    def state(self) -> State:
        """The current records."""
        return self._state

    # Reading.

    def page(self, identifier: str) -> PageRecord:
        """A page by its id."""
        page = self._state.pages.get(identifier)
        if page is None:
            raise not_found("page")
        return page

    def site(self, identifier: str) -> SiteRecord:
        """A site by its id."""
        site = self._state.sites.get(identifier)
        if site is None:
            raise not_found("site")
        return site

    def pages_of(self, site: str) -> list[PageRecord]:
        """The pages of a site, in the order they were added."""
        return self._state.pages_of_sites.get(site, [])

    def raw(self, page: PageRecord) -> RawPage:
        """The page as it was stored."""
        try:
            body = (self._folder / "pages" / page.id).read_bytes()
        except FileNotFoundError as error:
            raise not_found("page") from error
        except OSError as error:
            raise SourceUnreadable(page.name, (error.strerror or "unreadable").lower(), "add it again") from error
        headers = (("Content-Type", page.content_type),) if page.content_type else ()
        return RawPage(body, page.url, page.name, headers)

    def gold(self, page: PageRecord) -> str:
        """The gold text of a page."""
        if not page.gold:
            raise not_found("gold text")
        try:
            return (self._folder / "gold" / page.id).read_text("utf-8")
        except FileNotFoundError as error:
            raise not_found("gold text") from error

    def model_path(self, site: str, method: str) -> Path:
        """Path of a site's model file."""
        return self._folder / "models" / f"{site}-{method}.dehusk"

    def pages_digest(self, site: str) -> str:
        """Digest of a site's pages: changes when a page is added or removed."""
        return self._state.digests.get(site, "")

    def now(self, site: SiteRecord) -> str:
        """Digest of all that a site's results depend on: results made with another digest are stale."""
        return digest_of([self.pages_digest(site.id), repr(site.settings), repr(site.corrections)])

    # Changing.

    def add(self, new: Iterable[NewPage]) -> Added:
        """Add pages. All or nothing: if there are too many, none is added."""
        with self._lock:
            adding = _PageWriter(self._folder / "pages", self._bounds, self._state)
            with adding:
                for page in new:
                    adding.keep(page)
                if adding.pages:
                    self._names.update(adding.names)
                    self._change(lambda state: _with_pages(state, adding.pages.values()))
        return Added(tuple(adding.pages.values()), tuple(adding.known))

    def remove(self, identifiers: Iterable[str]) -> int:
        """Remove pages. Unknown ids are ignored: another tab may have been faster."""
        with self._lock:
            gone = [identifier for identifier in dict.fromkeys(identifiers) if identifier in self._state.pages]
            if gone:
                self._change(lambda state: _without_pages(state, set(gone)))
            for kind in ("pages", "gold"):
                self._delete(kind, gone)
        return len(gone)

    def remove_site(self, identifier: str) -> int:
        """Remove a site with its pages, models, settings and corrections."""
        with self._lock:
            site = self.site(identifier)
            gone = [page.id for page in self.pages_of(identifier)]
            self._change(lambda state: _without_site(state, identifier))
            for kind in ("pages", "gold"):
                self._delete(kind, gone)
            self._delete("models", [self.model_path(identifier, learnt.method).name for learnt in site.learnt])
        return len(gone)

    def move(self, identifier: str, name: str) -> PageRecord:
        """Move a page to the site with that name."""
        site = site_id(site_name(name))
        self._names[site] = site_name(name)
        return self.change_page(identifier, lambda page: replace(page, site=site, result=None))

    def set_gold(self, identifier: str, text: str | None) -> PageRecord:
        """Set the gold text of a page; None removes it."""
        with self._lock:
            page = self.page(identifier)
            path = self._folder / "gold" / page.id
            if text is not None:
                with output_errors("gold", "free some space"), written_whole(path) as file:
                    file.write_bytes(text.encode("utf-8", "replace"))
            changed = self.change_page(identifier, lambda page: replace(page, gold=text is not None))
            if text is None:
                path.unlink(missing_ok=True)
            return changed

    def change_page(self, identifier: str, change: Callable[[PageRecord], PageRecord]) -> PageRecord:
        """Replace the record of a page."""
        with self._lock:
            changed = change(self.page(identifier))
            self._change(lambda state: _with_pages(state, [changed]))
            return changed

    def change_site(self, identifier: str, change: Callable[[SiteRecord], SiteRecord]) -> SiteRecord:
        """Replace the record of a site."""
        with self._lock:
            changed = change(self.site(identifier))
            self._change(lambda state: replace(state, sites={**state.sites, identifier: changed}))
            return changed

    def change_settings(self, identifier: str, change: Callable[[Settings], Settings]) -> SiteRecord:
        """Change the settings of a site."""
        return self.change_site(identifier, lambda site: replace(site, settings=change(site.settings)))

    def set_learnt(self, identifier: str, learnt: Learnt) -> SiteRecord:
        """Record a learnt model."""
        return self.change_site(identifier, lambda site: site.with_model(learnt))

    def add_correction(self, identifier: str, correction: Correction) -> Correction:
        """Add a correction and assign its id. It replaces an earlier one with the same scope and key."""
        with self._lock:
            numbered = replace(correction, id=self.site(identifier).next_correction)

            target = (correction.scope, correction.key)

            def change(site: SiteRecord) -> SiteRecord:
                others = tuple(other for other in site.corrections if (other.scope, other.key) != target)
                return replace(site, corrections=(*others, numbered), next_correction=numbered.id + 1)

            self.change_site(identifier, change)
            return numbered

    def remove_correction(self, identifier: str, correction: int | None = None) -> None:
        """Remove a correction, by default the last."""
        with self._lock:
            corrections = self.site(identifier).corrections
            if not corrections and correction is None:
                raise ApiError(409, "conflict", "nothing to undo")
            gone = max(other.id for other in corrections) if correction is None else correction
            if gone not in {other.id for other in corrections}:
                raise not_found("correction")
            kept = tuple(other for other in corrections if other.id != gone)
            self.change_site(identifier, lambda site: replace(site, corrections=kept))

    def set_results(self, results: Mapping[str, Result]) -> None:
        """Record results; pages removed in the meantime are ignored."""
        with self._lock:
            pages = [
                replace(self._state.pages[page], result=result)
                for page, result in results.items()
                if page in self._state.pages
            ]
            if pages:
                self._change(lambda state: _with_pages(state, pages))

    # The folder.

    def _change(self, change: Callable[[State], State]) -> None:
        changed = _with_sites_of_pages(change(self._state), self._names)
        changed = replace(changed, version=self._state.version + 1)
        target = self._folder / "workspace.json"
        with output_errors(target, "free some space"), written_whole(target) as file:
            file.write_text(json.dumps(state_as_json(changed)), "utf-8")
        self._state = changed

    def _load(self) -> State:
        path = self._folder / "workspace.json"
        try:
            return state_from_json(json.loads(path.read_text("utf-8")))
        except FileNotFoundError:
            return State()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SourceUnreadable(str(path), "not a valid workspace", "choose another --workdir") from error

    def _delete_strays(self) -> None:
        """Delete files without a record: a server died after writing them."""
        for kind in ("pages", "gold"):
            strays = [file.name for file in (self._folder / kind).iterdir() if file.name not in self._state.pages]
            self._delete(kind, filter(_ID.fullmatch, strays))

    def _delete(self, kind: str, names: Iterable[str]) -> None:
        for name in names:
            (self._folder / kind / name).unlink(missing_ok=True)


def _with_pages(state: State, pages: Iterable[PageRecord]) -> State:
    return replace(state, pages={**state.pages, **{page.id: page for page in pages}})


def _without_pages(state: State, gone: set[str]) -> State:
    return replace(state, pages={page.id: page for page in state.pages.values() if page.id not in gone})


def _without_site(state: State, gone: str) -> State:
    pages = {page.id: page for page in state.pages.values() if page.site != gone}
    return replace(state, pages=pages, sites={site.id: site for site in state.sites.values() if site.id != gone})


def _with_sites_of_pages(state: State, names: Mapping[str, str]) -> State:
    """Add a record for every new site. Sites without pages keep theirs: corrections are work."""
    missing = {page.site for page in state.pages.values()} - set(state.sites)
    if not missing:
        return state
    new = {site: SiteRecord(site, names.get(site, site)) for site in sorted(missing)}
    return replace(state, sites={**state.sites, **new})


def _lock_folder(folder: Path) -> IO[bytes]:
    """Lock the folder as long as the file is open: two servers would undo each other's changes."""
    file = open(folder / ".lock", "ab")  # noqa: SIM115 - closed with the workspace
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # not on Windows
        return file
    except OSError as error:
        file.close()
        raise SourceUnreadable(str(folder), "in use by another `dehusk serve`", "choose another --workdir") from error
    return file
