"""Who may come to a table, and the door of one that is closed to those who look on."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.common import FieldChoice


class DoorSeat(msgspec.Struct, frozen=True):
    """A seat as it is seen from outside."""

    number: int
    name: str
    is_free: bool
    is_bot: bool


class DoorPage(msgspec.Struct, frozen=True):
    """door.html: a table nobody may look at who does not play there. `may_join` says that somebody can sit down
    from here, with a password if it `asks` for one; or that it `needs_account` first, which the visitor has not."""

    table_url: str
    title_name: str
    status_label: str
    seats: list[DoorSeat]
    may_join: bool
    asks: bool
    needs_account: bool
    entry_label: str


class InvitedPage(msgspec.Struct, frozen=True):
    """invited.html: an invitation to a table; a POST to `action` accepts it, as long as a seat is free."""

    table_url: str
    title_name: str
    players: list[str]
    free_seats: int
    action: str


class Doors(msgspec.Struct, frozen=True):
    """Who may sit down and look on, as everybody at the table sees it and, if the visitor `may_change` it, as a
    form: fields entry, password, watching, delay_moves, delay_minutes. `is_open`: everybody may do both.
    `needs_account`: the visitor must log in before sitting down."""

    may_change: bool
    is_open: bool
    asks_password: bool
    invited_only: bool
    needs_account: bool
    entry_label: str
    watching_label: str
    entries: list[FieldChoice]
    watching: list[FieldChoice]
    delay_moves: list[FieldChoice]
    delay_minutes: list[FieldChoice]
    has_password: bool
