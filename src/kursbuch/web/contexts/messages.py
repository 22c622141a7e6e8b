"""What the pages about messages show."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.common import FieldChoice, Setting


class MessagesPage(msgspec.Struct, frozen=True):
    """messages.html: when and how one is told. `own` is for the table from which the page was opened, `usual` for
    all. `paused` says why mails came back, `push_key` is what a browser has to know to be told."""

    table_id: str
    title_name: str
    usual: list[Setting]
    own: list[Setting]
    mail: str
    paused: str
    may_mail: bool
    account: bool
    push_key: str
    devices: int
    hooks: bool
    hook_url: str
    hook_secret: str
    hook_error: str
    hook_forms: list[FieldChoice]
    quiet_from: list[FieldChoice]
    quiet_to: list[FieldChoice]
    mentions: bool


class UnsubscribePage(msgspec.Struct, frozen=True):
    """unsubscribe.html: asks whether the mails (of one table) shall end, or says that they have."""

    of_table: bool
    done: bool
