"""Second phase: learn the sites of a bucket and, if it is one slice, clean it in the same task.

Larger buckets are cleaned in the third phase, slice by slice, and so is what an interrupted run left.
"""

from __future__ import annotations

from dataclasses import dataclass

from dehusk.batch.batch_counts import task_died
from dehusk.batch.batch_storage import open_storage
from dehusk.batch.cleaning_slices import CleanSlice, SliceCleaned, clean_slice
from dehusk.batch.learning_sites import BucketLearnt, HeldBucket, LearnBucket, learn_bucket


@dataclass(frozen=True, slots=True)
class BucketDone:
    """Result of a `LearnBucket`."""

    learnt: BucketLearnt
    cleaned: SliceCleaned | None = None
    """If it was one slice."""


def finish_bucket(task: LearnBucket) -> BucketDone:
    """Learn a bucket, and clean it if it is one slice."""
    with open_storage(task.out).task_folder() as copies:
        held = HeldBucket(copies)
        learnt = learn_bucket(task, held)
        if len(learnt.slices) != 1:
            return BucketDone(learnt)
        only = CleanSlice(task.bucket, 0, learnt.slices[0], task.out, task.settings, task.clean)
        return BucketDone(learnt, clean_slice(only, held))


def give_up_bucket(task: LearnBucket) -> BucketDone:
    """The result if `finish_bucket` killed its process, which no page can do."""
    return BucketDone(BucketLearnt(task.bucket, failure=task_died(task.bucket)))
