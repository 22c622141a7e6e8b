"""Logging in, the page of one's account, profiles."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.start import TableLine


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
