"""What the pages about messages show."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.common import FieldChoice, Setting
from kursbuch.web.contexts.slow import Moment


class MessagesPage(msgspec.Struct, frozen=True):
    """messages.html: when and how one is told. `own` is for the table from which the page was opened, `usual` for
    all. `notice` says what was just done, `unconfirmed` that no mail comes because the account has no confirmed
    address, `paused` why mails came back. `push_key` is what a browser has to know to be told, `hook_told` when the
    program was told last, `hook_failure` why that did not arrive."""

    table_id: str
    title_name: str
    notice: str
    usual: list[Setting]
    own: list[Setting]
    mail: str
    unconfirmed: bool
    paused: str
    may_mail: bool
    account: bool
    push_key: str
    devices: int
    hooks: bool
    hook_url: str
    hook_secret: str
    hook_error: str
    hook_failure: str
    hook_told: Moment | None
    hook_forms: list[FieldChoice]
    quiet_from: list[FieldChoice]
    quiet_to: list[FieldChoice]
    mentions: bool


class UnsubscribePage(msgspec.Struct, frozen=True):
    """unsubscribe.html: asks whether the mails (of one table) shall end, or says that they have."""

    of_table: bool
    done: bool
