"""What pages say of people."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import kursbuch
from kursbuch.core.words import Words, sign
from kursbuch.web import contexts
from kursbuch.web.messages.rows import PausedAddress
from kursbuch.web.people.passwords import LEAST
from kursbuch.web.people.profile import Profile
from kursbuch.web.people.rows import Account, ApiToken, Invitation, Rating, Session
from kursbuch.web.present.labels import ago
from kursbuch.web.present.start import table_line

#: Points of a rating are written as people are used to: who has never played has 1500.
_SCALE = 60


def profile_url(name: str) -> str:
    """The page of a person."""
    return f"/people/{quote(name, safe='')}"


def profile_page(words: Words, found: Profile, visitor: str, is_me: bool) -> contexts.ProfilePage:
    """What is known of a person."""
    return contexts.ProfilePage(
        name=found.name,
        since=ago(words, found.since),
        played=found.played,
        won=found.won,
        ratings=[rating_line(rating) for rating in found.ratings],
        tables=[table_line(words, table, seats, visitor) for table, seats in found.tables],
        is_me=is_me,
    )


def rating_line(rating: Rating) -> contexts.RatingLine:
    """How strong somebody is at a title."""
    title = kursbuch.titles().get(rating.title)
    return contexts.RatingLine(
        title_name=title.name if title else rating.title,
        points=str(_points(rating.mu)),
        spread=str(round(2 * rating.sigma * _SCALE)),
        games=rating.games,
        won=rating.won,
    )


def rating_change(words: Words, before: float, after: float) -> str:
    """How a rated game changed what is thought of somebody."""
    points = _points(after)
    gained = points - _points(before)
    change = f"{sign(gained)}{abs(gained)}"
    return words._("Rating {points} ({change})", points=points, change=change)


def _points(mu: float) -> int:
    return round(mu * _SCALE)


def account_page(
    words: Words,
    account: Account,
    came_back: PausedAddress | None,
    sessions: Sequence[Session],
    tokens: Sequence[ApiToken],
    invitations: Sequence[Invitation],
    *,
    session: int | None,
    mails: bool,
    invites: bool,
    token: str = "",
    invitation_link: str = "",
    place: str = "",
    error: str = "",
    notice: str = "",
) -> contexts.AccountPage:
    """Everything about one's own account."""
    return contexts.AccountPage(
        name=account.name,
        profile_url=profile_url(account.name),
        email=account.email or "",
        refused=came_back.address if came_back is not None else "",
        why=came_back.why if came_back is not None else "",
        mails=mails,
        has_password=account.password is not None,
        admin=account.admin,
        least=LEAST,
        sessions=[
            contexts.SessionLine(row.id, row.device, ago(words, row.seen_at), row.id == session)
            for row in sessions
        ],
        tokens=[
            contexts.TokenLine(
                row.id,
                row.name,
                ago(words, row.used_at) if row.used_at else words._("never used"),
            )
            for row in tokens
        ],
        token=token,
        invites=invites,
        invitations=[
            contexts.TokenLine(row.id, row.note, ago(words, row.created_at)) for row in invitations
        ],
        invitation_link=invitation_link,
        place=place,
        error=error,
        notice=notice,
    )
