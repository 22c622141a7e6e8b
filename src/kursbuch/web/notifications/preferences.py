"""Notification preferences: channels, frequency and quiet hours."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.words import N_
from kursbuch.web.accounts.models import Account
from kursbuch.web.db.database import upsert
from kursbuch.web.notifications.models import (
    Message,
    Notice,
    NotificationPreference,
    PausedAddress,
    PushDevice,
    RecipientSettings,
    Webhook,
)
from kursbuch.web.notifications.outbox import MAIL, PUSH, WEBHOOK

CHANNELS = (MAIL, PUSH, WEBHOOK)
NOW, HOUR, DAY, NEVER = "now", "hour", "day", "never"
PACES = {
    NOW: N_("at once"),
    HOUR: N_("every hour"),
    DAY: N_("once a day"),
    NEVER: N_("never"),
}

#: Maximum length of a time zone name.
MAX_ZONE = 40

#: Hour of the daily digest.
MORNING = 8


class Recipient(msgspec.Struct, frozen=True):
    """How a player can be reached: channels, address, language (empty if unknown), time zone, quiet
    hours."""

    owner: str
    channels: frozenset[str] = frozenset()
    mail: str = ""
    language: str = ""
    zone: str = ""
    devices: tuple[str, ...] = ()
    paces: Mapping[tuple[str, str], str] = {}
    quiet: tuple[int, int] | None = None
    mentions: bool = True

    def pace(self, channel: str, table_id: str) -> str:
        """Return when the player wants to be notified of a table by a channel."""
        if channel not in self.channels:
            return NEVER
        of_all = self.paces.get(("", channel), NOW)
        return self.paces.get((table_id, channel), of_all)

    def rests_until(self, moment: datetime) -> datetime | None:
        """Return the end of the quiet hours, if a moment is in them."""
        return None if self.quiet is None else quiet_until(*self.quiet, moment, self.zone)


async def recipients(
    session: AsyncSession, owners: Collection[str], channels: Collection[str]
) -> dict[str, Recipient]:
    """Return which of these players can be reached by these channels."""
    shut = select(Account.id).where(Account.id.in_(owners), Account.closed_at.is_not(None))
    owners = {*owners}.difference(await session.scalars(shut))
    ways: dict[str, set[str]] = {owner: set() for owner in owners}
    mails: dict[str, str] = {}
    devices: dict[str, list[str]] = {}
    if MAIL in channels:
        paused = select(PausedAddress.address)
        query = select(Account.id, Account.email).where(
            Account.id.in_(owners),
            Account.email.is_not(None),
            Account.email.not_in(paused),
        )
        for owner, email in await session.execute(query):
            ways[owner].add(MAIL)
            mails[owner] = email or ""
    if PUSH in channels:
        pushed = await session.execute(
            select(PushDevice.owner, PushDevice.id).where(PushDevice.owner.in_(owners))
        )
        for owner, device in pushed:
            ways[owner].add(PUSH)
            devices.setdefault(owner, []).append(device)
    if WEBHOOK in channels:
        hooks = select(Webhook.owner).where(Webhook.owner.in_(owners), Webhook.error == "")
        for owner in await session.scalars(hooks):
            ways[owner].add(WEBHOOK)
    reached = [owner for owner in owners if ways[owner]]
    if not reached:
        return {}
    paces: dict[str, dict[tuple[str, str], str]] = {owner: {} for owner in reached}
    for wish in await session.scalars(
        select(NotificationPreference).where(NotificationPreference.owner.in_(reached))
    ):
        paces[wish.owner][wish.table_id, wish.channel] = wish.pace
    readers = {
        reader.owner: reader
        for reader in await session.scalars(
            select(RecipientSettings).where(RecipientSettings.owner.in_(reached))
        )
    }
    spoken = select(Account.id, Account.language).where(Account.id.in_(reached))
    languages = {row.id: row.language for row in await session.execute(spoken)}
    found = {}
    for owner in reached:
        reader = readers.get(owner) or RecipientSettings(
            owner=owner, language="", zone="", mentions=True
        )
        start, end = reader.quiet_from, reader.quiet_to
        found[owner] = Recipient(
            owner,
            frozenset(ways[owner]),
            mails.get(owner, ""),
            languages.get(owner) or reader.language,
            reader.zone,
            tuple(devices.get(owner, ())),
            paces[owner],
            None if start is None or end is None else (start, end),
            reader.mentions,
        )
    return found


async def set_pace(
    session: AsyncSession, owner: str, table_id: str, channel: str, pace: str
) -> None:
    """Store when a player wants to be notified; an empty pace resets a table to the default."""
    row = await session.get(
        NotificationPreference, (owner, table_id, channel), with_for_update=True
    )
    if row is not None:
        if pace:
            row.pace = pace
        else:
            await session.delete(row)
    elif pace:
        session.add(
            NotificationPreference(owner=owner, table_id=table_id, channel=channel, pace=pace)
        )


async def set_recipient(
    session: AsyncSession, owner: str, language: str, zone: str
) -> RecipientSettings:
    """Store the language and time zone of a player."""
    row = await session.get(RecipientSettings, owner, with_for_update=True)
    if row is None:
        row = RecipientSettings(owner=owner, language="", zone="", mentions=True)
        session.add(row)
    row.language = language
    if zone_of(zone) is not UTC:
        row.zone = zone
    return row


async def learn_zone(session: AsyncSession, owner: str, zone: str) -> None:
    """Store the current time zone of a player."""
    if zone_of(zone) is UTC or len(zone) > MAX_ZONE:
        return
    values = {"owner": owner, "language": "", "zone": zone, "mentions": True}
    await session.execute(
        upsert(session, RecipientSettings)
        .values(values)
        .on_conflict_do_update(
            index_elements=["owner"], set_={"zone": zone}, where=RecipientSettings.zone != zone
        )
    )


async def forget(session: AsyncSession, owners: Iterable[str]) -> None:
    """Erase everything stored in order to notify these owners."""
    gone = list(owners)
    for row in (Notice, NotificationPreference, RecipientSettings, PushDevice, Webhook):
        await session.execute(delete(row).where(row.owner.in_(gone)))
    await session.execute(delete(Message).where(Message.account_id.in_(gone)))


def next_digest(pace: str, moment: datetime, zone: str) -> datetime:
    """Return when the next hourly or daily digest is written.

    >>> str(next_digest("hour", datetime(2026, 3, 1, 9, 5, tzinfo=UTC), ""))
    '2026-03-01 10:00:00+00:00'
    >>> str(next_digest("day", datetime(2026, 3, 1, 9, 5, tzinfo=UTC), "America/New_York"))
    '2026-03-01 13:00:00+00:00'
    """
    local = moment.astimezone(zone_of(zone))
    if pace == HOUR:
        return (moment + timedelta(hours=1)).replace(minute=0, second=0, microsecond=0)
    morning = local.replace(hour=MORNING, minute=0, second=0, microsecond=0)
    if morning <= local:
        morning += timedelta(days=1)
    return morning.astimezone(UTC)


def quiet_until(start: int, end: int, moment: datetime, zone: str) -> datetime | None:
    """Return the end of quiet hours, which may cross midnight, or None outside them.

    >>> str(quiet_until(22, 7, datetime(2026, 3, 1, 22, 30, tzinfo=UTC), "Europe/Berlin"))
    '2026-03-02 06:00:00+00:00'
    >>> quiet_until(22, 7, datetime(2026, 3, 1, 7, tzinfo=UTC), "Europe/Berlin")
    """
    local = moment.astimezone(zone_of(zone))
    hour = local.hour
    rests = start <= hour < end if start < end else start != end and (hour >= start or hour < end)
    if not rests:
        return None
    ends = local.replace(hour=end, minute=0, second=0, microsecond=0)
    if ends <= local:
        ends += timedelta(days=1)
    return ends.astimezone(UTC)


def zone_of(name: str) -> tzinfo:
    """Return the time zone with this name, or UTC."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ValueError, OSError, KeyError):
        return UTC
