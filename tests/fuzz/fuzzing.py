"""Runs targets on mutated inputs in a process that can be killed, and keeps what should not have happened.

A target is a function that takes bytes, checks what comes out, and returns how it behaved. Inputs that make a target
behave in a new way are mutated further; that stands in for coverage, which costs a factor of ten to measure. An input
is a finding if the target raises, takes more processor time or memory than its size allows, or kills the process.
Everything but the moment at which a run ends follows from its seed.
"""

from __future__ import annotations

import faulthandler
import importlib
import multiprocessing
import os
import re
import resource
import signal
import sys
import tempfile
import traceback
import warnings
import zlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from time import monotonic, process_time
from types import FrameType

from mutations import LARGEST, Chance, Mutation

_REPOSITORY = Path(__file__).parent.parent.parent
_MEGABYTE = 1_000_000
_PARENTS = 40
"""Inputs that a batch is given to mutate; enough for variety, few enough to send."""
_SEED_SHARE = 0.25
"""Share of them that are seeds, so that a run never strays far from what is nearly right."""
_MOST_KEPT = 3000
"""Inputs of new behaviour that are kept for a target."""
_SHRINKING = 300
"""Attempts to make a finding smaller."""
_LOADED = 4
"""How much longer than its processor time anything may take by the clock: others use the machine, too."""
_START_SECONDS = 300.0
_IN_MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None
"""Where inputs are written to. A file on a disk may take milliseconds, as long as most executions."""


@dataclass(frozen=True)
class Target:
    """What is fuzzed. `run` takes an input and an empty folder to write to; it returns how it behaved."""

    run: Callable[[bytes, Path], Hashable]
    seeds: Callable[[], Sequence[bytes]]
    mutate: Mutation
    seconds: float = 3.0
    seconds_per_byte: float = 100e-6
    """Processor time that one execution may take. Dense markup of 64 kB takes a method 0.1 s, and the dearest target
    0.8 s; so this is ten times what honest pages need, and a tenth of what quadratic time would take."""
    megabytes: int = 400
    """Memory that one execution may add. Sources may hold a page of a megabyte and what it is unpacked from; libraries
    that are loaded by the first execution count, too."""
    batch: int = 100
    """Executions between reports."""
    patience: float = 60.0
    """Seconds by the clock, beyond what is allowed, after which a process is killed that no exception can reach."""

    def allowed(self, size: int) -> float:
        """Seconds of processor time for an input of so many bytes."""
        return self.seconds + self.seconds_per_byte * size


@dataclass(frozen=True)
class Finding:
    """An input on which a target did what it must not do."""

    target: str
    kind: str
    """What happened and where: findings of one kind are reported once."""
    data: bytes = field(repr=False)
    report: str = field(repr=False)

    def save(self, folder: Path) -> Path:
        """Write the input, and beside it what happened and how to see it again."""
        folder.mkdir(parents=True, exist_ok=True)
        digest = blake2b(f"{self.kind}".encode("utf-8", "replace"), digest_size=5).hexdigest()
        path = folder / f"{self.target}-{digest}.bin"
        path.write_bytes(self.data)
        again = f"python tests/fuzz/run_fuzzing.py --rerun {path}"
        written = f"{self.target}: {self.kind}\n{len(self.data):,} bytes; to see it again: {again}\n\n{self.report}\n"
        path.with_suffix(".txt").write_text(written, "utf-8", "backslashreplace")
        return path


class TookTooLong(BaseException):
    """The processor time of an execution is used up. Not an Exception: those may be caught."""


class TookTooMuch(Exception):
    """The memory of an execution is used up."""


@dataclass(frozen=True)
class _Batch:
    module: str
    target: str
    seed: int
    parents: tuple[bytes, ...]
    executions: int
    known: frozenset[str]
    """Kinds of findings that need not be reported again."""


@dataclass
class _Done:
    executions: int = 0
    behaviours: dict[Hashable, bytes] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def find_targets(module: str) -> dict[str, Target]:
    """The table of targets of a module."""
    table: dict[str, Target] = importlib.import_module(module).TARGETS
    return table


# --- in the process that executes ---


def execute(name: str, target: Target, data: bytes, folder: Path) -> tuple[Hashable, Finding | None]:
    """Run a target once. Its behaviour, or what was found."""
    before = _memory("VmRSS")
    _reset_peak()
    behaviour: Hashable = None
    try:
        signal.setitimer(signal.ITIMER_PROF, target.allowed(len(data)))
        try:
            behaviour = target.run(data, folder)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        added = (_memory("VmHWM") - before) / _MEGABYTE
        if added > target.megabytes:
            raise TookTooMuch(f"{added:.0f} MB for {len(data):,} bytes, {target.megabytes} allowed")
    except (Exception, TookTooLong) as error:  # noqa: BLE001 - whatever it is, it is a finding
        return behaviour, Finding(name, kind_of(error), data, traceback.format_exc()[-20_000:])
    return behaviour, None


def kind_of(error: BaseException) -> str:
    """The exception and the last line of our code that it came through; for time that is up, any line is as good."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(_REPOSITORY)]
    ours = [frame for frame in ours if "site-packages" not in frame.filename] or frames
    where = f"{Path(ours[-1].filename).name}:{ours[-1].name}" if ours else "?"
    message = re.sub(r"[0-9]+", "0", str(error))[:60] if isinstance(error, AssertionError) else ""
    return f"{type(error).__name__} in {where} {message}".strip()


def shrink(finding: Finding, target: Target, folder: Path) -> Finding:
    """A smaller input of the same kind, if one is found by leaving out pieces."""
    smallest, attempts, step = finding, 0, max(len(finding.data) // 2, 1)
    deadline = process_time() + 20
    while step and attempts < _SHRINKING and process_time() < deadline:
        start = 0
        while start < len(smallest.data) and attempts < _SHRINKING and process_time() < deadline:
            shorter = smallest.data[:start] + smallest.data[start + step :]
            attempts += 1
            _, found = execute(finding.target, target, shorter, folder)
            if found is not None and found.kind == finding.kind:
                smallest = found
            else:
                start += step
        step //= 2
    return smallest


def _run_batch(batch: _Batch, folder: Path, seen: set[Hashable]) -> _Done:
    target = find_targets(batch.module)[batch.target]
    done, kinds = _Done(), set(batch.known)
    # Numbers of strings are salted by process; a checksum is not.
    random = Random(zlib.crc32(batch.target.encode()) + (batch.seed << 32))
    chance = Chance(random, batch.parents)
    current = folder / "current-input"
    for number in range(batch.executions):
        parent = random.choice(batch.parents)
        # The first batch begins with the seeds as they are.
        is_first = batch.seed & 0xFFFF == 0 and number < len(batch.parents)
        data = batch.parents[number] if is_first else target.mutate(parent, chance)
        current.write_bytes(data)
        # What hangs in native code is beyond any exception: this writes down where, and ends the process.
        wall = target.patience + _LOADED * target.allowed(len(data))
        faulthandler.dump_traceback_later(wall, exit=True, file=sys.stderr)
        behaviour, found = execute(batch.target, target, data, folder / "files")
        faulthandler.cancel_dump_traceback_later()
        done.executions += 1
        if found is not None and found.kind not in kinds:
            kinds.add(found.kind)
            done.findings.append(found if "TookToo" in found.kind else shrink(found, target, folder / "files"))
        elif found is None and (batch.target, behaviour) not in seen:
            seen.add((batch.target, behaviour))
            done.behaviours[behaviour] = data
    return done


def _memory(name: str) -> int:
    """Bytes of resident memory: now (VmRSS), or at most so far (VmHWM). Elsewhere than on Linux: nothing."""
    try:
        found = re.search(rf"{name}:\s+([0-9]+) kB".encode(), Path("/proc/self/status").read_bytes())
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0


def _reset_peak() -> None:
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _limit_memory(megabytes: int) -> None:
    """Of the address space: what asks for more gets a MemoryError instead of the machine's memory."""
    with suppress(OSError, ValueError):
        size = int(Path("/proc/self/statm").read_bytes().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (size + megabytes * _MEGABYTE, most))


def _stop(number: int, frame: FrameType | None) -> None:
    raise TookTooLong("processor time is used up")


def _work(pipe: Connection, module: str, folder: Path, megabytes: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _stop)
    with open(folder / "stderr", "ab", buffering=0) as errors:
        os.dup2(errors.fileno(), 2)
    faulthandler.enable(sys.stderr)
    warnings.simplefilter("error", RuntimeWarning)  # of numpy: the first sign of arithmetic on nonsense
    (folder / "files").mkdir(exist_ok=True)
    find_targets(module)
    _limit_memory(megabytes)
    seen: set[Hashable] = set()
    pipe.send("started")
    with suppress(EOFError):
        while True:
            pipe.send(_run_batch(pipe.recv(), folder, seen))


# --- in the process that looks after it ---


class Executor:
    """A process that executes batches, started when it is needed, and again after each that it did not survive."""

    def __init__(self, module: str, megabytes: int = 2000) -> None:
        self._module, self._megabytes = module, megabytes
        self._temporary = tempfile.TemporaryDirectory(prefix="dehusk-fuzz-", dir=_IN_MEMORY)
        self._folder = Path(self._temporary.name)
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def __enter__(self) -> Executor:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self._temporary.cleanup()

    def run(self, batch: _Batch, target: Target) -> _Done:
        """What the batch did; of a process that dies of it, the input it died of."""
        pipe = self._pipe or self._start()
        pipe.send(batch)
        # No batch of executions that all keep to their time takes longer.
        most = 120 + target.patience + batch.executions * _LOADED * target.allowed(LARGEST)
        try:
            if pipe.poll(most):
                done: _Done = pipe.recv()
                if any("TookTooMuch" in found.kind or "MemoryError" in found.kind for found in done.findings):
                    self._end()  # what it holds now is no measure for what comes next
                return done
            how = "hangs"
        except (EOFError, OSError):
            how = self._how()
        self._end()
        said = (self._folder / "stderr").read_text("utf-8", "replace")[-20_000:]
        kind = "hangs in native code" if "Timeout (" in said else f"its process {how}"
        data = (self._folder / "current-input").read_bytes()
        where = re.search(r'File "[^"]*/([^"/]+)", line (?:\d+) in (\w+)', said)
        kind += f" in {where[1]}:{where[2]}" if where else ""
        return _Done(1, findings=[Finding(batch.target, kind, data, said)])

    def _start(self) -> Connection:
        (self._folder / "stderr").write_bytes(b"")
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        arguments = (theirs, self._module, self._folder, self._megabytes)
        self._process = context.Process(target=_work, args=arguments, daemon=True)
        self._process.start()
        theirs.close()
        if not self._pipe.poll(_START_SECONDS) or self._pipe.recv() != "started":
            raise RuntimeError((self._folder / "stderr").read_text("utf-8", "replace"))
        return self._pipe

    def _how(self) -> str:
        assert self._process is not None
        self._process.join(timeout=5)
        code = self._process.exitcode
        return f"dies of {signal.Signals(-code).name}" if code and code < 0 else f"ends with {code}"

    def _end(self) -> None:
        if self._process is not None and self._pipe is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
        self._process = self._pipe = None


@dataclass
class Campaign:
    """What is known of a target so far: the inputs to mutate, and the counts to report."""

    name: str
    target: Target
    seeds: tuple[bytes, ...]
    kept: list[bytes] = field(default_factory=list)
    behaviours: set[Hashable] = field(default_factory=set)
    findings: dict[str, Finding] = field(default_factory=dict)
    batches: int = 0
    executions: int = 0
    seconds: float = 0.0

    def next_batch(self, module: str, seed: int, executions: int | None = None) -> _Batch:
        """The parents of a batch: seeds, the newest inputs of new behaviour, and some of the others."""
        random = Random((seed << 32) + self.batches)
        of_seeds = max(int(_SEED_SHARE * _PARENTS), _PARENTS - len(self.kept))
        chosen = list(self.seeds) if not self.batches else random.sample(self.seeds, min(of_seeds, len(self.seeds)))
        number = min(_PARENTS - len(chosen), len(self.kept)) if self.batches else 0
        newest = self.kept[len(self.kept) - (number + 1) // 2 :]
        chosen += newest + [random.choice(self.kept) for _ in range(number - len(newest))]
        batch_seed = (seed << 16) + self.batches
        self.batches += 1
        known = frozenset(self.findings)
        return _Batch(module, self.name, batch_seed, tuple(chosen), executions or self.target.batch, known)

    def take(self, done: _Done) -> list[Finding]:
        """Add what a batch did; the findings that are new."""
        self.executions += done.executions
        for behaviour, data in done.behaviours.items():
            if behaviour not in self.behaviours and len(data) <= LARGEST:
                self.behaviours.add(behaviour)
                self.kept.append(data)
        del self.kept[:-_MOST_KEPT]
        new = [found for found in done.findings if found.kind not in self.findings]
        self.findings.update((found.kind, found) for found in new)
        return new


def start_campaigns(module: str, names: Iterable[str] = ()) -> list[Campaign]:
    """One for each target of these names, or for each of the module."""
    targets = find_targets(module)
    return [Campaign(name, targets[name], tuple(targets[name].seeds())) for name in names or targets]


def fuzz(
    campaigns: Sequence[Campaign],
    module: str,
    seed: int,
    seconds: float,
    on_finding: Callable[[Finding], None],
    on_batch: Callable[[], object] = int,
) -> None:
    """Give each target the same time, in turns, until the seconds are over. Every target gets at least one batch."""
    end = monotonic() + seconds
    with Executor(module) as executor:
        while True:
            for campaign in sorted(campaigns, key=lambda one: one.seconds):
                before = monotonic()
                for found in campaign.take(executor.run(campaign.next_batch(module, seed), campaign.target)):
                    on_finding(found)
                campaign.seconds += monotonic() - before
                on_batch()
                if monotonic() >= end and all(one.batches for one in campaigns):
                    return
                if campaign.batches > 1:
                    break  # back to whoever had least time


def fuzz_counted(campaigns: Sequence[Campaign], module: str, seed: int, executions: int) -> list[Finding]:
    """Give each target so many executions: the same ones every time."""
    found: list[Finding] = []
    with Executor(module) as executor:
        for campaign in campaigns:
            batch = campaign.next_batch(module, seed, executions)
            found += campaign.take(executor.run(batch, campaign.target))
    return found
