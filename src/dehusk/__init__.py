"""dehusk takes the husk off web pages: it keeps the main content and drops navigation, ads and other noise.

    >>> import dehusk
    >>> page = dehusk.clean("<title>Tea</title><p>" + "Steep the leaves for three minutes. " * 5)
    >>> page.text[:35]
    'Steep the leaves for three minutes.'

`__init__.pyi` lists the public names. Each is imported on first use, so that `import dehusk` stays as light as what is
used of it.
"""

from __future__ import annotations

from importlib import import_module
from os.path import dirname, join

# With nothing but `open`: `importlib.resources` takes twenty times as long as everything else here.
with open(join(dirname(__file__), "__init__.pyi"), encoding="utf-8") as _stub:
    _LINES = [line.split() for line in _stub if line.startswith("from ") and " as " in line]
_HOME = {name: module for _, module, _, name, *_ in _LINES}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'dehusk' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOME[name]), name)  # looked for once
    return found


def __dir__() -> list[str]:
    return __all__
