"""What a release promises: extras that work, lowest versions, types, and files that agree with each other."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

import dehusk

REPOSITORY = Path(__file__).parents[1]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]


def script(path: str) -> ModuleType:
    """A script of the repository as a module."""
    spec = spec_from_file_location(Path(path).stem, REPOSITORY / path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SMOKE = script("tests/release/smoke_tests.py")
RELEASE = script("tests/release/check_release.py")
LIGHT = (
    "parquet",
    "warc",
    "zstd",
    "remote",
    "crawl",
    "metadata",
    "selectors",
    "web",
    "pandas",
    "render",
    "crf",
    "datatrove",
    "scikit-learn",
    "langchain",
    "llama-index",
    "mcp",
)
"""Extras whose checks take no more than seconds, and that the environment of the tests has."""


def test_every_extra_has_a_smoke_test() -> None:
    assert set(SMOKE.CHECKS) == set(PROJECT["optional-dependencies"])
    assert all(check.__doc__ for check in SMOKE.CHECKS.values())


@pytest.mark.filterwarnings("ignore")  # what other packages warn of at import is not ours to mend
@pytest.mark.parametrize("extra", LIGHT)
def test_smoke_tests_pass(extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    SMOKE.CHECKS[extra]()


def test_extras_of_a_release_check_are_chosen_by_name() -> None:
    assert RELEASE.chosen("", None) == ["", *PROJECT["optional-dependencies"]]
    light = RELEASE.chosen("heavy,pandas", None)
    assert "" in light
    assert not {"train", "ray", "pandas", "eval"} & set(light)
    assert RELEASE.chosen("", "") == [""]
    with pytest.raises(SystemExit, match="no such extra: tea"):
        RELEASE.chosen("tea", None)


def test_one_broken_extra_does_not_hide_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails_for_ray(*command: str, cwd: Path | None = None) -> None:
        if command[-1] == "ray":
            raise RELEASE.CommandFailed("code 1 of smoke_tests.py ray")

    monkeypatch.setattr(RELEASE, "run", fails_for_ray)
    monkeypatch.setattr(RELEASE, "build", lambda python, target: tmp_path / "dehusk.whl")
    monkeypatch.setattr(RELEASE, "audit", lambda python, folder: RELEASE.Audit())
    monkeypatch.setattr(RELEASE, "missing_addresses", lambda urls: [])
    monkeypatch.setattr(sys, "argv", ["check_release.py", "--only", "web,ray,train"])
    with pytest.raises(SystemExit, match=r"^release check failed:\nray: code 1 of smoke_tests\.py ray$"):
        RELEASE.main()
    monkeypatch.setattr(sys, "argv", ["check_release.py", "--only", "web,train"])
    RELEASE.main()
    assert "all of it works" in capsys.readouterr().out


def test_lowest_versions_are_those_of_the_project() -> None:
    made = script("constraints/make_lowest.py")
    assert made.LOWEST.read_text("utf-8") == made.lowest_text(), "run python constraints/make_lowest.py"


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_a_users_program_is_typed(tmp_path: Path) -> None:
    """Without the settings of this project, as a user has it."""
    program = REPOSITORY / "tests" / "release" / "user_program.py"
    cache = REPOSITORY / ".mypy_cache" / "user_program"  # kept, as most of the time is for other packages
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", f"--cache-dir={cache}"]
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\n", "utf-8")
    done = subprocess.run(
        [*command, f"--config-file={settings}", str(program)], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stdout
    assert (Path(dehusk.__file__).parent / "py.typed").exists()


def test_a_users_program_runs() -> None:
    program = REPOSITORY / "tests" / "release" / "user_program.py"
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_versions_agree() -> None:
    crate = tomllib.loads((REPOSITORY / "native" / "Cargo.toml").read_text("utf-8"))["package"]["version"]
    changes = (REPOSITORY / "CHANGELOG.md").read_text("utf-8")
    assert crate == dehusk.__version__
    assert re.search(r"^## (\S+)", changes, re.MULTILINE)[1] == crate  # type: ignore[index]


def test_workflows_run_what_make_does() -> None:
    """A workflow cannot be tried without its service, so it calls targets that can."""
    targets = set(re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text("utf-8"), re.MULTILINE))
    for workflow in (REPOSITORY / ".github" / "workflows").glob("*.yml"):
        called = re.findall(r"run: .*\bmake ([a-z-]+)", workflow.read_text("utf-8"))
        assert called or workflow.stem == "wheels", workflow.name
        assert set(called) <= targets, workflow.name


def test_every_python_of_the_classifiers_is_tested() -> None:
    named = set(re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["classifiers"])))
    workflow = (REPOSITORY / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    assert named == set(re.findall(r'"(3\.\d+)"', workflow)) == {"3.11", "3.12", "3.13", "3.14"}
