"""What tests do with the text of records."""

from __future__ import annotations

import re

#: Lines that records have had since hash chains and the option of Railroad Dice were added.
_ADDED = re.compile(r"(?:chain|salt|check \w+): |option bank: standard$")


def unchained(text: str) -> str:
    """A record without the lines that older programs did not write."""
    return "".join(line for line in text.splitlines(keepends=True) if not _ADDED.match(line))
