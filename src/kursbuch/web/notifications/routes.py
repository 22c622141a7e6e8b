"""Routes for notification preferences, push, webhooks and unsubscribing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import File, Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER
from sqlalchemy import delete, func, select

from kursbuch.core.words import N_, Words
from kursbuch.web.accounts import attempts
from kursbuch.web.accounts.models import Account
from kursbuch.web.http.errors import Forbidden, NotFound, Refused
from kursbuch.web.http.preferences import PreferenceField
from kursbuch.web.http.requests import (
    AnyRequest,
    language_of,
    once,
    read,
    tables_of,
    wants_page,
    who,
    words_for,
)
from kursbuch.web.http.templating import find_title, page
from kursbuch.web.labels import FieldChoice
from kursbuch.web.notifications import delivery
from kursbuch.web.notifications import preferences as notification_preferences
from kursbuch.web.notifications.delivery import (
    MAX_DEVICES,
    WEBHOOK_FORMS,
    new_webhook_secret,
    pause_address,
)
from kursbuch.web.notifications.models import (
    Message,
    NotificationPreference,
    PausedAddress,
    PushDevice,
    RecipientSettings,
    Webhook,
)
from kursbuch.web.notifications.notifier import withdraw_invitations
from kursbuch.web.notifications.outbox import MAIL, WEBHOOK, NewMessage, enqueue
from kursbuch.web.notifications.preferences import NEVER, NOW, PACES
from kursbuch.web.notifications.service import Notifications
from kursbuch.web.tables.clock_view import Moment, moment
from kursbuch.web.tables.visits import allowed

_CHANNELS = {"mail": N_("Mail"), "push": N_("Browser"), "webhook": N_("Webhook (program)")}
_FORMS = {
    "plain": N_("signed JSON"),
    "discord": N_("Discord"),
    "slack": N_("Slack"),
}

#: Notices shown after a redirect.
NOTICES = {
    "saved": N_("Saved."),
    "tried": N_("A test message is on its way. Reload this page in a moment to see the result."),
}

#: Known reasons of failed deliveries, to be translated (`delivery.py`).
_REASONS = (
    (re.compile(r"answered (?P<status>\d+)"), N_("answered {status}")),
    (
        re.compile(r"(?P<host>\S+) is an address of a private network"),
        N_("{host} is in a private network"),
    ),
    (re.compile(r"no host (?P<host>\S+): .*", re.DOTALL), N_("host {host} does not exist")),
    (re.compile(r"no answer"), N_("no answer")),
)


def reason(words: Words, noted: str) -> str:
    """Translate the reason of a failed delivery, if it is a known one."""
    for pattern, template in _REASONS:
        found = pattern.fullmatch(noted)
        if found is not None:
            return words._(template, **found.groupdict())
    return noted


#: The service worker that shows push messages.
PUSH_SCRIPT = Path(__file__).parents[1] / "static" / "push.js"


def notifications_of(request: AnyRequest) -> Notifications:
    """Return the notification service of this server."""
    found: Notifications = request.app.state.notifications
    return found


class MessagesPage(msgspec.Struct, frozen=True):
    """messages.html: when and how the visitor is notified.

    `usual` is for all tables, `own` for the table from which the page was opened. `unconfirmed`
    says that an address is missing, `paused` why mails bounced. `push_key` lets the browser
    subscribe. `hook_told` is the last delivery to the webhook, `hook_failure` why it failed."""

    table_id: str
    title_name: str
    notice: str
    usual: list[PreferenceField]
    own: list[PreferenceField]
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


@get("/messages", include_in_schema=False)
async def messages(request: AnyRequest) -> Template:
    """Show when and how the visitor is notified."""
    words, visitor, sending = words_for(request), who(request), notifications_of(request)
    given = request.query_params
    table_id = given.get("table", "")
    title_name = ""
    if table_id:
        title_name = find_title(
            (await allowed(tables_of(request), table_id, visitor.id)).table.title
        ).name
    async with tables_of(request).refusing(), tables_of(request).database.reading() as session:
        account = await session.get(Account, visitor.id)
        mail = (account.email or "") if account is not None else ""
        paused = await session.get(PausedAddress, mail.lower()) if mail else None
        hook = await session.get(Webhook, visitor.id)
        reader = await session.get(RecipientSettings, visitor.id)
        found = await session.scalars(
            select(NotificationPreference).where(NotificationPreference.owner == visitor.id)
        )
        paces = {(wish.table_id, wish.channel): wish.pace for wish in found}
        devices = await session.scalar(
            select(func.count()).select_from(PushDevice).where(PushDevice.owner == visitor.id)
        )
    usual, own = [], []
    for channel in sending.channels:
        if account is not None or channel not in (MAIL, WEBHOOK):
            of_all, of_table = paces.get(("", channel), NOW), paces.get((table_id, channel), "")
            usual.append(_pace_field(words, channel, PACES, of_all))
            choices = {"": N_("same as for all tables"), **PACES}
            own.append(_pace_field(words, channel, choices, of_table))
    struct = MessagesPage(
        table_id=table_id,
        title_name=title_name,
        notice=words._(NOTICES[done]) if (done := given.get("done", "")) in NOTICES else "",
        usual=usual,
        own=own if table_id else [],
        mail=mail if MAIL in sending.channels else "",
        unconfirmed=account is not None and not mail and MAIL in sending.channels,
        paused=paused.why if paused is not None else "",
        may_mail=MAIL in sending.channels,
        account=account is not None,
        push_key=sending.push.public_key if sending.push is not None and sending.channels else "",
        devices=devices or 0,
        hooks=WEBHOOK in sending.channels and account is not None,
        hook_url=hook.url if hook is not None else "",
        hook_secret=hook.secret if hook is not None else "",
        hook_error=reason(words, hook.error) if hook is not None else "",
        hook_failure=reason(words, hook.failure) if hook is not None else "",
        hook_told=moment(hook.tried_at) if hook is not None else None,
        hook_forms=[
            FieldChoice(form, words._(_FORMS[form]), hook is not None and hook.form == form)
            for form in WEBHOOK_FORMS
        ],
        quiet_from=_hours(words, None if reader is None else reader.quiet_from),
        quiet_to=_hours(words, None if reader is None else reader.quiet_to),
        mentions=reader is None or reader.mentions,
    )
    return page(request, "messages.html", struct, words)


def _pace_field(
    words: Words, channel: str, choices: Mapping[str, str], chosen: str
) -> PreferenceField:
    """Return the field for the pace of a channel."""
    return PreferenceField(
        f"pace_{channel}",
        words._(_CHANNELS[channel]),
        [FieldChoice(pace, words._(label), pace == chosen) for pace, label in choices.items()],
    )


def _hours(words: Words, chosen: int | None) -> list[FieldChoice]:
    """Return the choices for an hour of the day, or none."""
    hours = [FieldChoice(str(hour), f"{hour:02}:00", hour == chosen) for hour in range(24)]
    return [FieldChoice("", words._("none"), chosen is None), *hours]


@post("/messages", include_in_schema=False)
async def save_preferences(request: AnyRequest) -> Response[Any]:
    """Store when the visitor wants to be notified, of all tables or of one."""
    sent, visitor, tables = await read(request), who(request), tables_of(request)
    table_id = sent.text("table")
    if table_id:
        await allowed(tables, table_id, visitor.id)
    chosen = {
        channel: sent.text(f"pace_{channel}")
        for channel in notification_preferences.CHANNELS
        if f"pace_{channel}" in sent.fields
    }
    for pace in chosen.values():
        if pace not in PACES and not (table_id and pace == ""):
            raise Refused(N_("This is not one of the choices."))
    quiet = (sent.optional_number("quiet_from"), sent.optional_number("quiet_to"))
    if any(hour is not None and not 0 <= hour < 24 for hour in quiet):
        raise Refused(N_("This is not one of the choices."))
    if (quiet[0] is None) != (quiet[1] is None):
        raise Refused(N_("Quiet hours need a start and an end."))

    async def choose() -> None:
        async with tables.writing() as session:
            for channel, pace in chosen.items():
                await notification_preferences.set_pace(
                    session, visitor.id, table_id, channel, pace
                )
                if pace == NEVER and not table_id:
                    mine = (Message.account_id == visitor.id) & (Message.channel == channel)
                    await withdraw_invitations(session, mine)
            zone = sent.text("zone")[:40]
            row = await notification_preferences.set_recipient(
                session, visitor.id, language_of(request), zone
            )
            if "quiet_from" in sent.fields:
                row.quiet_from, row.quiet_to = quiet
                row.mentions = sent.flag("mentions")

    await once(request, choose)
    return _saved(request, table_id)


@post("/messages/resume", include_in_schema=False)
async def resume(request: AnyRequest) -> Response[Any]:
    """Send mails again to the visitor's address after they bounced."""

    async def go_on() -> None:
        async with tables_of(request).writing() as session:
            account = await session.get(Account, who(request).id)
            if account is None or not account.email:
                raise Forbidden(N_("This needs an account with a confirmed address."))
            paused = PausedAddress.address == account.email.lower()
            await session.execute(delete(PausedAddress).where(paused))

    await once(request, go_on)
    return _saved(request)


@post("/messages/webhook", include_in_schema=False)
async def webhook(request: AnyRequest) -> Response[Any]:
    """Set the visitor's webhook; an empty address removes it."""
    sent, visitor, sending = await read(request), who(request), notifications_of(request)
    url, form = sent.text("url").strip(), sent.text("form", WEBHOOK_FORMS[0])
    if WEBHOOK not in sending.channels:
        raise Refused(N_("This server does not support webhooks."))
    if form not in WEBHOOK_FORMS:
        raise Refused(N_("This is not one of the choices."))
    if visitor.account is None:
        raise Forbidden(N_("This needs an account."))
    if url:
        delivery.check_url(url, sending.private)
        await delivery.check_host(url, sending.private)

    async def name() -> None:
        async with tables_of(request).writing() as session:
            if await session.get(Account, visitor.id) is None:
                raise Forbidden(N_("This needs an account."))
            hook = await session.get(Webhook, visitor.id, with_for_update=True)
            if hook is not None and not url:
                await session.delete(hook)
            elif hook is not None:
                hook.url, hook.form, hook.error = url, form, ""
                hook.tried_at, hook.failure = None, ""
            elif url:
                session.add(
                    Webhook(
                        owner=visitor.id,
                        url=url,
                        form=form,
                        secret=new_webhook_secret(),
                        error="",
                        failure="",
                    )
                )

    await once(request, name)
    return _saved(request)


@post("/messages/webhook/try", include_in_schema=False)
async def try_webhook(request: AnyRequest) -> Response[Any]:
    """Send a test message to the visitor's webhook."""
    visitor, sending, words = who(request), notifications_of(request), words_for(request)
    if WEBHOOK not in sending.channels:
        raise Refused(N_("This server does not support webhooks."))
    title = words._("Test")
    data = {
        "title": title,
        "text": words._("This is how Kursbuch notifies you about your tables."),
        "url": f"{sending.address}/messages",
        "tag": "",
        "events": [],
    }

    async def send_test() -> None:
        async with tables_of(request).writing() as session:
            hook = await session.get(Webhook, visitor.id)
            if hook is None or hook.error:
                raise Refused(N_("Save the address of your webhook first."))
            await enqueue(
                session,
                NewMessage(
                    f"test:{new_webhook_secret()}",
                    WEBHOOK,
                    visitor.id,
                    title,
                    msgspec.json.encode(data).decode(),
                    account_id=visitor.id,
                ),
            )

    await attempts.spend(tables_of(request), attempts.TRY, visitor.id)
    await once(request, send_test)
    sending.outbox.wake()
    return _saved(request, done="tried")


@post("/messages/push", include_in_schema=False)
async def push(request: AnyRequest) -> Response[Any]:
    """Notify this browser from now on."""
    sent, visitor, sending = await read(request), who(request), notifications_of(request)
    if sending.push is None:
        raise Refused(N_("This server sends no browser notifications."))
    session_id = visitor.account.session if visitor.account is not None else None
    device = sending.push.device(
        visitor.id, session_id, sent.text("endpoint"), sent.text("key"), sent.text("auth")
    )

    # Without an idempotency key: `key` is that of the browser here, and a repeat changes nothing.
    async with tables_of(request).writing() as session:
        known = select(PushDevice.id).where(PushDevice.owner == visitor.id)
        ids = list(await session.scalars(known.order_by(PushDevice.made_at.desc())))
        gone = [device.id, *[one for one in ids if one != device.id][MAX_DEVICES - 1 :]]
        await session.execute(delete(PushDevice).where(PushDevice.id.in_(gone)))
        session.add(device)
        zone = sent.text("zone")[:40]
        await notification_preferences.set_recipient(
            session, visitor.id, language_of(request), zone
        )
    return Response(None, status_code=204)


@post("/messages/push/end", include_in_schema=False)
async def end_push(request: AnyRequest) -> Response[Any]:
    """Stop notifying the visitor's browsers."""

    async def end() -> None:
        async with tables_of(request).writing() as session:
            mine = PushDevice.owner == who(request).id
            await session.execute(delete(PushDevice).where(mine))

    await once(request, end)
    return _saved(request)


class UnsubscribePage(msgspec.Struct, frozen=True):
    """unsubscribe.html: asks whether to stop the mails (of one table), or confirms it."""

    of_table: bool
    done: bool


@get("/unsubscribe/{token:str}", include_in_schema=False)
async def ask_unsubscribe(request: AnyRequest, token: FromPath[str]) -> Template:
    """Ask whether to stop the mails; mail scanners open links, and must stop nothing."""
    _, table_id, _ = _unsubscribed(request, token)
    return page(
        request, "unsubscribe.html", UnsubscribePage(bool(table_id), False), words_for(request)
    )


@post("/unsubscribe/{token:str}", include_in_schema=False, status_code=HTTP_200_OK)
async def unsubscribe(request: AnyRequest, token: FromPath[str]) -> Template:
    """Stop the mails of a table, or all, without logging in; mail programs send this too (RFC
    8058)."""
    owner, table_id, address = _unsubscribed(request, token)
    async with tables_of(request).refusing(), tables_of(request).database.writing() as session:
        if address:
            await withdraw_invitations(session, Message.address == address)
            mine = await session.scalar(select(Account.id).where(Account.email == address))
            if mine is None:
                await pause_address(session, address, "unsubscribed")
            owner = mine or ""
        if owner:
            await notification_preferences.set_pace(session, owner, table_id, MAIL, NEVER)
        if owner and not table_id:  # choices for single tables must not go on
            mails = (
                (NotificationPreference.owner == owner)
                & (NotificationPreference.channel == MAIL)
                & (NotificationPreference.table_id != "")
            )
            await session.execute(delete(NotificationPreference).where(mails))
            await withdraw_invitations(
                session, Message.account_id == owner, Message.channel == MAIL
            )
    return page(
        request, "unsubscribe.html", UnsubscribePage(bool(table_id), True), words_for(request)
    )


def _unsubscribed(request: AnyRequest, token: str) -> tuple[str, str, str]:
    """Return the owner and table of an unsubscribe link, or the address it is for."""
    links = notifications_of(request).links
    found = links.unsubscribes(token)
    if found is not None:
        return *found, ""
    address = links.unsubscribes_address(token)
    if not address:
        raise NotFound(N_("This link is not valid."))
    return "", "", address


@get("/push.js", include_in_schema=False)
async def service_worker() -> File:
    """Send the service worker from the root, so that it is valid for the whole server."""
    return File(PUSH_SCRIPT, media_type="text/javascript", content_disposition_type="inline")


def _saved(request: AnyRequest, table_id: str = "", done: str = "saved") -> Response[Any]:
    if not wants_page(request):
        return Response(None, status_code=204)
    at_table = f"table={table_id}&" if table_id else ""
    return Redirect(f"/messages?{at_table}done={done}", status_code=HTTP_303_SEE_OTHER)


HANDLERS = [
    messages,
    save_preferences,
    resume,
    webhook,
    try_webhook,
    push,
    end_push,
    ask_unsubscribe,
    unsubscribe,
    service_worker,
]
