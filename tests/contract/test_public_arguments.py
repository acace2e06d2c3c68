"""What every public function and class promises about its arguments: whatever is passed, there is a result, one of our
errors, or a TypeError that names the argument. Nothing else is raised, now or when the result is used."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import dehusk
from dehusk.arguments import each
from dehusk.metadata.values import Metadata

HTML = "<title>Tea</title><nav><a href=/>Home</a></nav><h1>Tea {0}</h1><p>" + "Steep number {0} for long. " * 9


@cache
def page(number: int = 0) -> dehusk.Page:
    return dehusk.read_page(HTML.format(number), url=f"https://a.example/{number}")


@cache
def cleaned(number: int = 0) -> dehusk.CleanedPage:
    return dehusk.clean(page(number))


@cache
def pages() -> tuple[dehusk.Page, ...]:
    return tuple(map(page, range(3)))


class Site:
    """Instead of the web."""

    def fetch(self, url: str, expected: Any, check: Callable[[str], None]) -> dehusk.RawPage:
        check(url)
        if "robots" in url or "sitemap" in url:
            raise dehusk.NotServed(url, "status 404")
        return dehusk.RawPage(f"<p>{url} <a href=/tea>tea</a>".encode(), url, url)


FOLDER = Path(tempfile.gettempdir())
ODD: dict[str, Any] = {
    "None": None,
    "0": 0,
    "-1": -1,
    "1.5": 1.5,
    "nan": float("nan"),
    "a large number": 10**30,
    "True": True,
    "empty text": "",
    "a name": "nonsense",
    "a zero": "a\0b",
    "a surrogate": "\ud800",
    "no bytes": b"",
    "bytes": b"\xff<p>x",
    "no list": [],
    "a list with None": [None],
    "a list with a number": [5],
    "a list with a name": ["nonsense"],
    "a pair": ("a", "b"),
    "a mapping": {"a": 1},
    "an object": object(),
    "a class": dehusk.StyleTree,
    "a function": lambda *given: None,
    "a path": FOLDER / "is not there",
    "a stream": None,
    "an error": ValueError("x"),
    "options": dehusk.RecordOptions(),
    "a method": dehusk.StyleTree(),
    "a page": dehusk.RawPage(b"<p>x"),
}


def odd(name: str) -> Any:
    return iter([None, 5, "x"]) if name == "a stream" else ODD[name]


FETCHED: dict[str, Any] = {"fetcher": Site(), "delay": 0, "pages": 2}

FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "clean": (dehusk.clean, {"source": HTML}),
    "clean a page": (dehusk.clean, {"source": page()}),
    "clean_many": (dehusk.clean_many, {"sources": [HTML, HTML], "threads": 1}),
    "crawl": (dehusk.crawl, {"url": "http://a.example/", **FETCHED}),
    "distinct_pages": (dehusk.distinct_pages, {"pages": pages()}),
    "extract": (dehusk.extract, {"html": HTML}),
    "filter_pages": (dehusk.filter_pages, {"pages": [cleaned()], "filters": dehusk.Filters(min_words=999)}),
    "find_metadata": (dehusk.find_metadata, {"page": page()}),
    "learn": (dehusk.learn, {"pages": pages()}),
    "load_model": (dehusk.load_model, {"path": "nowhere.dehusk"}),
    "open_sink": (dehusk.open_sink, {"path": str(FOLDER / "sink.jsonl")}),
    "open_source": (dehusk.open_source, {"path": str(Path(dehusk.__file__).parent / "sample_site" / "index.html")}),
    "read_page": (dehusk.read_page, {"source": HTML}),
    "sample": (dehusk.sample, {"items": [1, 2, 3]}),
    "segment": (dehusk.segment, {"page": page()}),
    "telling_words": (dehusk.telling_words, {"pages": pages(), "model": dehusk.PageEvidence().fit()}),
    "weighted_vectors": (dehusk.weighted_vectors, {"weights": [{"tea": 1.0}]}),
}


def clean_with(limits: dehusk.Limits) -> object:
    return dehusk.clean(HTML, limits=limits)


def shown_as(format_name: str) -> Callable[[Any], object]:
    return lambda options: cleaned().render(format_name, options)


def fit_and_clean(method: Any) -> object:
    return dehusk.clean(HTML, method.fit(pages())).text


def crawl_with(scope: dehusk.CrawlScope) -> object:
    return list(dehusk.crawl("http://a.example/", 2, scope=scope, fetcher=Site(), delay=0))


def fetch_with(fetcher: dehusk.HttpFetcher) -> object:
    with fetcher:
        return fetcher.fetch("http://127.0.0.1:9/")


def fetch_within(limits: dehusk.FetchLimits) -> object:
    return fetch_with(dehusk.HttpFetcher(limits, allow_private=True))


def use_raw(raw: dehusk.RawPage) -> object:
    assert raw.label
    assert isinstance(raw.full_label, str)
    raw.header("content-type")
    return dehusk.clean(raw).to_record()


CLASSES: dict[str, tuple[Callable[[Any], object], dict[str, Any]]] = {
    "ChunkOptions": (shown_as("chunks"), {}),
    "CleanEvalOptions": (shown_as("cleaneval"), {}),
    "CrawlScope": (crawl_with, {}),
    "FetchLimits": (fetch_within, {}),
    "Filters": (lambda filters: list(dehusk.filter_pages([cleaned()], filters)), {}),
    "HttpFetcher": (fetch_with, {"allow_private": True}),
    "Hybrid": (fit_and_clean, {}),
    "JsonOptions": (shown_as("json"), {}),
    "Limits": (clean_with, {}),
    "MarkdownOptions": (shown_as("markdown"), {}),
    "OutputOptions": (shown_as("html"), {}),
    "PageEvidence": (fit_and_clean, {}),
    "PageletTemplates": (fit_and_clean, {}),
    "RawPage": (use_raw, {"body": HTML.encode()}),
    "RecordOptions": (shown_as("csv"), {}),
    "SatisfiableSubtree": (fit_and_clean, {}),
    "SequenceLabels": (fit_and_clean, {}),
    "StructureWeights": (fit_and_clean, {}),
    "StyleTree": (fit_and_clean, {}),
    "TextOptions": (shown_as("text"), {}),
    "WordsOptions": (shown_as("words"), {}),
}
"""Classes that people make, what is done with one, and the arguments it needs."""


def write(record: Any) -> None:
    with dehusk.open_sink("records.csv") as sink:
        sink.write(record)


def fetch(url: Any, check: Any = lambda url: None) -> object:
    with dehusk.HttpFetcher(allow_private=True) as fetcher:
        return fetcher.fetch(url, check=check)


METHODS_OF: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "CleanedPage.chunks": (cleaned().chunks, {}),
    "CleanedPage.render": (cleaned().render, {}),
    "CleanedPage.render_parts": (cleaned().render_parts, {}),
    "CleanedPage.to_dict": (cleaned().to_dict, {}),
    "CleanedPage.to_record": (cleaned().to_record, {}),
    "HttpFetcher.fetch": (fetch, {"url": "http://127.0.0.1:9/"}),
    "Sink.write": (write, {"record": {"name": "a", "url": "", "text": "Tea"}}),
}
RESULTS = set("Blocks Chunk CleanedBlock CleanedPage Fetcher Kind Metadata Page WeightedVectors".split())
"""Classes that people get from dehusk, and do not make; `Fetcher` is an interface."""
NAMES_OF_CHOICES = {
    ("clean", "favour"): "recall",
    ("clean_many", "favour"): "precision",
    ("clean", "rules"): ["teasers"],
    ("clean", "keep"): ["h1"],
    ("extract", "format"): "text",
    ("learn", "method"): "style-tree",
    ("open_sink", "format"): "csv",
    ("open_sink", "content"): "markdown",
    ("find_metadata", "page_type"): "article",
    ("StyleTree", "matching"): "exact",
    ("StructureWeights", "matching"): "exact",
    ("RecordOptions", "content"): "html",
    ("Filters", "only_types"): ["article"],
    ("Filters", "languages"): ["en"],
    ("CleanedPage.render", "format_name"): "markdown",
}
"""Arguments that choose from names, and a name."""


LEFT_OUT = {
    ("crawl", "fetcher", "None"),  # the web itself
    ("HttpFetcher", "resolver", "a function"),  # one that does not resolve
}


MADE_OF = {
    "Chunk": "id order headings start end words links text",
    "CleanedBlock": "text kept score kind level path link_share hidden comment reasons",
    "CleanedPage": "labelled",
    "Kind": "value",
    "Metadata": "title subtitle authors published",
    "Page": "url name encoding encoding_reason damage native",
    "WeightedVectors": "matrix vocabulary",
}
"""The others of them, with the arguments they are made of."""


def cases() -> Iterator[tuple[str, str]]:
    for name, (function, _) in (FUNCTIONS | METHODS_OF).items():
        yield from ((name, parameter) for parameter in inspect.signature(function).parameters if parameter != "options")
    for name in METHODS_OF:
        if "options" in inspect.signature(METHODS_OF[name][0]).parameters:
            yield name, "options"
    for name in CLASSES:
        yield from ((name, parameter) for parameter in inspect.signature(getattr(dehusk, name)).parameters)


def call(name: str, **changed: Any) -> object:
    """Call it with these arguments, and use what comes of it."""
    if name in CLASSES:
        use, needed = CLASSES[name]
        return use(getattr(dehusk, name)(**needed | changed))
    function, needed = (FUNCTIONS | METHODS_OF)[name]
    result = function(**needed | changed)
    if isinstance(result, dehusk.CleanedPage):
        return result.markdown, list(result), result.to_record()
    return list(islice(result, 3)) if isinstance(result, Iterator) else result


def test_all_that_is_public_is_tried() -> None:
    callables = {name for name in dehusk.__all__ if callable(getattr(dehusk, name))}
    errors = {
        name
        for name in callables
        if inspect.isclass(getattr(dehusk, name)) and issubclass(getattr(dehusk, name), Exception)
    }
    assert callables - errors == {name.split(" ")[0] for name in FUNCTIONS} | set(CLASSES) | RESULTS


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS_OF, *CLASSES])
def test_what_is_needed_is_enough(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if name in {
        "load_model",
        "FetchLimits",
        "HttpFetcher",
        "HttpFetcher.fetch",
    }:  # of a file and a server that are not there
        with pytest.raises(dehusk.DehuskError):
            call(name)
    else:
        call(name)


@pytest.mark.parametrize(("name", "parameter"), list(cases()), ids=lambda value: value)
def test_whatever_is_passed_there_is_a_result_or_an_error_that_names_it(
    name: str, parameter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kinds = [kind for kind in ODD if (name, parameter, kind) not in LEFT_OUT]
    assert [fault for kind in kinds if (fault := fault_of(name, parameter, kind))] == []


def fault_of(name: str, parameter: str, kind: str) -> str:
    """What is raised against the promise; empty if it is kept."""
    try:
        call(name, **{parameter: odd(kind)})
    except dehusk.DehuskError as error:
        return "" if str(error) else "an error without words"
    except TypeError as error:
        return "" if parameter in str(error) else f"{kind}: {error}"
    except Exception as error:  # noqa: BLE001 - none of these may be raised
        return f"{kind}: {type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize("name", MADE_OF)
def test_what_people_get_can_be_made_or_says_why_not(name: str) -> None:
    for kind in ODD:
        given = dict.fromkeys(MADE_OF[name].split(), odd(kind))
        with suppress(dehusk.UnknownName):  # there are only so many kinds
            getattr(dehusk, name)(**given)


@pytest.mark.parametrize(("name", "parameter"), list(NAMES_OF_CHOICES))
def test_names_stand_for_what_they_name(name: str, parameter: str) -> None:
    call(name, **{parameter: NAMES_OF_CHOICES[name, parameter]})


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS_OF, *CLASSES])
def test_arguments_that_there_are_not_are_refused_by_name(name: str) -> None:
    with pytest.raises((TypeError, dehusk.InvalidSetting), match="nonsense"):
        call(name, nonsense=1)


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: dehusk.RawPage(b"", url=None), "RawPage: url must be str, not None; see help(dehusk.RawPage)"),
    (lambda: dehusk.RawPage("<p>"), "RawPage: body must be bytes, not str; see help(dehusk.RawPage)"),
    (lambda: dehusk.clean(HTML, url=5), "clean: url must be str or None, not int; see help(dehusk.clean)"),
    (lambda: dehusk.clean(HTML, keep="nav"), "clean: keep must be a list of str, not str; put it in a list"),
    (lambda: dehusk.clean(HTML, drop=[None]), "clean: drop must be a list of str, not a list of None; see help"),
    (lambda: dehusk.clean(HTML, comments="no"), "clean: comments must be bool, not str"),
    (lambda: dehusk.clean(HTML, dehusk.StyleTree()), "clean: model must be Model or None, not StyleTree"),
    (lambda: dehusk.clean(HTML, limits=5), "clean: limits must be Limits, not int"),
    (
        lambda: dehusk.clean_many(HTML),
        "clean_many: sources must be an iterable of bytes, str, RawPage or Page, not str",
    ),
    (lambda: dehusk.learn(pages(), 5), "learn: method must be SiteMethod, str or None, not int"),
    (lambda: dehusk.load_model(5), "load_model: path must be str or a path, not int"),
    (lambda: list(dehusk.filter_pages([page()], dehusk.Filters())), "pages: Page among them; all must be CleanedPage"),
    (lambda: dehusk.distinct_pages([HTML]), "pages: str among them; all must be Page"),
    (lambda: dehusk.weighted_vectors([5]), "weights: int among them; all must be Mapping"),
    (
        lambda: cleaned().render("markdown", dehusk.JsonOptions()),
        "options: JsonOptions is not of this format (markdown); pass dehusk.MarkdownOptions",
    ),
    (lambda: dehusk.open_source("x", on_error="skip"), "open_source: on_error must be a function or None, not str"),
]  # type: ignore[arg-type]


@pytest.mark.parametrize(("wrong", "message"), WRONG, ids=[message for _, message in WRONG])
def test_the_message_names_the_argument_the_types_and_the_way_out(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(dehusk.WrongType) as raised:
        wrong()
    assert str(raised.value).startswith(message)


def test_no_address_is_no_address_however_it_is_said() -> None:
    assert dehusk.clean(HTML, url=None).text == dehusk.clean(HTML).text
    assert dehusk.read_page(HTML, None).url == ""


def test_a_method_is_chosen_by_its_name() -> None:
    assert dehusk.learn(pages(), "style-tree").method == "style-tree"
    with pytest.raises(dehusk.UnknownName, match="magic: no such method; choose one of hybrid"):
        dehusk.learn(pages(), "magic")
    with pytest.raises(dehusk.InvalidSetting, match="page-evidence does not learn sites; choose one of hybrid"):
        dehusk.learn(pages(), "page-evidence")
    with pytest.raises(dehusk.WrongType, match="learn: method must be SiteMethod, str or None, not PageEvidence"):
        dehusk.learn(pages(), dehusk.PageEvidence())  # type: ignore[arg-type]


def test_numbers_of_other_libraries_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    assert dehusk.sample(range(9), numpy.int64(2)) == dehusk.sample(range(9), 2)
    assert dehusk.SatisfiableSubtree(alpha=numpy.float32(40)).alpha == 40
    assert not dehusk.clean(HTML, comments=numpy.bool_(False)).labelled.comments.any()


def test_streams_are_read_once_and_item_by_item() -> None:
    def stream() -> Iterator[dehusk.CleanedPage]:
        yield cleaned()
        raise ZeroDivisionError

    filtered = dehusk.filter_pages(stream(), dehusk.Filters())
    assert next(filtered) is cleaned()
    with pytest.raises(ZeroDivisionError):
        next(filtered)
    assert list(each(iter([1, 2]), int, "numbers")) == [1, 2]


def test_public_functions_are_still_themselves() -> None:
    """Sent to other processes by name, documented, and with their own signatures."""
    import pickle

    for name in ("clean", "learn", "open_source"):
        function = getattr(dehusk, name)
        assert pickle.loads(pickle.dumps(function)) is function
        assert function.__doc__
    assert list(inspect.signature(dehusk.clean).parameters)[:2] == ["source", "model"]
    assert Metadata().title is None
