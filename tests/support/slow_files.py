"""Which files of tests take long, so that they start first, and what files share a worker."""

from __future__ import annotations

SLOW = (
    "browser/test_browser_access.py browser/test_browser_attacks.py browser/test_browser_appearance.py "
    "browser/test_browser_compare.py browser/test_browser_eliminate.py browser/test_browser_tabs.py",
    "browser/test_browser_result.py browser/test_browser_pages.py browser/test_browser_trust.py "
    "browser/test_browser_teach.py browser/test_browser_template.py browser/test_browser_views.py "
    "browser/test_firefox.py browser/test_rendering.py",
    # The first starts a Ray of its own, which it can only where nothing has imported Ray before.
    "batch/test_engines.py batch/test_publishing.py batch/test_ray_engine.py",
    "webapp/test_views_of_collected_pages.py",
    "batch/test_batches.py",
    "batch/test_killed_batches.py",
)
"""The slowest first, by processor time and waits. Files of a line run in one worker, in that order: each worker that
drives a browser has to start it, and two servers."""

_GROUPS = {file: line.split()[0] for line in SLOW for file in line.split()}
_PLACES = {file: place for place, file in enumerate(_GROUPS)}


def place_of(file: str) -> int:
    """Where a file stands in the order of tests; all that are not slow stand together, after them."""
    return _PLACES.get(file, len(_PLACES))


def group_of(file: str) -> str:
    """The name of the tests that a worker takes as a whole: those of the file, or of several slow ones."""
    return _GROUPS.get(file, file)
