"""Announcements and keys, kept in memory for every page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from kursbuch.web.admin import bulletins, keys
from kursbuch.web.admin.keys import Ring
from kursbuch.web.admin.models import Bulletin
from kursbuch.web.background import Background, noting
from kursbuch.web.db.models import now
from kursbuch.web.http.security import Signer
from kursbuch.web.tables.store import TableStore

#: How often it is read, in seconds; well below `keys.READ_FIRST`.
EVERY = 10.0
log = logging.getLogger(__name__)


class SiteState(Background):
    """What is shown and signed now. `given` are keys from outside the database, the one to sign with first."""

    def __init__(self, tables: TableStore, given: Sequence[str] = ()) -> None:
        self._tables = tables
        self._given = list(given)
        self.bulletins: Sequence[Bulletin] = ()
        self.signer = Signer(self._given[::-1])
        self._ring: Ring | None = None

    def require_own_keys(self) -> None:
        """Refuse to change keys that come from outside the database."""
        if self._given:
            raise keys.given_from_outside()

    async def start(self) -> None:
        """Read it, and go on doing so."""
        if not self._given:
            self._ring = await keys.read(self._tables.database)
            self._sign()
        await self.refresh()
        self._begin()

    async def refresh(self) -> None:
        """Read it now."""
        async with self._tables.refusing(), self._tables.database.reading() as session:
            self.bulletins = await bulletins.shown(session)
            if self._ring is not None:
                self._ring = await keys.ring(session, self._ring.keys[0].secret)
        self._sign()

    def _sign(self) -> None:
        if self._ring is not None:
            self.signer.keys = self._ring.at(now())

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            with noting(log, "Announcements and keys could not be read."):
                await self.refresh()
            self._sign()  # keys that are known come into their time also while the database is away
