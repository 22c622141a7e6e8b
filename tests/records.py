"""What tests do with the text of records."""

from __future__ import annotations

import re

_CHAIN = re.compile(r"(?:chain|salt|check \w+): ")


def unchained(text: str) -> str:
    """A record as it was written before there were chains of hashes."""
    return "".join(line for line in text.splitlines(keepends=True) if not _CHAIN.match(line))
