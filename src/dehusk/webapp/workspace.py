"""The workspace: a folder that holds the pages, what was learnt of their sites, and what people said of them.

    workspace.json    all records; written whole or not at all, at every change
    pages/ID          bytes of a page, called by its id
    gold/ID           the text a person would keep of it
    models/SITE-METHOD.dehusk

No name from a client is ever part of a path: ids are made here, and looked up before they are used. Records are
frozen; a change makes a new `State` under a lock, so that readers always see a whole one, and no change is lost.
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
from dehusk.webapp.api_errors import Refusal, not_found, too_large
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
"""What files of ours are called; others in our folders are none of our business."""


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page that is to be kept, and the name of its site."""

    raw: RawPage
    site: str


@dataclass(frozen=True, slots=True)
class Added:
    """What became of new pages."""

    pages: tuple[PageRecord, ...]
    known: tuple[str, ...]


class _Adding:
    """Writes new pages into the folder; if it does not come to a good end, none of them stays there."""

    def __init__(self, folder: Path, bounds: Bounds, state: State) -> None:
        self._folder = folder
        self._bounds = bounds
        self._there = state.pages
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
        """Write one page, if it is not there yet."""
        raw, name, site = new.raw, page_name(new.raw.name), site_name(new.site)
        identifier = page_id(name, raw.url, raw.body)
        if identifier in self._there:
            self.known[identifier] = None
        if identifier in self._there or identifier in self.pages:
            return
        self._bytes += len(raw.body)
        if len(self._there) + len(self.pages) >= self._bounds.pages:
            raise too_large(f"more than {self._bounds.pages:,} pages", "remove some, or use the command line")
        if self._bytes > self._bounds.stored_bytes:
            raise too_large(f"more than {self._bounds.stored_bytes >> 20} MB of pages", "remove some")
        record = PageRecord(identifier, name, raw.url, site_id(site), len(raw.body), raw.header("content-type"))
        self.pages[identifier] = record
        self.names[record.site] = site
        with output_errors("pages", "free some space"), written_whole(self._folder / identifier) as file:
            file.write_bytes(raw.body)


class Workspace:
    """The folder and the state in it. All methods may be called from several threads."""

    def __init__(self, folder: Path, bounds: Bounds = DEFAULT_BOUNDS) -> None:
        self._folder = folder
        self._bounds = bounds
        self._lock = threading.RLock()
        self._names: dict[str, str] = {}
        """Names of sites by their id, of those that come with new pages."""
        with output_errors(folder, "choose another --workdir"):
            folder.mkdir(parents=True, exist_ok=True)
            for name in ("pages", "gold", "models"):
                (folder / name).mkdir(exist_ok=True)
            self._claim = _claim(folder)
        try:
            self._state = self._load()
        except SourceUnreadable:
            self._claim.close()
            raise
        self._forget_strays()

    def close(self) -> None:
        """Let another server have the folder."""
        self._claim.close()

    @property
    def state(self) -> State:
        """All records as they are now."""
        return self._state

    # Looking things up.

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
        """The pages of a site, in the order in which they came."""
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
        """Where the model of a site is kept."""
        return self._folder / "models" / f"{site}-{method}.dehusk"

    def pages_digest(self, site: str) -> str:
        """What pages a site has: changes when one comes or goes."""
        return self._state.digests.get(site, "")

    def now(self, site: SiteRecord) -> str:
        """All that the results of a site depend on: results that were made with something else are stale."""
        return digest_of([self.pages_digest(site.id), repr(site.settings), repr(site.corrections)])

    # Changing things.

    def add(self, new: Iterable[NewPage]) -> Added:
        """Keep pages. All or nothing: if there are too many, none is kept."""
        with self._lock:
            adding = _Adding(self._folder / "pages", self._bounds, self._state)
            with adding:
                for page in new:
                    adding.keep(page)
                if adding.pages:
                    self._names.update(adding.names)
                    self._change(lambda state: _with_pages(state, adding.pages.values()))
        return Added(tuple(adding.pages.values()), tuple(adding.known))

    def remove(self, identifiers: Iterable[str]) -> int:
        """Forget pages; those that are not there are no error, as another tab may have been faster."""
        with self._lock:
            gone = [identifier for identifier in dict.fromkeys(identifiers) if identifier in self._state.pages]
            if gone:
                self._change(lambda state: _without_pages(state, set(gone)))
            for kind in ("pages", "gold"):
                self._forget(kind, gone)
        return len(gone)

    def remove_site(self, identifier: str) -> int:
        """Forget a site with all that belongs to it."""
        with self._lock:
            site = self.site(identifier)
            gone = [page.id for page in self.pages_of(identifier)]
            self._change(lambda state: _without_site(state, identifier))
            for kind in ("pages", "gold"):
                self._forget(kind, gone)
            self._forget("models", [self.model_path(identifier, learnt.method).name for learnt in site.learnt])
        return len(gone)

    def move(self, identifier: str, name: str) -> PageRecord:
        """Put a page into the site of that name."""
        site = site_id(site_name(name))
        self._names[site] = site_name(name)
        return self.change_page(identifier, lambda page: replace(page, site=site, result=None))

    def set_gold(self, identifier: str, text: str | None) -> PageRecord:
        """Remember what a person would keep of a page; None forgets it."""
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
        """Change how a site is cleaned."""
        return self.change_site(identifier, lambda site: replace(site, settings=change(site.settings)))

    def set_learnt(self, identifier: str, learnt: Learnt) -> SiteRecord:
        """Note that there is a model."""
        return self.change_site(identifier, lambda site: site.with_model(learnt))

    def add_correction(self, identifier: str, correction: Correction) -> Correction:
        """Remember what a person said; its id is given here. It replaces what was said of the same thing before."""
        with self._lock:
            numbered = replace(correction, id=self.site(identifier).next_correction)

            def change(site: SiteRecord) -> SiteRecord:
                others = tuple(other for other in site.corrections if (other.scope, other.key) != _said_of(numbered))
                return replace(site, corrections=(*others, numbered), next_correction=numbered.id + 1)

            self.change_site(identifier, change)
            return numbered

    def take_back(self, identifier: str, correction: int | None = None) -> None:
        """Forget a correction, or the last."""
        with self._lock:
            there = self.site(identifier).corrections
            if not there and correction is None:
                raise Refusal(409, "conflict", "there is nothing to undo")
            gone = max(other.id for other in there) if correction is None else correction
            if gone not in {other.id for other in there}:
                raise not_found("correction")
            kept = tuple(other for other in there if other.id != gone)
            self.change_site(identifier, lambda site: replace(site, corrections=kept))

    def set_results(self, results: Mapping[str, Result]) -> None:
        """Note what became of pages; those that are gone by now stay gone."""
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
            raise SourceUnreadable(str(path), "not a readable workspace", "choose another --workdir") from error

    def _forget_strays(self) -> None:
        """Files that no record speaks of: a server died between writing them and saying so."""
        for kind in ("pages", "gold"):
            strays = [file.name for file in (self._folder / kind).iterdir() if file.name not in self._state.pages]
            self._forget(kind, filter(_ID.fullmatch, strays))

    def _forget(self, kind: str, names: Iterable[str]) -> None:
        for name in names:
            (self._folder / kind / name).unlink(missing_ok=True)


def _said_of(correction: Correction) -> tuple[str, str]:
    return correction.scope, correction.key


def _with_pages(state: State, pages: Iterable[PageRecord]) -> State:
    return replace(state, pages={**state.pages, **{page.id: page for page in pages}})


def _without_pages(state: State, gone: set[str]) -> State:
    return replace(state, pages={page.id: page for page in state.pages.values() if page.id not in gone})


def _without_site(state: State, gone: str) -> State:
    pages = {page.id: page for page in state.pages.values() if page.site != gone}
    return replace(state, pages=pages, sites={site.id: site for site in state.sites.values() if site.id != gone})


def _with_sites_of_pages(state: State, names: Mapping[str, str]) -> State:
    """A record for every site that has pages. Sites whose pages are all gone keep theirs: corrections are work."""
    missing = {page.site for page in state.pages.values()} - set(state.sites)
    if not missing:
        return state
    new = {site: SiteRecord(site, names.get(site, site)) for site in sorted(missing)}
    return replace(state, sites={**state.sites, **new})


def _claim(folder: Path) -> IO[bytes]:
    """A lock on the folder, held as long as the file is open: two servers would undo each other's changes."""
    file = open(folder / ".lock", "ab")  # noqa: SIM115 - closed with the workspace
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # not on Windows
        return file
    except OSError as error:
        file.close()
        raise SourceUnreadable(str(folder), "another `dehusk serve` uses it", "choose another --workdir") from error
    return file
