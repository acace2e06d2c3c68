"""What a release is built from is pinned and looked up, and a fault can be reported."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import advisories
import check_release
import pytest
import yaml
from advisories import Audit
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).parents[1]
CONSTRAINTS = REPOSITORY / "constraints"
WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
ADDRESSES = {
    "repository": "https://forge.tea.org/dehusk",
    "issues": "https://forge.tea.org/dehusk/issues",
    "security": "mailto:security@tea.org",
}


def steps_of(workflow: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(workflow.read_text("utf-8"))["jobs"].values()
    return [step for job in jobs for step in job["steps"]]


# Actions.


def test_actions_are_pinned_to_commits() -> None:
    used = [line for path in WORKFLOWS for line in path.read_text("utf-8").splitlines() if "uses:" in line]
    pins = [re.fullmatch(r"\s*- uses: ([\w-]+/[\w-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)", line) for line in used]
    assert len(pins) > 20
    assert all(pins), [line for line, pin in zip(used, pins, strict=True) if not pin]
    commits = {(pin[1], pin[2], pin[3]) for pin in pins if pin}
    assert len(commits) == len({action for action, *_ in commits}), "an action has one commit, and that one version"


def test_wheels_are_built_by_locked_tools_after_the_release_check() -> None:
    (wheels,) = [path for path in WORKFLOWS if path.stem == "wheels"]
    jobs = yaml.safe_load(wheels.read_text("utf-8"))["jobs"]
    check = next(step["run"] for step in jobs.pop("check")["steps"] if "release-check" in step.get("run", ""))
    assert "no-advisories" not in check
    for job in jobs.values():
        assert job["needs"] == "check"
        names = [step.get("run", step.get("uses", "")) for step in job["steps"]]
        stored = next(index for index, name in enumerate(names) if "upload-artifact" in name)
        before = [name for name in names[:stored] if "pip install" in name]
        assert before == [
            "python -m pip install --require-hashes --only-binary :all: --requirement constraints/build.txt"
        ]
        assert all("dist" in name for name in names[stored:] if "pip install" in name)


# Locks.


def locked(name: str) -> dict[str, str]:
    return dict(advisories.pins_of((CONSTRAINTS / f"{name}.txt").read_text("utf-8")))


@pytest.mark.parametrize("name", ["build", "audit"])
def test_locks_have_what_is_asked_for_and_nothing_without_a_hash(name: str) -> None:
    pins = locked(name)
    for line in (CONSTRAINTS / f"{name}.in").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            wanted = Requirement(line)
            assert wanted.specifier.contains(pins[canonicalize_name(wanted.name)]), "run constraints/make_locks.py"
    text = (CONSTRAINTS / f"{name}.txt").read_text("utf-8")
    for entry in re.split(r"\n(?=\S)", text)[1:]:
        assert re.match(r"[\w.-]+==\S+( ; [^\\]+)? \\\n    --hash=sha256:[0-9a-f]{64}", entry), entry
    assert "://" not in text, "a lock names no host: files are known by their hashes"


def test_what_the_project_builds_with_is_locked() -> None:
    pins = locked("build")
    (maturin,) = map(Requirement, PROJECT["build-system"]["requires"])
    assert maturin.specifier.contains(pins["maturin"])
    assert {"build", "cffi", "maturin", "ziglang"} <= set(pins)


# Addresses.


def test_a_release_needs_addresses() -> None:
    assert check_release.missing_addresses(ADDRESSES) == []
    missing = check_release.missing_addresses({})
    assert len(missing) == 3
    assert "no address of ours as `security`" in missing[-1]
    assert "begins with https or mailto" in missing[-1]


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("security", "mailto:security@example.org"),
        ("security", "mailto:nobody"),
        ("security", "security@tea.org"),
        ("security", "https://..."),
        ("repository", "https://example.com/dehusk"),
        ("repository", "https://git.example/dehusk"),
        ("repository", "http://forge.tea.org/dehusk"),
        ("repository", "mailto:security@tea.org"),
        ("issues", "https://localhost/issues"),
    ],
)
def test_addresses_that_lead_nowhere_are_none(name: str, address: str) -> None:
    (missing,) = check_release.missing_addresses({**ADDRESSES, name: address})
    assert f"`{name}` (it has {address!r})" in missing


def test_people_are_sent_to_the_address_that_a_release_needs() -> None:
    security = " ".join((REPOSITORY / "SECURITY.md").read_text("utf-8").split())
    assert "`security` in `[project.urls]`" in security
    assert "`make release-check` refuses" in security
    assert "security" in check_release.ADDRESSES


# Advisories.


def test_versions_of_one_package_are_asked_for_apart() -> None:
    pins = {("tea", "1"), ("tea", "2"), ("kettle", "1")}
    assert advisories.rounds_of(pins) == [{"kettle": "1", "tea": "1"}, {"tea": "2"}]
    assert advisories.rounds_of([]) == []


def test_what_was_installed_is_looked_up_but_for_the_wheel_itself() -> None:
    report = {
        "install": [
            {"is_direct": True, "metadata": {"name": "dehusk", "version": "0.2.0"}},
            {"is_direct": False, "metadata": {"name": "Jinja2", "version": "3.1.6"}},
            {"is_direct": False, "metadata": {"name": "typing_extensions", "version": "4.15"}},
        ]
    }
    assert advisories.pins_of_installation(report) == {("jinja2", "3.1.6"), ("typing-extensions", "4.15")}


def found_by_pip_audit(**more: Any) -> dict[str, Any]:
    return {
        "dependencies": [
            {"name": "kettle", "version": "1", "vulns": []},
            {"name": "tea", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1", "3"]}]},
            {"name": "cup", "version": "3", "vulns": [{"id": "PYSEC-2", "fix_versions": []}]},
        ],
        **more,
    }


def test_vulnerable_packages_are_told() -> None:
    assert advisories.judged_packages(found_by_pip_audit()) == Audit(
        ("tea 2: PYSEC-1, fixed in 2.1, 3", "cup 3: PYSEC-2, fixed in no version")
    )


def test_accepted_advisories_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advisories, "ACCEPTED", {"PYSEC-2": "dehusk has no cup"})
    assert len(advisories.judged_packages(found_by_pip_audit()).vulnerable) == 1


def test_packages_that_were_skipped_are_not_taken_for_safe() -> None:
    skipped = [{"name": f"tea{number}", "skip_reason": "not found"} for number in range(7)]
    audit = advisories.judged_packages({"dependencies": skipped})
    assert audit.vulnerable == ()
    assert audit.unchecked == ("tea0, tea1, tea2, tea3, tea4 and 2 more: the package index has no advisories of them",)


def test_vulnerable_crates_are_told() -> None:
    found = {
        "package": {"name": "tea", "version": "0.1.0"},
        "advisory": {"id": "RUSTSEC-1"},
        "versions": {"patched": [">=0.1.1"], "unaffected": []},
    }
    audit = advisories.judged_crates({"vulnerabilities": {"found": True, "count": 1, "list": [found]}})
    assert audit == Audit(("tea 0.1.0: RUSTSEC-1, fixed in >=0.1.1",))


def answering(monkeypatch: pytest.MonkeyPatch, stdout: str = "", stderr: str = "", report: Any = None) -> None:
    """Have the programs of the audit answer this, and pip-audit write the report, if there is one."""

    def run(command: Sequence[str], **options: Any) -> subprocess.CompletedProcess[str]:
        if report is not None:
            Path(command[-1]).write_text(json.dumps(report), "utf-8")
        return subprocess.CompletedProcess(command, 1, stdout, stderr)

    monkeypatch.setattr(subprocess, "run", run)


def test_an_audit_that_cannot_ask_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, stderr="Traceback\nConnectionError: no name\n\n")
    packages = advisories.audit_packages("pip-audit", {("tea", "1"), ("cup", "1")}, tmp_path)
    assert packages == Audit(unchecked=("2 packages of Python: ConnectionError: no name",))
    answering(monkeypatch, stderr="error: couldn't fetch advisory database\n")
    crates = advisories.audit_crates(REPOSITORY / "native" / "Cargo.lock")
    assert crates == Audit(unchecked=("crates of native/Cargo.lock: error: couldn't fetch advisory database",))
    answering(monkeypatch, stderr="error: no such command: `audit`\nhelp: view all installed commands\n")
    assert "cargo install --locked cargo-audit" in advisories.audit_crates(Path("Cargo.lock")).unchecked[0]
    answering(monkeypatch, report=found_by_pip_audit())
    assert len(advisories.audit_packages("pip-audit", {("tea", "1")}, tmp_path).vulnerable) == 2


def test_a_missing_program_is_told(tmp_path: Path) -> None:
    audit = advisories.audit_packages(str(tmp_path / "pip-audit"), {("tea", "1")}, tmp_path)
    assert "No such file" in audit.unchecked[0]


def test_only_what_is_allowed_passes(capsys: pytest.CaptureFixture[str]) -> None:
    audit, addresses = Audit(("tea 1: PYSEC-1",), ("cup: no answer",)), ["no address"]
    vulnerable, unchecked = (
        "known vulnerability: tea 1: PYSEC-1",
        "NOT CHECKED for known vulnerabilities: cup: no answer",
    )
    assert check_release.judged(audit, addresses, set()) == [vulnerable, unchecked, "no address"]
    assert capsys.readouterr().out == ""
    assert check_release.judged(audit, addresses, {"no-advisories"}) == [vulnerable, "no address"]
    assert capsys.readouterr().out == f"allowed: {unchecked}\n"
    assert check_release.judged(audit, addresses, {"no-advisories", "no-addresses"}) == [vulnerable]


def test_unknown_allowances_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["check_release.py", "--allow", "all"])
    with pytest.raises(SystemExit, match="cannot allow all; choose of no-addresses, no-advisories"):
        check_release.main()


# Documents.


def test_the_list_of_licences_names_all_dependencies() -> None:
    listed = (REPOSITORY / "docs" / "safety.md").read_text("utf-8").partition("## Licences")[2]
    brought = re.search(r"brings ([\w, ]+), with permissive licences", listed)
    assert brought
    named = set(re.split(r", | and ", brought[1]))
    assert named == {Requirement(line).name for line in PROJECT["project"]["dependencies"]}


def test_unsafe_code_is_where_the_documents_say() -> None:
    native = REPOSITORY / "native" / "src"
    texts = {path.relative_to(native).as_posix(): path.read_text("utf-8") for path in native.rglob("*.rs")}
    allowing = {name for name, text in texts.items() if "allow(unsafe_code)" in text}
    assert allowing == {"abi.rs", "abi/tests.rs", "network/vector_width.rs", "counted_work.rs"}
    above = {"lib.rs", "network/mod.rs"}  # what holds these cannot forbid: it denies
    assert {name for name, text in texts.items() if "forbid(unsafe_code)" not in text} == allowing | above
    assert "#![deny(unsafe_code)]" in texts["lib.rs"]
    assert "#[cfg(counted_work)]\npub mod counted_work;" in texts["lib.rs"]
