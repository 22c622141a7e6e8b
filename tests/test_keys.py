"""The list of keys is complete: what the scripts listen for stands in one table, with its words."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
SCRIPTS = ROOT / "frontend/src"
TABLE = SCRIPTS / "keys.ts"
WORDS = (ROOT / "src/kursbuch/web/templates/base.html").read_text(encoding="utf-8")


def test_every_key_has_its_words() -> None:
    table = (
        TABLE.read_text(encoding="utf-8").split("export const KEYS = {")[1].split("\n} as const")[0]
    )
    groups = re.findall(r"^  (\w+): \{$", table, re.M)
    names = re.findall(r"^    (\w+): ", table, re.M)
    assert len(groups) > 3
    assert len(names) > 15
    assert set(re.findall(r'"keys_(\w+)":', WORDS)) == set(groups)
    assert set(re.findall(r'"key_(\w+)":', WORDS)) == set(names)


def test_scripts_ask_the_table_for_keys() -> None:
    """A key compared elsewhere would be missing in the list that readers see: add it to `KEYS` in
    `frontend/src/keys.ts`, with its words in `base.html`, and ask `pressed`."""
    for path in SCRIPTS.rglob("*.ts"):
        if path != TABLE:
            source = path.read_text(encoding="utf-8")
            found = re.findall(
                r"event\.(?:key|code) [!=]==|\[event\.(?:key|code)\]|\(event\.(?:key|code)\) \{",
                source,
            )
            assert not found, path.name
