"""dehusk takes the husk off web pages: it keeps the main content and drops navigation, ads and other noise.

    >>> import dehusk
    >>> page = dehusk.clean("<title>Tea</title><p>" + "Steep the leaves for three minutes. " * 5)
    >>> page.text[:35]
    'Steep the leaves for three minutes.'

`__init__.pyi` lists the public names. Each is imported on first use, so that `import dehusk` stays as light as what is
used of it.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.resources import files

_PUBLIC = re.compile(r"^from (\S+) import (\w+) as ", re.MULTILINE)
_HOME = {name: module for module, name in _PUBLIC.findall(files(__name__).joinpath("__init__.pyi").read_text("utf-8"))}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'dehusk' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOME[name]), name)  # looked for once
    return found


def __dir__() -> list[str]:
    return __all__
