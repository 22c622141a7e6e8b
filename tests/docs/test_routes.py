"""The position file and the result in docs/routes.md belong together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kursbuch.cli import main

TEXT = (Path(__file__).parents[2] / "docs" / "routes.md").read_text(encoding="utf-8")


def test_the_example_of_the_documentation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    example = re.search(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    result = re.search(r"```\n(1835, phase.*?)```", TEXT, re.DOTALL)
    assert example
    assert result
    path = tmp_path / "position.toml"
    path.write_text(example[1], encoding="utf-8")
    assert main(["routes", str(path), "--language", "en"]) == 0
    assert capsys.readouterr().out.replace("\N{NO-BREAK SPACE}", " ") == result[1]
