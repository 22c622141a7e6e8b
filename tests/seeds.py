"""Known seeds for the tables that are opened, so that a test plays the same games in every run."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterable
from typing import Any


class Seeds:
    """Stands for the module `secrets` where tables are opened: gives one seed after the other. With `ids`, the
    same ids are drawn in every run, too."""

    def __init__(self, seeds: Iterable[str], ids: str | None = None) -> None:
        self._seeds = iter(seeds)
        self.choice = secrets.choice if ids is None else random.Random(ids).choice

    def token_hex(self, size: int) -> str:
        return next(self._seeds)

    def __getattr__(self, name: str) -> Any:
        return getattr(secrets, name)
