"""The public names are a promise: adding one is a decision, removing one breaks somebody."""

from __future__ import annotations

import doctest
import inspect
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dehusk
from dehusk import errors
from dehusk.deciding.shells import PROBLEMS
from dehusk.workers.guard import OutOfTime
from dehusk.workers.worker_process import WorkerDied

REPOSITORY = Path(__file__).parent.parent

PUBLIC = """
Blocks CleanEvalOptions CleanedBlock CleanedPage DehuskError EngineError GoldError InvalidSetting JsonOptions Kind
Limits METHODS Metadata MissingExtra ModelError OUTPUTS OutputError OutputOptions Hybrid PAGE_TYPES Page PageError
PageEvidence PageTooLarge PageletTemplates RawPage RecordOptions SatisfiableSubtree SequenceLabels SourceError
SourceNotFound SourceUnreadable StructureWeights StyleTree TextOptions UnknownName WeightedVectors WordsOptions
__version__ clean clean_many distinct_pages find_metadata learn load_model open_sink open_source read_page sample
segment telling_words weighted_vectors
AddressRefused Blocked FetchError NotAPage NotChanged NotServed PrivateAddress RepeatedPage ResponseTooLarge
RobotsRefused ServerFailed TooSlow Unreachable OutOfMemory FetchLimits Fetcher HttpFetcher crawl
EmptyPage NativeError NoPages NotFollowed NotHtml PageSkipped WrongType RULES
CrawlScope Filters filter_pages Chunk ChunkOptions MarkdownOptions extract
""".split()

KINDS = """
AddressRefused=address-refused Blocked=blocked DehuskError=error EmptyPage=empty EngineError=engine
FetchError=not-fetched GoldError=labelled-pages InvalidSetting=invalid-setting MissingExtra=missing-extra
ModelError=model NativeError=native NoPages=no-pages NotAPage=not-html NotChanged=not-changed
NotFollowed=not-followed NotHtml=not-html NotServed=not-served OutOfMemory=out-of-memory OutOfTime=timeout
OutputError=not-written PageError=not-cleaned PageSkipped=nothing-to-clean PageTooLarge=too-large
PrivateAddress=private-address RepeatedPage=duplicate ResponseTooLarge=too-large RobotsRefused=robots
ServerFailed=server-failed SourceError=not-readable SourceNotFound=not-found SourceUnreadable=not-readable
TooSlow=timeout UnknownName=unknown-name Unreachable=unreachable WorkerDied=process-died WrongType=wrong-type
"""


def test_public_names_are_pinned() -> None:
    assert sorted(dehusk.__all__) == sorted(PUBLIC)
    assert dir(dehusk) == sorted(dehusk.__all__)


def test_every_public_name_is_there_and_explained() -> None:
    values = {name: getattr(dehusk, name) for name in PUBLIC}
    assert [name for name, value in values.items() if callable(value) and not inspect.getdoc(value)] == []


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'cleanse'"):
        dehusk.cleanse  # noqa: B018


def test_docstring_example_runs() -> None:
    assert doctest.testmod(dehusk, raise_on_error=True).attempted > 0


def error_classes() -> list[type[dehusk.DehuskError]]:
    return [
        value for value in vars(errors).values() if inspect.isclass(value) and issubclass(value, dehusk.DehuskError)
    ]


@pytest.mark.parametrize("error", error_classes())
def test_errors_name_subject_cause_and_remedy_and_survive_pickling(error: type[dehusk.DehuskError]) -> None:
    raised = error("page.html", "too odd", "leave it out")
    assert str(raised) == "page.html: too odd; leave it out"
    again = pickle.loads(pickle.dumps(raised))
    assert (type(again), str(again)) == (error, str(raised))
    assert error.__name__ in (errors.__doc__ or "")
    assert getattr(dehusk, error.__name__) is error


def test_every_error_has_a_kind_that_stays() -> None:
    """Programs branch on these names: none may change. The table of the documentation has all of them."""
    kinds = {error.__name__: error.kind for error in (*error_classes(), OutOfTime, WorkerDied)}
    assert " ".join(f"{name}={kind}" for name, kind in sorted(kinds.items())) == " ".join(KINDS.split())
    document = (REPOSITORY / "docs" / "machines.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| ([^|]*) \| .* \|$", document, re.MULTILINE)
    told = {name: kind for kind, names in rows for name in re.findall(r"`(\w+)`", names)}
    assert told == kinds
    assert set(PROBLEMS) < {kind for kind, _ in rows}


def test_help_imports_neither_numpy_nor_the_parser() -> None:
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom dehusk.cli import app\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        "sys.exit(bool({'numpy', 'turbohtml'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_cleaning_a_page_loads_only_what_it_uses(sample_site: Path) -> None:
    code = (
        "import sys\nfrom dehusk.cli import main\n"
        "try:\n    main()\nexcept SystemExit as ended:\n    assert not ended.code\n"
        "sys.stderr.write(' '.join(sys.modules))"
    )
    arguments = [sys.executable, "-c", code, "clean", str(sample_site / "index.html")]
    loaded = subprocess.run(arguments, check=True, capture_output=True, text=True).stderr.split()
    unused = (
        *("batch integrations inspection lab sinks sites webapp sources.fetching sources.warc_source".split()),
        *("methods.site_trees methods.satisfiable_subtree methods.sequence_labels".split()),
        *("cli.site_learning cli.crawl_command outputs.html outputs.tei metadata".split()),
    )
    packages = tuple(f"dehusk.{name}." for name in unused)
    assert [name for name in loaded if f"{name}.".startswith(packages)] == []
    unneeded = {"rich.console", "pydantic", "pyarrow", "concurrent.futures", "tarfile", "importlib.resources", "mcp"}
    assert not unneeded & set(loaded)
    assert len([name for name in loaded if name.startswith("dehusk")]) <= 100


def test_version_is_the_installed_one() -> None:
    from importlib.metadata import version

    assert version("dehusk") == dehusk.__version__
    assert f"## {dehusk.__version__}" in (REPOSITORY / "CHANGELOG.md").read_text("utf-8")
