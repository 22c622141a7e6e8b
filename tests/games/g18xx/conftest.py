"""The toy title of docs/adding-an-18xx.md."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests import documented


@pytest.fixture(scope="session")
def shuttle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package of the document, imported."""
    folder = tmp_path_factory.mktemp("documented")
    documented.write("adding-an-18xx.md", folder)
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("shuttle")
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.partition(".")[0] == "shuttle"]:
            del sys.modules[name]
