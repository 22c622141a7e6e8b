"""Account pages."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import msgspec

import kursbuch
from kursbuch.core.words import Words, sign
from kursbuch.web.accounts.credentials import LEAST
from kursbuch.web.accounts.models import Account, ApiToken, Invitation, Rating, Session
from kursbuch.web.accounts.profiles import Profile
from kursbuch.web.home.views import TableLine, table_line
from kursbuch.web.labels import ago
from kursbuch.web.notifications.models import PausedAddress


class LoginPage(msgspec.Struct, frozen=True):
    """login.html: fields `name` (or address), `password`, `next`; by letter with `email`, `next` and `want`
    (login or reset). `error` and `notice` are sentences or empty."""

    next: str
    name: str
    mails: bool
    may_register: bool
    error: str
    notice: str


class RegisterPage(msgspec.Struct, frozen=True):
    """register.html: fields `name`, `password`, `next`, `email` where letters are sent, `invitation` where
    one is needed; filled in again after a refusal. `tables` is how many the browser brings along."""

    next: str
    name: str
    email: str
    invitation: str
    mails: bool
    invited: bool
    least: int
    tables: int
    error: str


class CodePage(msgspec.Struct, frozen=True):
    """code.html: the fields `code` and `next`, with a `password` where a new one is chosen. `code` is given back
    hidden when only the question stands whether to go on as `name`."""

    action: str
    next: str
    heading: str
    text: str
    button: str
    code: str
    name: str
    chooses: bool
    least: int
    error: str


#: Points of a rating are written as people are used to: who has never played has 1500.
_SCALE = 60


def profile_url(name: str) -> str:
    """The page of a person."""
    return f"/people/{quote(name, safe='')}"


class RatingLine(msgspec.Struct, frozen=True):
    """How strong somebody is at a title."""

    title_name: str
    points: str
    spread: str
    games: int
    won: int


class ProfilePage(msgspec.Struct, frozen=True):
    """profile.html: what is known of a person."""

    name: str
    since: str
    played: int
    won: int
    ratings: list[RatingLine]
    tables: list[TableLine]
    is_me: bool


def profile_page(words: Words, found: Profile, visitor: str, is_me: bool) -> ProfilePage:
    """What is known of a person."""
    return ProfilePage(
        name=found.name,
        since=ago(words, found.since),
        played=found.played,
        won=found.won,
        ratings=[rating_line(rating) for rating in found.ratings],
        tables=[table_line(words, table, seats, visitor) for table, seats in found.tables],
        is_me=is_me,
    )


def rating_line(rating: Rating) -> RatingLine:
    """How strong somebody is at a title."""
    title = kursbuch.titles().get(rating.title)
    return RatingLine(
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


class SessionLine(msgspec.Struct, frozen=True):
    """A browser in which one is logged in."""

    number: int
    device: str
    used: str
    is_this: bool


class TokenLine(msgspec.Struct, frozen=True):
    """A token for programs, or an invitation."""

    number: int
    name: str
    used: str


class AccountPage(msgspec.Struct, frozen=True):
    """account.html: everything about one's own account. `token` and `invitation_link` are shown once, where
    they have just been made; `place` is the part of the page that `error` or `notice` belongs to.
    `refused` is an address that was to be confirmed, and could not be reached; `why` is what was said.
    `admin` says that there is a page for administrators."""

    name: str
    profile_url: str
    email: str
    refused: str
    why: str
    mails: bool
    has_password: bool
    least: int
    sessions: list[SessionLine]
    tokens: list[TokenLine]
    token: str
    invites: bool
    invitations: list[TokenLine]
    invitation_link: str
    place: str
    error: str
    notice: str
    admin: bool


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
) -> AccountPage:
    """Everything about one's own account."""
    return AccountPage(
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
            SessionLine(row.id, row.device, ago(words, row.seen_at), row.id == session)
            for row in sessions
        ],
        tokens=[
            TokenLine(
                row.id,
                row.name,
                ago(words, row.used_at) if row.used_at else words._("never used"),
            )
            for row in tokens
        ],
        token=token,
        invites=invites,
        invitations=[
            TokenLine(row.id, row.note, ago(words, row.created_at)) for row in invitations
        ],
        invitation_link=invitation_link,
        place=place,
        error=error,
        notice=notice,
    )
