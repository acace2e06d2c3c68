"""What must work in an environment with the package and one extra, and nothing else: `python smoke_tests.py EXTRA`.

It imports nothing but dehusk and the standard library, so that it runs where no test runner is installed.
`check_release` runs it for every extra, and `tests/test_release.py` what the environment of the tests has.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import dehusk

PAGE: Final = (
    "<html lang=en><title>Tea</title><body><nav><a href=/>Home</a></nav><main><h1>Tea</h1><p>"
    + "Steep the leaves for three minutes and no longer, or the tea turns bitter. " * 6
    + "</p></main>"
)
URL: Final = "https://tea.example/steep"


def check_core() -> None:
    """Cleaning, formats, a site, a batch of files, the command line."""
    page = dehusk.clean(PAGE, url=URL)
    assert "three minutes" in page.text, page.text
    assert "Home" not in page.text, page.text
    for name in dehusk.OUTPUTS:
        assert page.render(name), name
    site = dehusk.learn([dehusk.read_page(PAGE.replace("three", str(number))) for number in range(4)])
    assert dehusk.clean(PAGE, site).text
    sample = Path(dehusk.__file__).parent / "sample_site"
    run("clean", str(sample), "--learn", "--output", "cleaned", "--format", "markdown")
    assert len(list(Path("cleaned").rglob("*.md"))) == 31
    assert run("--version").strip() == f"dehusk {dehusk.__version__}"
    run("inspect", "page-network")


def run(*arguments: str) -> str:
    """Run the command line, which must succeed."""
    done = subprocess.run([sys.executable, "-m", "dehusk", *arguments], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def check_parquet() -> None:
    """Parquet files are written, and a batch runs."""
    with dehusk.open_sink("pages.parquet") as sink:
        sink.write(dehusk.clean(PAGE, url=URL).to_record())
    assert Path("pages.parquet").stat().st_size
    Path("site").mkdir()
    for number in range(3):
        Path("site", f"{number}.html").write_text(PAGE.replace("three", str(number)), "utf-8")
    run("batch", "site", "-o", "batch", "--buckets", "2")


def check_warc() -> None:
    """Archives are written, and pages in them are read."""
    with dehusk.open_sink("pages.warc.gz", content="html") as sink:
        sink.write(dehusk.clean(PAGE, url=URL).to_record(dehusk.RecordOptions(content="html")))
    assert [raw.url for raw in dehusk.open_source("pages.warc.gz")] == [URL]


def check_zstd() -> None:
    """Compressed JSON lines are read."""
    import json

    import zstandard

    line = json.dumps({"html": PAGE, "url": URL}).encode()
    Path("pages.jsonl.zst").write_bytes(zstandard.compress(line))
    assert [raw.url for raw in dehusk.open_source("pages.jsonl.zst")] == [URL]


def check_remote() -> None:
    """Storages of fsspec are read."""
    import fsspec

    with fsspec.open("memory://pages/page.html", "wb") as file:
        file.write(PAGE.encode())
    assert [dehusk.clean(raw).text[:3] for raw in dehusk.open_source("memory://pages/page.html")] == ["Tea"]
    assert importlib.util.find_spec("s3fs")


def check_crawl() -> None:
    """Addresses of this machine are refused, before anything is sent."""
    with contextlib.suppress(dehusk.FetchError), dehusk.HttpFetcher() as fetcher:
        fetcher.fetch("http://127.0.0.1:9/")
        raise AssertionError("a private address was fetched")


def check_mining() -> None:
    """Weighted vectors are written."""
    Path("pages").mkdir()
    for number in range(4):
        Path("pages", f"{number}.html").write_text(PAGE.replace("three", str(number)), "utf-8")
    run("weigh", "pages", "-o", "vectors.npz")


def check_crf() -> None:
    """Sequence labels clean; what training needs is there."""
    assert dehusk.clean(PAGE, dehusk.SequenceLabels().fit()).text
    assert importlib.util.find_spec("scipy")
    assert importlib.util.find_spec("rapidfuzz")


def check_metadata() -> None:
    """The language of the text is found."""
    page = dehusk.clean(PAGE.replace("<html lang=en>", "<html>"), url=URL)
    assert page.metadata.language is not None


def check_render() -> None:
    """Playwright can be imported; the browser is the user's."""
    assert importlib.util.find_spec("playwright.sync_api")


def check_selectors() -> None:
    """CSS selectors drop what they name."""
    Path("page.html").write_text(PAGE, "utf-8")
    assert "Tea" not in run("clean", "page.html", "--drop", "h1").split("\n")


def check_web() -> None:
    """The web app is made, and lists its options."""
    from dehusk.webapp import asgi_app

    assert asgi_app
    run("serve", "--help")


def check_pandas() -> None:
    """A column of pages is cleaned."""
    import pandas

    from dehusk.integrations import pandas as accessor

    assert accessor
    frame = pandas.DataFrame({"html": [PAGE], "url": [URL]})
    assert "three minutes" in frame.dehusk.clean()["text"][0]


def check_scikit_learn() -> None:
    """The transformer cleans."""
    from dehusk.integrations.scikit_learn import HtmlToText

    assert "three minutes" in HtmlToText().fit_transform([PAGE])[0]


def check_langchain() -> None:
    """The loader loads a page."""
    from dehusk.integrations.langchain import DehuskLoader

    Path("page.html").write_text(PAGE, "utf-8")
    assert "three minutes" in DehuskLoader("page.html").load()[0].page_content


def check_datatrove() -> None:
    """The extractor extracts."""
    from dehusk.integrations.datatrove import Dehusk

    assert "three minutes" in str(Dehusk().extract(PAGE))


def check_ray() -> None:
    """Ray can be imported; starting it is left to the tests of the batch."""
    import ray

    assert ray.__version__


def check_train() -> None:
    """The network for training can be imported."""
    from dehusk.lab.training import torch_network

    assert torch_network


def check_eval() -> None:
    """Other tools clean."""
    _check_tools("trafilatura", "justext", "resiliparse", "boilerpy3", "goose3")


def check_eval_more() -> None:
    """More tools clean."""
    _check_tools("readability", "newspaper4k")


def _check_tools(*names: str) -> None:
    from dehusk.lab.evaluation.other_tools import find_tool

    for name in names:
        assert "three minutes" in find_tool(name)(PAGE, "en"), name


def check_all() -> None:
    """What `all` promises: batches, archives, selectors and the web app."""
    for check in (check_parquet, check_warc, check_selectors, check_web):
        check()


def check_mcp() -> None:
    """The server for language models can be built."""
    from dehusk.integrations.mcp_server import build_server
    from dehusk.integrations.page_tools import PageTools

    assert build_server(PageTools(Path.cwd()))


def check_llama_index() -> None:
    """The reader for LlamaIndex reads a page."""
    from dehusk.integrations.llama_index import DehuskReader

    Path("page.html").write_text(PAGE, "utf-8")
    assert "three minutes" in DehuskReader().load_data("page.html")[0].text


def check_docs() -> None:
    """The builder of the documentation is there, and what reads docstrings for it."""
    assert importlib.util.find_spec("mkdocs")
    assert importlib.util.find_spec("mkdocstrings_handlers.python")


def check_dev() -> None:
    """The tools of the tests are there."""
    assert importlib.util.find_spec("pytest")
    assert importlib.util.find_spec("mypy")


CHECKS: Final[dict[str, Callable[[], None]]] = {
    name.removeprefix("check_").replace("_", "-"): check
    for name, check in list(globals().items())
    if name.startswith("check_") and name != "check_core"
}
"""Extra -> what works with it."""


def main(extra: str) -> None:
    """Run the checks of the core and of an extra in an empty folder."""
    with tempfile.TemporaryDirectory(prefix="dehusk-smoke-") as folder, contextlib.chdir(folder):
        check_core()
        if extra:
            CHECKS[extra]()
    print(f"dehusk {dehusk.__version__} with {extra or 'no extra'} on Python {sys.version.split()[0]}: works")


if __name__ == "__main__":
    os.environ.setdefault("COLUMNS", "200")
    main(sys.argv[1] if len(sys.argv) > 1 else "")
