"""The games of the tables, replayed from their moves and kept as long as there is room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.actions import Action
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.title import Title
from kursbuch.core.words import N_
from kursbuch.web.errors import Refused
from kursbuch.web.models import DataFile, Seat, StoredMove, Table
from kursbuch.web.recent import Recent
from kursbuch.web.thinking import title_with_data

#: So many games are kept ready.
KEPT = 200


class _Kept:
    def __init__(self, revision: int, game: Game) -> None:
        self.revision = revision
        self.game = game


class Games:
    """Games by table. A game is replayed only as far as it is not known yet.

    Nothing here is needed: every game can be built again from the database. A game must not be
    used any more after something was awaited, because it may have gone on meanwhile.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = Recent[str, _Kept](kept)

    async def get(self, session: AsyncSession, table: Table, seats: Sequence[Seat]) -> Game:
        """The game of a table, at least as far as `table` knows it."""
        names = tuple(seat.name for seat in seats)
        kept = self._kept.get(table.id)
        if kept is None or kept.revision < table.revision:
            kept = await self._replay(session, table, names)
        self._kept.put(table.id, kept)
        kept.game.names = names
        return kept.game

    async def _replay(self, session: AsyncSession, table: Table, names: tuple[str, ...]) -> _Kept:
        title = await self.title(session, table)
        query = select(StoredMove.action, StoredMove.edition).where(StoredMove.table_id == table.id)
        rows = await session.execute(query.order_by(StoredMove.number))
        moves = [(title.action_from_json(data), edition) for data, edition in rows]
        kept = self._kept.get(table.id)
        if kept is not None and kept.revision >= table.revision:
            return kept  # another request was faster
        try:
            if kept is None:
                game = Game(title, names, table.options, seed=table.seed, edition=table.edition)
                kept = _Kept(table.revision, game)
            game = kept.game
            same = 0
            for known, (action, edition) in zip(game.moves, moves, strict=False):
                if known.action != action or known.edition != edition:
                    break
                same += 1
            if same < len(game.moves):
                game.rewind(same)
            for action, edition in moves[same:]:
                game.replay(action, edition)
            game.come_over()
        except KursbuchError as error:
            self._kept.drop(table.id)
            raise Refused(
                N_("This game cannot be shown with this version of the program: {why}"),
                why=str(error),
            ) from error
        kept.revision = table.revision
        return kept

    async def title(self, session: AsyncSession, table: Table) -> Title[Any]:
        """The title of a table, with the table's own component data."""
        data = None
        if table.data_hash is not None:
            data = await session.scalar(
                select(DataFile.content).where(DataFile.hash == table.data_hash)
            )
        return title_with_data(table.title, data)

    def follow(
        self, table_id: str, old: int, new: int, rewind: int | None, actions: Sequence[Action]
    ) -> None:
        """A change that has been stored: from revision `old` to `new` by going back to `rewind`
        moves and playing `actions`."""
        kept = self._kept.get(table_id)
        if kept is None or kept.revision != old:
            return
        if rewind is not None:
            kept.game.rewind(rewind)
        for action in actions:
            kept.game.apply(action)
        kept.revision = new

    def kept(self, table_id: str) -> Game | None:
        """The game of a table, if it is ready."""
        kept = self._kept.get(table_id)
        return None if kept is None else kept.game
