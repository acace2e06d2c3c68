"""The workspace: a folder with pages, learnt models, gold text and corrections.

    workspace.sqlite    all records, and the keys of all blocks
    pages/ID            bytes of a page
    gold/ID             the text a person would keep of it
    models/SITE-METHOD.dehusk
    removed/            the same folders with what was removed since the server started

No client input is ever part of a path: ids are made here, and looked up before use. Records are frozen; a change makes
a new `State` under a lock, so readers always see a consistent state and no change is lost.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from dehusk.errors import DehuskError, SourceUnreadable
from dehusk.methods.corrections import MOST_CORRECTIONS
from dehusk.sources.raw_page import RawPage
from dehusk.version import __version__
from dehusk.webapp.api_errors import not_found, too_large
from dehusk.webapp.safe_names import site_id, site_name
from dehusk.webapp.server_limits import DEFAULT_BOUNDS, Bounds
from dehusk.webapp.workspace_database import Database
from dehusk.webapp.workspace_folder import WORKDIR, NewPage, PageWriter, WorkspaceFolder
from dehusk.webapp.workspace_records import (
    Correction,
    Label,
    Learnt,
    PageRecord,
    Result,
    Settings,
    SiteRecord,
    State,
    digest_of,
)
from dehusk.workers.whole_files import output_errors, written_whole

_MOST_REMOVALS: Final = 20
"""Removals that can be undone; the files of earlier ones are deleted."""


@dataclass(frozen=True, slots=True)
class Added:
    """The pages that were added, and the ids of those already known."""

    pages: tuple[PageRecord, ...]
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Removal:
    """Pages that were removed, with their site if it was removed as a whole."""

    action: int
    """The version of the workspace that it made."""
    pages: tuple[PageRecord, ...]
    site: SiteRecord | None = None

    @property
    def models(self) -> list[tuple[str, str]]:
        """Site and method of the models removed with it."""
        return [(self.site.id, learnt.method) for learnt in self.site.learnt] if self.site else []


class Workspace:
    """The folder and its state. Thread-safe."""

    def __init__(self, folder: Path, bounds: Bounds = DEFAULT_BOUNDS) -> None:
        self._bounds = bounds
        self._lock = threading.RLock()
        self._names: dict[str, str] = {}
        """Site names by id, for sites that new pages create."""
        self._removals: list[Removal] = []
        self._folder = WorkspaceFolder(folder)
        self.database = Database(folder)
        try:
            self._state = self.database.load()
        except DehuskError:
            self.close()
            raise
        self._folder.delete_strays(self._state.pages)

    def close(self) -> None:
        """Release the folder for another server."""
        self.database.close()
        self._folder.close()

    @property
    def removals(self) -> Sequence[Removal]:
        """What can be brought back, oldest first."""
        return tuple(self._removals)

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
            body = self._folder.file("pages", page.id).read_bytes()
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
            return self._folder.file("gold", page.id).read_text("utf-8")
        except FileNotFoundError as error:
            raise not_found("gold text") from error

    def model_path(self, site: str, method: str) -> Path:
        """Path of a site's model file."""
        return self._folder.model(site, method)

    @property
    def trained_path(self) -> Path:
        """Path of the model that was trained with labelled pages."""
        return self._folder.path / "models" / "trained.dehusk"

    def pages_digest(self, site: str) -> str:
        """Digest of a site's pages: changes when a page is added or removed."""
        return self._state.digests.get(site, "")

    def learnt_digest(self, site: SiteRecord) -> str:
        """Digest of what a site is learnt from: its pages, and how many of them are read."""
        return digest_of([self.pages_digest(site.id), str(site.settings.learn_from)])

    def now(self, site: SiteRecord) -> str:
        """Digest of all that a site's results depend on: results made with another digest are stale."""
        return digest_of([self.base(site), repr(site.in_force)])

    def wishes(self, site: SiteRecord) -> str:
        """Digest of what people decided on a site: its pages, settings and corrections."""
        return digest_of([self.pages_digest(site.id), repr(site.settings), repr(site.in_force)])

    def base(self, site: SiteRecord) -> str:
        """The same without corrections: what decisions depend on before these are applied."""
        learnt = site.model_of(site.settings.method)
        made_from = learnt.made_from if learnt else ""
        return digest_of([__version__, self.pages_digest(site.id), repr(site.settings), made_from])

    # Changing.

    def add(self, new: Iterable[NewPage]) -> Added:
        """Add pages. All or nothing: if there are too many, none is added."""
        with self._lock:
            adding = PageWriter(self._folder.path / "pages", self._bounds, self._state)
            with adding:
                for page in new:
                    adding.keep(page)
                if adding.pages:
                    self._names.update(adding.names)
                    self._change(lambda state: _with_pages(state, adding.pages.values()))
        return Added(tuple(adding.pages.values()), tuple(adding.known))

    def remove(self, identifiers: Iterable[str]) -> Removal | None:
        """Remove pages; `restore` brings them back. Unknown ids are ignored: another tab may have been faster."""
        with self._lock:
            stored = self._state.pages
            gone = tuple(stored[identifier] for identifier in dict.fromkeys(identifiers) if identifier in stored)
            return self._removed(Removal(self._state.version + 1, gone)) if gone else None

    def remove_site(self, identifier: str) -> Removal:
        """Remove a site with its pages, models, settings and corrections."""
        with self._lock:
            site = self.site(identifier)
            return self._removed(Removal(self._state.version + 1, tuple(self.pages_of(identifier)), site))

    def _removed(self, removal: Removal) -> Removal:
        gone = {page.id for page in removal.pages}
        self._folder.make_trash()
        self._change(lambda state: _without(state, gone, removal.site))
        self._move_files(self._folder.remove, removal)
        self._removals.append(removal)
        for old in self._removals[:-_MOST_REMOVALS]:
            self._move_files(self._folder.forget, old)
        self._removals = self._removals[-_MOST_REMOVALS:]
        return removal

    def _move_files(self, move: Callable[[str, Iterable[str]], None], removal: Removal) -> None:
        for kind in ("pages", "gold"):
            move(kind, [page.id for page in removal.pages])
        move("models", [self._folder.model(*model).name for model in removal.models])

    def restore(self, action: int) -> Removal:
        """Bring back what was removed. Pages that were added again meanwhile stay as they are."""
        with self._lock:
            removal = next((one for one in self._removals if one.action == action), None)
            if removal is None:
                raise not_found("removal to undo")
            self._move_files(self._folder.restore, removal)
            self._names.update({removal.site.id: removal.site.name} if removal.site else {})
            self._change(lambda state: _with_restored(state, removal))
            self._removals.remove(removal)
            return removal

    def move(self, identifier: str, name: str) -> PageRecord:
        """Move a page to the site with that name."""
        site = site_id(site_name(name))
        self._names[site] = site_name(name)
        return self.change_page(identifier, lambda page: replace(page, site=site, result=None))

    def set_gold(self, identifier: str, text: str | None) -> PageRecord:
        """Set the gold text of a page; None removes it."""
        with self._lock:
            page = self.page(identifier)
            path = self._folder.file("gold", page.id)
            if text is not None:
                with output_errors(path, WORKDIR), written_whole(path) as file:
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

    def set_labels(self, labels: Mapping[str, Label | None]) -> None:
        """Set or remove the labels of pages."""
        with self._lock:
            changed = [replace(self.page(page), label=label) for page, label in labels.items()]
            if changed:
                self._change(lambda state: _with_pages(state, changed))

    def set_seconds(self, identifier: str, seconds: float) -> None:
        """Record how long it took to eliminate a site."""
        self.change_site(identifier, lambda site: replace(site, seconds=seconds))

    def add_corrections(self, identifier: str, new: Sequence[Correction]) -> list[Correction]:
        """Add corrections that are made together, and number them. A later one replaces one with its scope and key."""
        with self._lock:
            site, action = self.site(identifier), self._state.version + 1
            numbered = [replace(one, id=site.next_correction + number, action=action) for number, one in enumerate(new)]
            if len(site.corrections) + len(numbered) > MOST_CORRECTIONS:
                raise too_large(f"more than {MOST_CORRECTIONS:,} corrections", "remove some first")

            def change(site: SiteRecord) -> SiteRecord:
                following = site.next_correction + len(numbered)
                return replace(site, corrections=(*site.corrections, *numbered), next_correction=following)

            self.change_site(identifier, change)
            return numbered

    def remove_corrections(self, identifier: str, is_gone: Callable[[Correction], bool]) -> list[Correction]:
        """Remove some corrections; what they replaced is in force again."""
        with self._lock:
            gone = [correction for correction in self.site(identifier).corrections if is_gone(correction)]
            if not gone:
                raise not_found("correction")
            kept = tuple(one for one in self.site(identifier).corrections if one not in gone)
            self.change_site(identifier, lambda site: replace(site, corrections=kept))
            return gone

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

    def _change(self, change: Callable[[State], State]) -> None:
        changed = _with_sites_of_pages(change(self._state), self._names)
        changed = replace(changed, version=self._state.version + 1)
        self.database.write(self._state, changed)
        self._state = changed


def _with_pages(state: State, pages: Iterable[PageRecord]) -> State:
    return replace(state, pages={**state.pages, **{page.id: page for page in pages}})


def _without(state: State, gone: set[str], gone_site: SiteRecord | None) -> State:
    pages = {page.id: page for page in state.pages.values() if page.id not in gone}
    sites = {site.id: site for site in state.sites.values() if gone_site is None or site.id != gone_site.id}
    return replace(state, pages=pages, sites=sites)


def _with_restored(state: State, removal: Removal) -> State:
    pages = {page.id: page for page in removal.pages if page.id not in state.pages}
    sites = {removal.site.id: removal.site} if removal.site else {}
    return replace(state, pages={**state.pages, **pages}, sites={**state.sites, **sites})


def _with_sites_of_pages(state: State, names: Mapping[str, str]) -> State:
    """Add a record for every new site. Sites without pages keep theirs: corrections are work."""
    missing = {page.site for page in state.pages.values()} - set(state.sites)
    if not missing:
        return state
    new = {site: SiteRecord(site, names.get(site, site)) for site in sorted(missing)}
    return replace(state, sites={**state.sites, **new})
