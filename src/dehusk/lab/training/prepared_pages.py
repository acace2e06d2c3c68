"""Labelled pages -> arrays on disk: network inputs, targets, and what scoring needs.

Reading, segmenting and aligning take longer than an epoch of training, so they are done once. A folder holds one file
per data set; an existing file of the same pages is reused.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.lab.gold.corpora import Corpus, GoldPage, site_of_labelled
from dehusk.lab.gold.gold_alignment import Verdict
from dehusk.lab.gold.policy_labels import LabelledPolicyPage, PolicyLabel, labelled_pages
from dehusk.lab.gold.word_matching import number_words
from dehusk.lab.training.block_targets import DOUBTFUL, LabelledBlockTargets, comment_targets, label_targets
from dehusk.methods.page_network.network_inputs import PageInputs, PageTokens, page_inputs
from dehusk.methods.page_network.page_types import PAGE_TYPES, type_clues
from dehusk.page.characters import words_of, words_of_each
from dehusk.page.page_reading import read_page
from dehusk.workers.whole_files import written_whole

UNKNOWN: Final = -1
POLICY: Final = "policy"
"""The name of the pages labelled by the content policy, as a data set."""
WITH_COMMENTS: Final = frozenset({"dragnet-2012", "l3s-gn1", POLICY})
"""Data sets with annotated comments: a page without them has none."""

_OF_LABEL: Final = {
    **{name: name for name in PAGE_TYPES},
    **dict.fromkeys(("news", "blog"), "article"),
    **dict.fromkeys(("collection", "index", "front"), "listing"),
    **dict.fromkeys(("thread", "questions"), "forum"),
    "nothing": "empty",
}
_OF_SET: Final = {
    **dict.fromkeys(("daniel-waddle", "xmu-chinese-news", "l3s-gn1", "fundus-tests"), "article"),
    **dict.fromkeys(("crawl-to-the-future", "msv-big9-chaos", "dragnet-2012"), "article"),
    **dict.fromkeys(("swde-auto", "swde-book", "swde-camera"), "product"),
    **dict.fromkeys(("swde-job", "swde-university"), "data"),
}
"""Data sets of one page type. CleanEval and Google Trends have none or many."""
_OF_KIND: Final = {
    **dict.fromkeys(("docs", "api", "wiki"), "documentation"),
    **dict.fromkeys(("news", "blog", "mag"), "article"),
    **dict.fromkeys(("shop", "catalog"), "product"),
    "forum": "forum",
}
"""Page type by the first part of the name of a multi-page set."""


_MADE_BY_RULE: Final = "swde-"


def made_by_rule(corpus: str) -> bool:
    """Whether the gold of a data set was made by a rule: networks are not trained on it.

    With it, held-out pages of products labelled by the content policy scored 0.734 instead of 0.761 (word F1).
    """
    return corpus.startswith(_MADE_BY_RULE)


def known_type(corpus: str, label: str) -> int:
    """The index of a page's type in `PAGE_TYPES`, or `UNKNOWN`."""
    found = _OF_LABEL.get(label) or _OF_SET.get(corpus) or _OF_KIND.get(corpus.split("-")[0])
    return PAGE_TYPES.index(found) if found else UNKNOWN


_VERSION: Final = 7
"""Incremented when the prepared arrays change: files of another version are computed again."""

Progress = Callable[[str, int, int], None]
"""Called with a data set, the pages done and the total of pages."""


@dataclass(frozen=True, slots=True)
class PreparedPage:
    """A page of m blocks, ready for training and scoring."""

    corpus: str
    name: str
    site: str
    page_type: str
    language: str
    usable: bool
    """Whether the gold fits the page."""
    inputs: PageInputs
    target: NDArray[np.float32]
    certainty: NDArray[np.float32]
    words: NDArray[np.int32]
    """int32: the words of all blocks as numbers, block by block."""
    word_start: NDArray[np.int64]
    """int64, m + 1 entries: the offset of each block's words."""
    gold_counts: NDArray[np.int32]
    """int32: the count of each word number in gold."""
    subtree: NDArray[np.float32]
    """float32: the scores of the satisfiable sub-trees, as a baseline."""
    comment: NDArray[np.float32]
    """float32: the share of each block's words in readers' comments; 0 if not annotated."""
    clues: frozenset[str] = frozenset()
    """Clues about the page's type."""

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def lengths(self) -> NDArray[np.float64]:
        """float64, one entry per block: its number of words."""
        return np.diff(self.word_start).astype(np.float64)

    def word_f1(self, keep: NDArray[np.bool_]) -> float:
        """Word F1 against gold if these blocks are kept."""
        kept = self.words[np.repeat(keep, np.diff(self.word_start))]
        gold = int(self.gold_counts.sum())
        if not len(kept) or not gold:
            return float(not len(kept) and not gold)
        counts = np.bincount(kept, minlength=len(self.gold_counts))
        return 2 * int(np.minimum(counts, self.gold_counts).sum()) / (len(kept) + gold)


_INPUTS: Final = ("dense", "part_first", "part_last")
_TOKENS: Final = ("element_tokens", "element_start", "levels", "word_tokens", "word_start")
_OWN: Final = ("target", "certainty", "words", "word_start", "gold_counts", "subtree", "comment")


def prepare(corpora: Sequence[Corpus], folder: Path, choose: Chooser, progress: Progress) -> list[PreparedPage]:
    """The chosen pages of all corpora, from the folder if already prepared."""
    folder.mkdir(parents=True, exist_ok=True)
    return [page for corpus in corpora for page in _prepare_corpus(corpus, folder, choose, progress)]


Chooser = Callable[[Corpus], frozenset[int]]
"""Chooses pages of a corpus, by number."""


def every_page(corpus: Corpus) -> frozenset[int]:
    """All pages of a corpus."""
    return frozenset(range(corpus.size()))


def some_of_each_site(most: int) -> Chooser:
    """At most this many pages of each site, evenly spread."""

    def choose(corpus: Corpus) -> frozenset[int]:
        return frozenset(
            numbers[place * len(numbers) // min(most, len(numbers))]
            for numbers in corpus.numbers_by_site().values()
            for place in range(min(most, len(numbers)))
        )

    return choose


def _prepare_corpus(corpus: Corpus, folder: Path, choose: Chooser, progress: Progress) -> list[PreparedPage]:
    path = folder / f"{corpus.name}.npz"
    chosen = choose(corpus)
    made_of = {"version": _VERSION, "digest": corpus.digest(), "pages": sorted(chosen)}
    if not path.exists() or _made_of(path) != made_of:
        pages = []
        for gold_page in corpus.pick(chosen):
            pages.append(prepare_page(corpus.name, gold_page, segment(read_page(gold_page.raw))))
            progress(corpus.name, len(pages), len(chosen))
        _save(path, made_of, pages)
    # Always from the file, where features are in half precision, so that a resumed training gets the same network.
    return _load(path)


def prepare_policy(labels: Sequence[PolicyLabel], data: Path, folder: Path, progress: Progress) -> list[PreparedPage]:
    """The pages labelled by the content policy, from the folder if already prepared."""
    path = folder / f"{POLICY}.npz"
    made_of = {"version": _VERSION, "digest": sha256(repr(labels).encode()).hexdigest(), "pages": len(labels)}
    if not path.exists() or _made_of(path) != made_of:
        folder.mkdir(parents=True, exist_ok=True)
        pages = []
        for page in labelled_pages(labels, data):
            pages.append(_prepare_policy_page(page))
            progress(POLICY, len(pages), len(labels))
        _save(path, made_of, pages)
    return _load(path)


def _prepare_policy_page(page: LabelledPolicyPage) -> PreparedPage:
    """Prepare a page whose blocks are labelled: nothing has to be aligned."""
    content = page.content.astype(np.float32)
    certainty = np.where(page.doubtful, DOUBTFUL, 1.0).astype(np.float32)
    targets = LabelledBlockTargets(content, certainty, 1.0, Verdict.USABLE)
    return _prepared(POLICY, page.gold, page.blocks, targets, page.comments.astype(np.float32))


def without_labelled(pages: Iterable[PreparedPage], labels: Iterable[PolicyLabel]) -> list[PreparedPage]:
    """Leave out pages that are labelled by the content policy: their gold follows another one."""
    labelled = {f"{label.corpus.rpartition('/')[2]}:{label.page}" for label in labels}
    return [page for page in pages if page.name not in labelled]


def prepare_page(corpus: str, gold_page: GoldPage, blocks: Blocks) -> PreparedPage:
    """Prepare one page."""
    comments = comment_targets(blocks, gold_page.gold_comments)
    return _prepared(corpus, gold_page, blocks, label_targets(blocks, gold_page.gold), comments)


def _prepared(
    corpus: str, gold_page: GoldPage, blocks: Blocks, labels: LabelledBlockTargets, comments: NDArray[np.float32]
) -> PreparedPage:
    from dehusk.methods.satisfiable_subtree import SatisfiableSubtree

    words, lengths = words_of_each(blocks.texts)
    gold = words_of(gold_page.gold)
    numbers, gold_numbers = number_words(words, gold)
    highest = int(max(numbers.max(initial=-1), gold_numbers.max(initial=-1))) + 1
    return PreparedPage(
        corpus,
        gold_page.raw.label,
        site_of_labelled(gold_page),
        gold_page.page_type,
        gold_page.language,
        labels.usable,
        page_inputs(blocks),
        labels.target,
        labels.certainty,
        numbers.astype(np.int32),
        np.concatenate(([0], np.cumsum(np.array(lengths, dtype=np.int64)))),
        np.bincount(gold_numbers, minlength=highest).astype(np.int32),
        SatisfiableSubtree().fit().score_blocks(blocks),
        comments,
        type_clues(blocks.page),
    )


def read_prepared(folder: Path, labels: Iterable[PolicyLabel]) -> tuple[list[PreparedPage], list[PreparedPage]]:
    """(pages with usable gold, other pages) of all files in a folder; labels by the content policy replace gold."""
    pages = [page for path in sorted(folder.glob("*.npz")) for page in _load(path)]
    own = [page for page in pages if page.corpus == POLICY]
    pages = [*without_labelled((page for page in pages if page.corpus != POLICY), labels), *own]
    return [page for page in pages if page.usable], [page for page in pages if not page.usable]


def _save(path: Path, made_of: dict[str, Any], pages: Sequence[PreparedPage]) -> None:
    """Write the arrays of all pages, concatenated by name, and their lengths."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, of_page in _columns(pages):
        arrays[name] = np.concatenate(of_page) if of_page else np.zeros(0)
        arrays[f"{name} lengths"] = np.array([len(array) for array in of_page], dtype=np.int64)
    described = [
        [page.name, page.site, page.page_type, page.language, page.usable, sorted(page.clues)] for page in pages
    ]
    header = json.dumps({"made_of": made_of, "pages": described})
    with written_whole(path) as temporary, open(temporary, "wb") as file:
        np.savez(file, allow_pickle=False, header=np.array(header), **arrays)


def _columns(pages: Sequence[PreparedPage]) -> Iterator[tuple[str, list[NDArray[Any]]]]:
    for name in _INPUTS:
        columns = [getattr(page.inputs, name) for page in pages]
        # Half precision is plenty for features up to 4, and halves the memory that training needs.
        yield name, [column.astype(np.float16) for column in columns] if name == "dense" else columns
    for name in _TOKENS:
        yield f"tokens {name}", [getattr(page.inputs.tokens, name) for page in pages]
    for name in _OWN:
        yield f"own {name}", [getattr(page, name) for page in pages]


def _made_of(path: Path) -> Any:
    with np.load(path, allow_pickle=False) as file:
        return json.loads(str(file["header"]))["made_of"]


def _load(path: Path) -> list[PreparedPage]:
    """The pages of a file."""
    with np.load(path, allow_pickle=False) as file:
        header = json.loads(str(file["header"]))
        columns = {name: _split(file[name], file[f"{name} lengths"]) for name in file if f"{name} lengths" in file}
    return [_page(path.stem, number, described, columns) for number, described in enumerate(header["pages"])]


def _split(joined: NDArray[Any], lengths: NDArray[np.int64]) -> list[NDArray[Any]]:
    return np.split(joined, np.cumsum(lengths)[:-1]) if len(lengths) else []


def _page(corpus: str, number: int, described: Sequence[Any], columns: dict[str, list[NDArray[Any]]]) -> PreparedPage:
    inputs = PageInputs(
        columns["dense"][number],
        PageTokens(*(columns[f"tokens {name}"][number] for name in _TOKENS)),
        columns["part_first"][number],
        columns["part_last"][number],
    )
    name, site, page_type, language, is_usable, clues = described
    own = {column: columns[f"own {column}"][number] for column in _OWN}
    return PreparedPage(corpus, name, site, page_type, language, is_usable, inputs, **own, clues=frozenset(clues))


def unusable(pages: Iterable[PreparedPage]) -> Counter[str]:
    """The number of pages per data set whose gold does not fit."""
    return Counter(page.corpus for page in pages if not page.usable)
