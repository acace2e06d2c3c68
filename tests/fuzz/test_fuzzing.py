"""The fuzzer finds what is planted, and a short run of it over every target finds nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from fuzzing import Finding, fuzz_counted, start_campaigns
from mutations import LARGEST, Chance

pytest.importorskip("pyarrow")
pytest.importorskip("fastwarc")

import seed_files
from targets import TARGETS

EXECUTIONS = 12
"""For each target: seeds as they are, and mutations. The run is the same every time; `make fuzz` goes further."""
GROUPS = {
    "page": ("decoder", "reader", "blocks", "style-sheets", "metadata", "outputs", "validity", "pruning"),
    "method": ("method-",),
    "model": ("model-",),
    "source": ("source",),
    "crawl": ("addresses", "robots", "sitemaps", "feeds"),
    "growth": ("growth",),
}
"""What the names of targets begin with."""


def names_of(group: str) -> list[str]:
    """The targets of a group."""
    return [name for name in TARGETS if name.startswith(GROUPS[group])]


@pytest.mark.parametrize("group", GROUPS)
def test_a_short_run_finds_nothing(group: str) -> None:
    if not names_of(group):
        pytest.skip("cargo, which builds the counted library, is not installed")
    campaigns = start_campaigns("targets", names_of(group))
    found = fuzz_counted(campaigns, "targets", seed=0, executions=EXECUTIONS)
    assert [(one.target, one.kind, one.report) for one in found] == []
    assert all(campaign.executions == EXECUTIONS for campaign in campaigns)
    assert all(campaign.kept for campaign in campaigns)


def test_every_target_is_in_a_group() -> None:
    grouped = [name for group in GROUPS for name in names_of(group)]
    assert sorted(grouped) == sorted(TARGETS)


def fuzz_planted(name: str, rounds: int = 1, executions: int = 40) -> list[Finding]:
    campaigns = start_campaigns("planted", [name]) * rounds
    return fuzz_counted(campaigns, "planted", seed=0, executions=executions)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("raises", "IndexError in planted.py:raises"),
        ("loops", "TookTooLong in planted.py:loops"),
        ("hangs", "hangs in native code in planted.py:hangs"),
        ("fills_memory", "TookTooMuch in ?"),
        ("asks_for_memory", "MemoryError in planted.py:asks_for_memory"),
        ("dies", "its process dies of SIGKILL"),
    ],
)
def test_planted_faults_are_found(name: str, kind: str) -> None:
    executions = 40 if name == "raises" else 1
    assert [found.kind for found in fuzz_planted(name, executions=executions)] == [kind]


def test_what_behaves_in_a_new_way_is_mutated_further() -> None:
    found = fuzz_planted("behaves_deeper", rounds=60, executions=100)
    assert [one.kind for one in found] == ["AssertionError in planted.py:behaves_deeper got through"]


def test_a_finding_is_made_small() -> None:
    (found,) = fuzz_planted("raises")
    assert found.data == b""


def test_sound_targets_have_no_findings_and_runs_repeat() -> None:
    first, second = (start_campaigns("planted", ["is_sound"]) for _ in range(2))
    for campaigns in (first, second):
        assert fuzz_counted(campaigns * 3, "planted", seed=7, executions=30) == []
    assert first[0].kept == second[0].kept
    assert first[0].executions == 90


def test_a_finding_is_saved_with_the_way_to_see_it_again(tmp_path: Path) -> None:
    path = Finding("decoder", "an error in a place", b"<p>x", "the traceback").save(tmp_path)
    assert path.read_bytes() == b"<p>x"
    assert f"--rerun {path}" in path.with_suffix(".txt").read_text()
    command = [sys.executable, str(Path(__file__).parent / "run_fuzzing.py"), "--rerun", str(path)]
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "plain ASCII" in again.stdout


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_mutations_change_the_seeds_and_repeat(name: str) -> None:
    target = TARGETS[name]
    seeds = tuple(target.seeds())
    runs = [[target.mutate(seeds[0], Chance(Random(number), seeds)) for number in range(20)] for _ in range(2)]
    assert runs[0] == runs[1]
    assert len(set(runs[0]) - {seeds[0]}) > 10
    assert len(target.mutate(seeds[0], Chance(Random(0), seeds))) <= 4 * max(LARGEST, len(seeds[0]))


def test_mutated_containers_can_mostly_be_read(tmp_path: Path) -> None:
    import dehusk

    target, (seed,) = TARGETS["source.zip"], seed_files.zips()
    for number in range(30):
        (tmp_path / f"{number}.zip").write_bytes(target.mutate(seed, Chance(Random(number), (seed,))))
    faults: list[dehusk.DehuskError] = []
    pages = list(dehusk.open_source(tmp_path, on_error=faults.append))
    assert len(pages) > 3 * len(faults)
