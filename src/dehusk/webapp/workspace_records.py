"""The records of a workspace: frozen values."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Self

from dehusk.deciding.decisions import Decision
from dehusk.deciding.rules import RULES
from dehusk.errors import InvalidSetting
from dehusk.lab.gold.policy_labels import labelled_type
from dehusk.learning import MOST_PAGES
from dehusk.methods import DEFAULT_METHOD, METHODS
from dehusk.methods.corrections import Corrections


@dataclass(frozen=True, slots=True)
class Settings:
    """How the pages of a site are cleaned."""

    method: str = DEFAULT_METHOD
    threshold: float | None = None
    """None for the method's default."""
    favour: str = "balanced"
    comments: bool = False
    without_rules: tuple[str, ...] = ()
    """Rules of `dehusk.RULES` that are switched off."""
    learn_from: int = MOST_PAGES
    """The most pages that the site is learnt from."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "without_rules", _names("without_rules", self.without_rules))
        if self.method not in METHODS:
            raise InvalidSetting("method", "unknown method", f"choose one of {', '.join(METHODS)}")
        if not isinstance(self.comments, bool):
            raise InvalidSetting("comments", "must be true or false", "see docs/webapp.md")
        if unknown := [name for name in self.without_rules if name not in RULES]:
            raise InvalidSetting(
                "without_rules", f"no rule is called {unknown[0]!r}", f"choose from {', '.join(RULES)}"
            )
        if type(self.learn_from) is not int or not 2 <= self.learn_from <= MOST_PAGES:
            raise InvalidSetting("learn_from", "must be a number of pages", f"give one from 2 to {MOST_PAGES}")
        Decision(self.favour)  # raises if it is unknown
        if self.threshold is None:
            return
        if isinstance(self.threshold, bool) or not isinstance(self.threshold, int | float):
            raise InvalidSetting("threshold", "must be a number", "give one from 0 to 1, or null")
        if not 0 <= self.threshold <= 1:
            raise InvalidSetting("threshold", f"{self.threshold} is outside 0 to 1", "give one from 0 to 1, or null")

    @property
    def decision(self) -> Decision:
        """The settings of the decision step."""
        return Decision(self.favour, self.comments, tuple(name for name in RULES if name not in self.without_rules))


def _names(setting: str, given: object) -> tuple[str, ...]:
    """A list of names from JSON, or a tuple."""
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise InvalidSetting(setting, "must be a list of names", "see docs/webapp.md")
    return tuple(given)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of cleaning a page; see docs/webapp.md."""

    bytes_before: int = 0
    bytes_after: int = 0
    ms: float = 0.0
    confidence: float | None = None
    page_type: str = ""
    blocks: int = 0
    blocks_kept: int = 0
    characters: int = 0
    characters_kept: int = 0
    changed_by_site: int | None = None
    """Blocks that are kept or dropped because of what the site taught; None if there is nothing to compare with."""
    error: str | None = None
    made_with: str = ""
    """Digest of the site at that time (`Workspace.now`); a different one makes the result stale."""
    decided_with: str = ""
    """The same without corrections (`Workspace.base`)."""
    verdicts: str = ""
    """Digest of the corrections of its blocks: if both are as they were, the page need not be cleaned again."""

    @property
    def removed(self) -> float:
        """Share of the visible text removed, at least 0: hidden text that is kept is not part of it."""
        return max(0.0, 1 - self.characters_kept / self.characters) if self.characters and not self.error else 0.0

    def as_row(self, page: str, now: str) -> dict[str, Any]:
        """The result as JSON."""
        row = asdict(self)
        for name in ("made_with", "decided_with", "verdicts"):
            del row[name]
        return {"page": page, **row, "removed": round(self.removed, 4), "stale": self.made_with != now}


@dataclass(frozen=True, slots=True)
class Label:
    """What a person says about each block of a page; blocks in no list are noise."""

    page_type: str
    content: tuple[int, ...] = ()
    comments: tuple[int, ...] = ()
    """Readers' comments, which are content only if they are wanted."""
    doubtful: tuple[int, ...] = ()
    """Blocks that the person was unsure about."""
    checked: bool = False
    """Whether the person has looked at all of them: only then it is exported as gold."""
    note: str = ""
    """What the person was unsure about."""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """A label as `asdict` wrote it."""
        lists = {name: tuple(stored[name]) for name in ("content", "comments", "doubtful")}
        # Earlier versions stored the type that was predicted.
        page_type = labelled_type(stored["page_type"])
        return cls(page_type, **lists, checked=stored["checked"], note=stored.get("note", ""))


@dataclass(frozen=True, slots=True)
class PageRecord:
    """A page in the workspace, without its bytes."""

    id: str
    name: str
    url: str
    site: str
    """Id of the site."""
    size: int
    content_type: str = ""
    """The Content-Type header it was served with."""
    gold: bool = False
    result: Result | None = None
    title: str = ""
    label: Label | None = None
    """What a person says it holds."""

    @property
    def is_checked(self) -> bool:
        """Whether a person has checked all of its blocks."""
        return self.label is not None and self.label.checked


@dataclass(frozen=True, slots=True)
class Correction:
    """Keep or drop what has a key in a scope; see `dehusk.methods.corrections.Scope`."""

    id: int
    keep: bool
    scope: str
    key: str
    """What it is looked up by, as 16 hex digits."""
    text: str
    """The beginning of the corrected block."""
    path: str
    page: str
    action: int = 0
    """The version of the workspace that it made; corrections made together have the same one, and are undone
    together."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """A learnt model; its file is in the workspace."""

    method: str
    pages: int
    knows_a_template: bool
    made_from: str
    """Digest of the pages the site had."""
    ids: tuple[str, ...] = ()
    """Those of them that were read."""
    distrust: str = ""
    """Why each page is judged by itself nevertheless; empty if the site is trusted."""


@dataclass(frozen=True, slots=True)
class SiteRecord:
    """A site, with its settings, corrections and models."""

    id: str
    name: str
    settings: Settings = Settings()
    corrections: tuple[Correction, ...] = ()
    next_correction: int = 1
    learnt: tuple[Learnt, ...] = ()
    """At most one a method."""
    seconds: float | None = None
    """How long its last elimination took, learning included."""

    @property
    def in_force(self) -> tuple[Correction, ...]:
        """The corrections without those that a later one replaces. These are kept, so that undoing restores them."""
        last = {(correction.scope, correction.key): correction for correction in self.corrections}
        return tuple(sorted(last.values(), key=lambda correction: correction.id))

    @property
    def taught(self) -> Corrections:
        """The corrections as a part of the model."""
        return Corrections.of((one.scope, int(one.key, 16), one.keep) for one in self.corrections)

    def model_of(self, method: str) -> Learnt | None:
        """The learnt model of a method, if any."""
        return next((learnt for learnt in self.learnt if learnt.method == method), None)

    def with_model(self, learnt: Learnt) -> SiteRecord:
        """The site with this model instead of its method's old one."""
        others = tuple(other for other in self.learnt if other.method != learnt.method)
        return replace(self, learnt=(*others, learnt))


@dataclass(frozen=True)
class State:
    """All records. A change makes a new state, so derived values are computed once."""

    version: int = 0
    pages: Mapping[str, PageRecord] = field(default_factory=dict)
    sites: Mapping[str, SiteRecord] = field(default_factory=dict)

    @cached_property
    def pages_of_sites(self) -> Mapping[str, list[PageRecord]]:
        """The pages of each site that has any, in the order they were added."""
        found: dict[str, list[PageRecord]] = {}
        for page in self.pages.values():
            found.setdefault(page.site, []).append(page)
        return found

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """Digest of each site's pages: changes when a page is added or removed."""
        return {site: digest_of(sorted(page.id for page in pages)) for site, pages in self.pages_of_sites.items()}


def digest_of(parts: Sequence[str]) -> str:
    """A digest of strings, as 16 hex digits."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


_FORMAT: Final = "dehusk-workspace"
_FORMAT_VERSION: Final = 1


def state_from_json(stored: Any) -> State:
    """The content of a workspace.json of earlier versions; KeyError, TypeError or ValueError if it is invalid."""
    if stored["format"] != _FORMAT or stored["format_version"] != _FORMAT_VERSION:
        raise ValueError("unsupported format version")
    pages = [page_from_json(page) for page in stored["pages"]]
    sites = [site_from_json(site) for site in stored["sites"]]
    return State(int(stored["version"]), {page.id: page for page in pages}, {site.id: site for site in sites})


def page_from_json(stored: Mapping[str, Any]) -> PageRecord:
    """A page as `asdict` wrote it."""
    result, label = stored["result"], stored.get("label")
    values = {"result": Result(**result) if result else None, "label": Label.from_json(label) if label else None}
    return PageRecord(**{**stored, **values})


def site_from_json(stored: Mapping[str, Any]) -> SiteRecord:
    """A site as `asdict` wrote it."""
    return SiteRecord(
        stored["id"],
        stored["name"],
        Settings(**stored["settings"]),
        tuple(Correction(**correction) for correction in stored["corrections"]),
        int(stored["next_correction"]),
        tuple(Learnt(**{**learnt, "ids": tuple(learnt.get("ids", ()))}) for learnt in stored["learnt"]),
        stored.get("seconds"),
    )
