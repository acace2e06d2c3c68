"""Adapters whose library is not installed, and dehusk without any of them."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

import dehusk

ADAPTERS = {
    "pandas": ("pandas", "pip install 'dehusk[pandas]'"),
    "datatrove": ("datatrove.pipeline.extractors.base", "pip install 'dehusk[datatrove]'"),
    "scikit_learn": ("sklearn.base", "pip install 'dehusk[scikit-learn]'"),
    "langchain": ("langchain_core.document_loaders", "pip install 'dehusk[langchain]'"),
    "llama_index": ("llama_index.core.readers.base", "pip install 'dehusk[llama-index]'"),
    "mcp_server": ("mcp.server.mcpserver", "pip install 'dehusk[mcp]'"),
}
"""What each imports, and how to get it."""


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_missing_library_is_named_with_the_command_that_installs_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, command = ADAPTERS[name]
    monkeypatch.setitem(sys.modules, library, None)  # type: ignore[arg-type]
    monkeypatch.delitem(sys.modules, f"dehusk.integrations.{name}", raising=False)
    with pytest.raises(dehusk.MissingExtra) as raised:
        import_module(f"dehusk.integrations.{name}")
    assert raised.value.remedy == command


def test_cleaning_imports_no_library_of_the_adapters() -> None:
    code = (
        "import sys, dehusk\ndehusk.clean('<p>Tea'); dehusk.learn([])\n"
        "libraries = {'pandas', 'datatrove', 'sklearn', 'langchain_core', 'llama_index', 'mcp'}\n"
        "sys.exit(bool((libraries | {'dehusk.integrations'}) & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
