"""Training that was interrupted goes on where it was: everything it needs is written after every epoch.

A file is named arrays and nothing else, so that reading one runs no code. It is picked up only if it was written for
the same pages and settings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from dehusk.lab.training.prepared_pages import PreparedPage
from dehusk.lab.training.torch_network import NetworkModule
from dehusk.workers.whole_files import written_whole


@dataclass(frozen=True, slots=True)
class TrainingState:
    """What changes during training. The modules and the optimiser are changed in place."""

    module: NetworkModule
    averaged: NetworkModule
    optimiser: torch.optim.AdamW

    def tensors(self) -> Iterator[tuple[str, Tensor]]:
        """Every tensor with a name of its own; of the optimiser those that are there."""
        for name, module in (("module", self.module), ("averaged", self.averaged)):
            yield from ((f"{name} {number}", tensor.data) for number, tensor in enumerate(module.parameters()))
        for number, parameter in enumerate(self.module.parameters()):
            for name, tensor in self.optimiser.state.get(parameter, {}).items():
                yield f"optimiser {number} {name}", tensor


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file for one training run."""

    path: Path
    key: str
    """Says for which pages and settings it is."""

    @classmethod
    def of(cls, path: Path, pages: Sequence[PreparedPage], settings: object) -> Checkpoint:
        """The file for these pages and settings, whether it is there or not."""
        digest = hashlib.sha256(repr(settings).encode())
        for page in pages:
            digest.update(f"{page.name} {len(page)} {page.target.sum()} {page.comment.sum()}\n".encode())
        return cls(path, digest.hexdigest())

    def save(self, state: TrainingState, epochs: int) -> None:
        """Write the state after so many epochs."""
        arrays = {name: tensor.numpy() for name, tensor in state.tensors()}
        described = {"key": np.array(self.key), "epochs": np.array(epochs), "random": torch.get_rng_state().numpy()}
        with written_whole(self.path) as temporary, open(temporary, "wb") as file:
            np.savez(file, allow_pickle=False, **described, **arrays)

    def resume(self, state: TrainingState) -> int:
        """Bring the state to where the file was written; the epochs that were done, 0 if there is no such file."""
        if not self.path.exists():
            return 0
        with np.load(self.path, allow_pickle=False) as file:
            if str(file["key"]) != self.key:
                return 0
            _restore_optimiser(state, file)
            for name, tensor in state.tensors():
                tensor.copy_(torch.from_numpy(file[name]))
            torch.set_rng_state(torch.from_numpy(file["random"]))
            return int(file["epochs"])


def _restore_optimiser(state: TrainingState, file: Any) -> None:
    """Give the optimiser its tensors: it makes them at its first step only."""
    parameters = list(state.module.parameters())
    for name in file:
        kind, *rest = name.split(" ")
        if kind == "optimiser":
            array: NDArray[np.float32] = file[name]
            state.optimiser.state[parameters[int(rest[0])]][rest[1]] = torch.from_numpy(array.copy())
