"""Labels by the content policy (`docs/what-is-content.md`): which blocks of a page a person called content.

A file has one page per line, as JSON, and holds no text of the page: blocks are named by keys. A key is a hash of the
block's text without white space and case, with a number from 2 on where the page has the same text again. The digest
of the page tells whether the labels were made for it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.errors import GoldError
from dehusk.lab.gold.corpora import Corpus, GoldPage
from dehusk.workers.whole_files import written_whole

LABELLED_TYPES: Final = (
    *("article", "documentation", "thread", "questions", "index", "product", "data", "listing", "collection"),
    *("service", "front", "nothing"),
)
"""Page types that annotators tell apart; a cleaner need not."""
_PREDICTED: Final = {"forum": "thread", "empty": "nothing"}
"""Types that a cleaner predicts under another name. Of the types that are forums to it, threads are the most common."""
_REMEDY: Final = "give files of labels, one page per line, as docs/what-is-content.md describes them"
_FIELDS: Final = ("content", "comments", "doubtful")
_TEXTS: Final = ("corpus", "page", "digest", "page_type", "note")
_LONGEST_NAME: Final = 40
"""Characters of an unknown type that a message quotes."""


@dataclass(frozen=True, slots=True)
class PolicyLabel:
    """The labels of one page."""

    corpus: str
    """Where the page is: `more-sites/forum-politepix` stands for that Parquet file in the folder of data."""
    page: str
    """Its identifier there."""
    digest: str
    """BLAKE2b of its html, 16 bytes in hexadecimal."""
    page_type: str
    """One of `LABELLED_TYPES`."""
    content: tuple[str, ...]
    """Keys of the blocks that are content."""
    comments: tuple[str, ...] = ()
    """Keys of the blocks that are readers' comments."""
    doubtful: tuple[str, ...] = ()
    """Keys of the blocks about which the annotator was in doubt, whatever the label."""
    note: str = ""
    """What the doubt was about."""


@dataclass(frozen=True, eq=False)
class LabelledPolicyPage:
    """A page with its blocks and what they were called. Masks have one entry per block."""

    label: PolicyLabel
    gold: GoldPage
    """The page; its gold is the text of the blocks that are content."""
    blocks: Blocks
    content: BlockMask
    comments: BlockMask
    doubtful: BlockMask


def digest_of_page(html: bytes) -> str:
    """The digest of a page, as in `PolicyLabel`."""
    return blake2b(html, digest_size=16).hexdigest()


def labelled_type(predicted: str) -> str:
    """The type that an annotator begins with on a page for which this type is predicted.

    >>> labelled_type("forum"), labelled_type("product"), labelled_type("")
    ('thread', 'product', 'article')
    """
    found = _PREDICTED.get(predicted, predicted)
    return found if found in LABELLED_TYPES else LABELLED_TYPES[0]


def block_keys(texts: Iterable[str]) -> tuple[str, ...]:
    """The key of each block of a page.

    >>> block_keys(["Read  more", "A text", "read more"])
    ('8ec37aef', 'a23809b2', '8ec37aef-2')
    """
    seen: Counter[str] = Counter()
    keys = []
    for text in texts:
        folded = "".join(text.casefold().split())
        key = blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
        seen[key] += 1
        keys.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
    return tuple(keys)


def write_labels(path: Path, labels: Iterable[PolicyLabel]) -> None:
    """Write a file of labels, whole or not at all."""
    with written_whole(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        file.writelines(map(line_of_label, labels))


def line_of_label(label: PolicyLabel) -> str:
    """A label as a line of a file; empty fields are left out."""
    fields = {name: value for name, value in asdict(label).items() if value}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n"


def read_labels(path: Path) -> tuple[PolicyLabel, ...]:
    """The labels in a file, or in all `.jsonl` files of a folder."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    return tuple(label for file in files for label in _read_file(file))


def _read_file(path: Path) -> Iterator[PolicyLabel]:
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                yield label_of_line(f"{path}, line {number}", line)
    except (OSError, UnicodeDecodeError) as error:
        raise GoldError(str(path), f"cannot be read ({error})", _REMEDY) from error


def label_of_line(where: str, line: str) -> PolicyLabel:
    """A label from a line of a file; errors name `where` the line is."""
    try:
        fields: dict[str, Any] = json.loads(line)
        label = PolicyLabel(**{"content": (), **fields})
    except (ValueError, TypeError, RecursionError) as error:
        raise GoldError(where, "is not a line of labels", _REMEDY) from error
    if not _has_values(label):
        raise GoldError(where, "has a value of the wrong kind", _REMEDY)
    if label.page_type not in LABELLED_TYPES:
        named = repr(label.page_type[:_LONGEST_NAME])
        raise GoldError(where, f"has the unknown type {named}", f"use one of {', '.join(LABELLED_TYPES)}")
    content, comments, doubtful = (tuple(getattr(label, name)) for name in _FIELDS)
    return replace(label, content=content, comments=comments, doubtful=doubtful)


def _has_values(label: PolicyLabel) -> bool:
    """Whether all values are texts, and lists of texts, as JSON has them."""
    keys = [getattr(label, name) for name in _FIELDS]
    lists = all(isinstance(some, list | tuple) and all(isinstance(key, str) for key in some) for some in keys)
    return lists and all(isinstance(getattr(label, name), str) for name in _TEXTS)


def masks(label: PolicyLabel, keys: Sequence[str]) -> tuple[BlockMask, BlockMask, BlockMask]:
    """bool: which blocks are content, comments, and doubtful; raises `GoldError` if a label is of no block."""
    known = set(keys)
    if lost := [key for name in _FIELDS for key in getattr(label, name) if key not in known]:
        cause = f"{len(lost)} of its labels are of no block of the page"
        raise GoldError(
            f"{label.corpus}:{label.page}", cause, "the page is cut into blocks in another way: label it again"
        )
    return (_mask(keys, label.content), _mask(keys, label.comments), _mask(keys, label.doubtful))


def _mask(keys: Sequence[str], chosen: Iterable[str]) -> NDArray[np.bool_]:
    wanted = set(chosen)
    return np.array([key in wanted for key in keys], dtype=bool)


def labelled_pages(labels: Sequence[PolicyLabel], data: Path) -> Iterator[LabelledPolicyPage]:
    """The labelled pages that a folder of data has, corpus by corpus; raises `GoldError` for pages that changed."""
    from dehusk.blocks.segmentation import segment
    from dehusk.page.page_reading import read_page

    by_corpus: dict[str, dict[str, PolicyLabel]] = {}
    for label in labels:
        by_corpus.setdefault(label.corpus, {})[label.page] = label
    for name, wanted in by_corpus.items():
        for page in Corpus(str(data / f"{name}.parquet")):
            if page.identifier in wanted:
                yield label_page(page, wanted[page.identifier], segment(read_page(page.raw)))


def label_page(page: GoldPage, label: PolicyLabel, blocks: Blocks) -> LabelledPolicyPage:
    """Apply labels to the blocks of a page; raises `GoldError` if the page changed."""
    if digest_of_page(page.raw.body) != label.digest:
        raise GoldError(page.raw.label, "is not the page that was labelled", "use the data the labels name")
    content, comments, doubtful = masks(label, block_keys(blocks.texts))
    gold = _gold(page, label, blocks, content, comments)
    return LabelledPolicyPage(label, gold, blocks, content, comments, doubtful)


def _gold(page: GoldPage, label: PolicyLabel, blocks: Blocks, content: BlockMask, comments: BlockMask) -> GoldPage:
    def text(mask: BlockMask) -> str:
        return "\n".join(blocks.texts[index] for index in np.flatnonzero(mask).tolist())

    return replace(page, page_type=label.page_type, gold=text(content), gold_comments=text(comments), gold_marked="")
