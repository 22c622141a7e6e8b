"""Ratings of players by title."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import delete, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.title import Result
from kursbuch.core.words import Words, sign
from kursbuch.web.accounts.models import Account, RatedGame, Rating
from kursbuch.web.db.models import Predecessor, Seat, Table, now
from kursbuch.web.http.security import is_account


class PlayerRating:
    """Rating of a player in one title, with the rated games behind it."""

    def __init__(self, mu: float, sigma: float, games: int = 0, won: int = 0) -> None:
        self.mu, self.sigma, self.games, self.won = mu, sigma, games, won


def places_of(
    seats: Sequence[Seat], result: Result, left: Collection[str] = ()
) -> list[tuple[str, int]]:
    """Return the accounts of a game with their places.

    Winners are first whatever their scores, and equal scores share a place. An account with several
    seats is not rated. Accounts that `left` the game come after everyone who finished it."""
    owners = [seat.owner for seat in seats]
    worth = [(number in result.winners, result.scores[number]) for number in range(len(seats))]
    places = [
        (owner, 1 + sum(other > worth[number] for other in worth))
        for number, owner in enumerate(owners)
        if owner is not None and is_account(owner) and owners.count(owner) == 1
    ]
    return places + [(one, 1 + len(seats)) for one in sorted({*left} - {*owners})]


async def rate_game(
    session: AsyncSession, table: Table, seats: Sequence[Seat], result: Result
) -> dict[str, tuple[float, float]]:
    """Rate a finished game once, in the transaction in which it ends.

    Returns the mean of every account it changed, before and after."""
    if not table.rated:
        return {}
    left = select(Account.id).join(Predecessor, Predecessor.account == Account.id)
    gone = await session.scalars(left.where(Predecessor.table_id == table.id))
    places = places_of(seats, result, list(gone))
    if len(places) < 2:
        return {}
    await _lock(session, table.title)
    if await session.scalar(select(RatedGame.id).where(RatedGame.table_id == table.id)) is not None:
        return {}
    session.add(RatedGame(table_id=table.id, title=table.title, places=places, ended_at=now()))
    query = select(Rating).where(
        Rating.title == table.title, Rating.account_id.in_([account for account, _ in places])
    )
    rows = {row.account_id: row for row in await session.scalars(query)}
    before = {
        account: PlayerRating(row.mu, row.sigma, row.games, row.won)
        for account, row in rows.items()
    }
    after = ratings_after(before, places)
    for account, _ in places:
        _store(session, rows.get(account), account, table.title, after[account])
    return {account: (_rating_of(before, account).mu, after[account].mu) for account, _ in places}


async def revoke_game(session: AsyncSession, table: Table) -> None:
    """Revoke the rating of a game whose end was undone."""
    if not table.rated:
        return
    query = select(RatedGame).where(RatedGame.table_id == table.id)
    if await session.scalar(query) is None:
        return
    await _lock(session, table.title)
    await session.execute(delete(RatedGame).where(RatedGame.table_id == table.id))
    games = await session.scalars(
        select(RatedGame.places).where(RatedGame.title == table.title).order_by(RatedGame.id)
    )
    known: dict[str, PlayerRating] = {}
    for places in games:
        known |= ratings_after(known, [(account, place) for account, place in places])
    await session.execute(delete(Rating).where(Rating.title == table.title))
    for account in await session.scalars(select(Account.id).where(Account.id.in_(list(known)))):
        _store(session, None, account, table.title, known[account])


def ratings_after(
    known: Mapping[str, PlayerRating], places: Sequence[tuple[str, int]]
) -> dict[str, PlayerRating]:
    """Return the ratings of the players after a game; `known` are the ratings before it."""
    model = _model()
    before = [(_rating_of(known, account), place) for account, place in places]
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one, _ in before]
    rated = model.rate(teams, ranks=[float(place) for _, place in places])
    return {
        account: PlayerRating(new.mu, new.sigma, one.games + 1, one.won + (place == 1))
        for (account, place), (one, _), (new,) in zip(places, before, rated, strict=True)
    }


def _rating_of(known: Mapping[str, PlayerRating], account: str) -> PlayerRating:
    """Return the rating of a player, the default for a new one."""
    if account in known:
        return known[account]
    usual = _model().rating()
    return PlayerRating(usual.mu, usual.sigma)


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce  # loads slowly, so only where a game is rated

    return PlackettLuce()


def _store(
    session: AsyncSession, row: Rating | None, account: str, title: str, found: PlayerRating
) -> None:
    if row is None:
        row = Rating(account_id=account, title=title)
        session.add(row)
    row.mu, row.sigma, row.games, row.won = found.mu, found.sigma, found.games, found.won


async def _lock(session: AsyncSession, title: str) -> None:
    """Rate the games of a title one after another; SQLite has only one writer anyway."""
    if session.get_bind().dialect.name == "postgresql":
        lock = text("SELECT pg_advisory_xact_lock(hashtext('kursbuch rating ' || :title))")
        await session.execute(lock, {"title": title})


#: Scale of displayed ratings: a new player has 1500.
RATING_SCALE = 60


def rating_change(words: Words, before: float, after: float) -> str:
    """Describe how a rated game changed a rating."""
    points = rating_points(after)
    gained = points - rating_points(before)
    change = f"{sign(gained)}{abs(gained)}"
    return words._("Rating {points} ({change})", points=points, change=change)


def rating_points(mu: float) -> int:
    """Return a mean in displayed points."""
    return round(mu * RATING_SCALE)
