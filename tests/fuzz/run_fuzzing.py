"""Command line of the fuzzer: `python tests/fuzz/run_fuzzing.py --seconds 60`; see CONTRIBUTING.md."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from time import monotonic

from fuzzing import Campaign, Finding, find_targets, fuzz, start_campaigns

MODULE = "targets"
PROGRESS_SECONDS = 300.0
FINDINGS = Path(__file__).parent.parent.parent / "fuzz-findings"


def main() -> int:
    """0 if nothing was found."""
    options = _options()
    # Threads of numerical libraries would only take address space, which is limited.
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    sys.path.append(str(Path(__file__).parent.parent / "support"))
    if options.list:
        print("\n".join(find_targets(MODULE)))
        return 0
    if options.rerun:
        return _rerun(options.rerun)
    return _run(options.target, options.seed, options.seconds, options.findings)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long, for all targets together")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other inputs")
    parser.add_argument("--target", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--findings", type=Path, default=FINDINGS, help="folder for inputs that fail")
    parser.add_argument("--rerun", type=Path, help="run one saved input again, and let it raise")
    parser.add_argument("--list", action="store_true", help="the names of the targets")
    return parser.parse_args()


def _run(names: list[str], seed: int, seconds: float, folder: Path) -> int:
    def report(found: Finding) -> None:
        print(f"FOUND {found.target}: {found.kind} ({found.save(folder)})", flush=True)

    def show_progress() -> None:
        nonlocal shown
        if monotonic() > shown + PROGRESS_SECONDS:
            shown = monotonic()
            _print_table(campaigns)

    campaigns, shown = start_campaigns(MODULE, names), monotonic()
    try:
        fuzz(campaigns, MODULE, seed, seconds, report, show_progress)
    except KeyboardInterrupt:
        print("interrupted")
    _print_table(campaigns)
    return 1 if any(campaign.findings for campaign in campaigns) else 0


def _print_table(campaigns: list[Campaign]) -> None:
    print(f"{'target':24}{'executions':>12}{'a second':>10}{'behaviours':>12}{'findings':>10}")
    for one in campaigns:
        rate = one.executions / max(one.seconds, 1e-9)
        print(f"{one.name:24}{one.executions:12,}{rate:10.1f}{len(one.behaviours):12,}{len(one.findings):10}")
    total, found = sum(one.executions for one in campaigns), sum(len(one.findings) for one in campaigns)
    print(f"{'all':24}{total:12,}{'':22}{found:10}", flush=True)


def _rerun(path: Path) -> int:
    """The target is what the file's name begins with."""
    targets = find_targets(MODULE)
    name = path.name.rpartition("-")[0]
    with tempfile.TemporaryDirectory() as folder:
        print("behaviour:", targets[name].run(path.read_bytes(), Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
