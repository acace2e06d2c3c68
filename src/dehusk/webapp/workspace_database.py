"""The database of a workspace: its records, each written when it changes, and the keys of its blocks."""

from __future__ import annotations

import errno
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from dehusk.blocks.block_columns import BlockMask
from dehusk.errors import OutputError, SourceUnreadable
from dehusk.methods.block_keys import BlockKeys, Containers
from dehusk.webapp.workspace_folder import WORKDIR
from dehusk.webapp.workspace_records import State, page_from_json, site_from_json, state_from_json

_FORMAT: Final = 2
"""Version of the tables; 1 was a JSON file."""
_KEYS_FORMAT: Final = 1
"""Version of stored block keys: others are computed again."""
_MOST_STYLES: Final = 64 << 20
"""Characters of all style sheets. A site has some hundred thousand."""
_NUMBERS: Final = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_IOERR: 0,
}
"""The system's number for refusals, by that of SQLite."""
_TABLES: Final = """
    CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS pages (id TEXT PRIMARY KEY, record TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS sites (id TEXT PRIMARY KEY, record TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS block_keys (page TEXT PRIMARY KEY, format INTEGER NOT NULL, blocks INTEGER NOT NULL,
                                           keys BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS styles (name TEXT PRIMARY KEY, css TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS decisions (page TEXT PRIMARY KEY, made_with TEXT NOT NULL, keep BLOB NOT NULL);
"""


class _Record(Protocol):
    @property
    def id(self) -> str: ...


Record = TypeVar("Record", bound=_Record)


class Database:
    """One SQLite file. Thread-safe; only one process has it open."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "workspace.sqlite"
        self._old = folder / "workspace.json"
        self._lock = threading.Lock()
        with self._refusals():
            self._connection = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)

    def close(self) -> None:
        """Write all that is pending and release the file."""
        with self._lock:
            self._connection.close()

    def load(self) -> State:
        """All records; `SourceUnreadable` if the file is not a workspace."""
        try:
            with self._refusals():
                # Changes survive a crash of the server; a power failure may lose the last ones, never the whole.
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = NORMAL")
                self._connection.executescript(_TABLES)
            facts = dict(self._connection.execute("SELECT name, value FROM facts"))
            if not facts:
                return self._begin()
            if facts["format"] != _FORMAT:
                raise ValueError("unsupported format version")
            pages = [page_from_json(json.loads(record)) for record in self._records("pages")]
            sites = [site_from_json(json.loads(record)) for record in self._records("sites")]
            return State(facts["version"], {page.id: page for page in pages}, {site.id: site for site in sites})
        except (sqlite3.Error, OSError, ValueError, KeyError, TypeError) as error:
            path = self._old if self._old.exists() else self._path
            raise SourceUnreadable(str(path), "not a valid workspace", "choose another --workdir") from error

    def _begin(self) -> State:
        """An empty workspace, or one taken over from the JSON file of earlier versions."""
        state = state_from_json(json.loads(self._old.read_text("utf-8"))) if self._old.exists() else State()
        self.write(State(), state)
        if self._old.exists():
            self._old.rename(self._old.with_suffix(".json.old"))
        return state

    def _records(self, table: str) -> Iterator[str]:
        return (record for (record,) in self._connection.execute(f"SELECT record FROM {table} ORDER BY rowid"))

    def write(self, before: State, after: State) -> None:
        """Write the records that differ, all or none."""
        with self._transaction() as connection:
            for table, old, new in (("pages", before.pages, after.pages), ("sites", before.sites, after.sites)):
                self._write_table(connection, table, old, new)
            facts = [("format", _FORMAT), ("version", after.version)]
            connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts)

    def _write_table(
        self, connection: sqlite3.Connection, table: str, old: Mapping[str, Record], new: Mapping[str, Record]
    ) -> None:
        if old is new:
            return
        gone = [(identifier,) for identifier in old if identifier not in new]
        # Records are frozen: one that is the same object has not changed.
        changed = [record for identifier, record in new.items() if old.get(identifier) is not record]
        connection.executemany(f"DELETE FROM {table} WHERE id = ?", gone)
        if table == "pages":
            connection.executemany("DELETE FROM block_keys WHERE page = ?", gone)
            connection.executemany("DELETE FROM decisions WHERE page = ?", gone)
        rows = [(record.id, json.dumps(_as_json(record))) for record in changed]
        upsert = f"INSERT INTO {table} VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record"
        connection.executemany(upsert, rows)

    # Style sheets that came with pages, by path or URL.

    def style(self, name: str) -> str | None:
        """A style sheet."""
        with self._lock:
            row = self._connection.execute("SELECT css FROM styles WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def store_styles(self, styles: Mapping[str, str]) -> None:
        """Store style sheets, as far as there is room for them."""
        with self._transaction() as connection:
            (stored,) = connection.execute("SELECT coalesce(sum(length(css)), 0) FROM styles").fetchone()
            for name, css in styles.items():
                stored += len(css)
                if stored <= _MOST_STYLES:
                    connection.execute("INSERT OR REPLACE INTO styles VALUES (?, ?)", (name, css))

    # Block keys: derived from the pages, but reading 300 pages to learn them takes seconds.

    def block_keys(self, pages: Iterable[str]) -> dict[str, BlockKeys]:
        """The stored keys of these pages."""
        found: dict[str, BlockKeys] = {}
        query = "SELECT blocks, keys FROM block_keys WHERE page = ? AND format = ?"
        with self._lock:
            for page in pages:
                row = self._connection.execute(query, (page, _KEYS_FORMAT)).fetchone()
                if row is not None:
                    found[page] = _keys_from_bytes(*row)
        return found

    def store_block_keys(self, page: str, keys: BlockKeys) -> None:
        """Store the keys of a page."""
        row = (page, _KEYS_FORMAT, len(keys.text), _keys_as_bytes(keys))
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO block_keys VALUES (?, ?, ?, ?)", row)

    def decisions(self, made_with: str) -> dict[str, BlockMask]:
        """Page -> bool a block: what was kept before corrections, of pages that were cleaned with this digest."""
        with self._lock:
            rows = self._connection.execute("SELECT page, keep FROM decisions WHERE made_with = ?", (made_with,))
            return {page: np.frombuffer(keep, dtype=bool) for page, keep in rows}

    def store_decisions(self, decisions: Mapping[str, tuple[str, BlockMask]]) -> None:
        """Store what was kept of pages, before corrections, and what they were cleaned with."""
        rows = [(page, made_with, keep.tobytes()) for page, (made_with, keep) in decisions.items()]
        with self._transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO decisions VALUES (?, ?, ?)", rows)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._refusals(of_any_kind=True):
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def _refusals(self, of_any_kind: bool = False) -> Iterator[None]:
        """Turn refusals of the system into an error that says what to do."""
        try:
            yield
        except sqlite3.Error as error:
            number = _NUMBERS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
            if number is None and not of_any_kind:
                raise
            raise OutputError(str(self._path), str(error), WORKDIR[number or 0]) from error


def _as_json(record: Any) -> dict[str, Any]:
    return asdict(record)


def _keys_as_bytes(keys: BlockKeys) -> bytes:
    containers = keys.containers
    wide = (keys.text, keys.position, keys.style, containers.key)
    narrow = (containers.first, containers.end)
    return b"".join([array.astype("<u8").tobytes() for array in wide] + [a.astype("<i4").tobytes() for a in narrow])


def _keys_from_bytes(blocks: int, stored: bytes) -> BlockKeys:
    """The inverse: three keys a block, then a key and two numbers a container (16 bytes)."""
    containers = (len(stored) - 24 * blocks) // 16
    wide = np.frombuffer(stored, "<u8", 3 * blocks + containers).astype(np.uint64)
    narrow = np.frombuffer(stored, "<i4", 2 * containers, 8 * len(wide)).astype(np.int32)
    text, position, style = wide[: 3 * blocks].reshape(3, blocks)
    held = Containers(wide[3 * blocks :], narrow[:containers], narrow[containers:])
    return BlockKeys(text, position, style, held)
