"""Account mails. Their links carry the code after a #, which browsers send to no server."""

from __future__ import annotations

from urllib.parse import quote

from kursbuch.core.words import Words
from kursbuch.web.accounts.codes import CONFIRM, LOGIN, RESET
from kursbuch.web.accounts.credentials import hashed
from kursbuch.web.notifications.outbox import MAIL, NewMessage

#: Where the code of a letter is entered, by its kind.
PLACES = {CONFIRM: "/account/confirm", LOGIN: "/login/code", RESET: "/login/reset"}

#: A longer path does not go with a link: whoever asks for a letter chooses it.
LONGEST_NEXT = 200


def leading(path: str, next_: str) -> str:
    """The address of a page from which somebody goes on to another one."""
    return path if next_ == "/" or len(next_) > LONGEST_NEXT else f"{path}?next={quote(next_)}"


def with_code(
    words: Words,
    base: str,
    kind: str,
    to: str,
    name: str,
    token: str,
    account: str | None,
    next_: str = "/",
) -> NewMessage:
    """The letter that brings somebody a code, with which one goes on to a page."""
    _ = words._
    subject, why = {
        CONFIRM: (
            _("Confirm your address"),
            _("This address was given for the account {name} at {server}.", name=name, server=base),
        ),
        LOGIN: (
            _("Log in to Kursbuch"),
            _("Somebody wants to log in as {name} at {server}.", name=name, server=base),
        ),
        RESET: (
            _("A new password for Kursbuch"),
            _("Somebody wants a new password for {name} at {server}.", name=name, server=base),
        ),
    }[kind]
    action = {
        CONFIRM: _("To confirm it, open this page and press the button:"),
        LOGIN: _(
            "If it was you, open this page and press the button; it works once, for 20 minutes:"
        ),
        RESET: _("If it was you, choose one on this page; it works once, for an hour:"),
    }[kind]
    last = _("If it was not you, you need not do anything.")
    text = f"{why}\n\n{action}\n{base}{leading(PLACES[kind], next_)}#{token}\n\n{last}\n"
    return _letter(kind, to, subject, text, token, account)


def taken(words: Words, base: str, to: str, name: str, token: str, account: str) -> NewMessage:
    """What the owner of an address is told when somebody gives it for another account; nobody else hears that
    there is one."""
    _ = words._
    text = "\n\n".join(
        (
            _("Somebody gave this address for a new account at {server}.", server=base),
            _("It belongs to your account {name} already, so nothing was changed.", name=name),
            _("If you do not know your password any more, choose another one:") + f"\n{base}/login",
        )
    )
    return _letter("taken", to, _("You have an account already"), text + "\n", token, account)


def moved(words: Words, base: str, to: str, name: str, account: str, token: str) -> NewMessage:
    """What is sent to an address that an account had before."""
    _ = words._
    text = _(
        "The account {name} at {server} has another address now. If that was not you, tell whoever runs "
        "the server.",
        name=name,
        server=base,
    )
    return _letter("moved", to, _("Your address was changed"), text + "\n", token, account)


def _letter(
    kind: str, to: str, subject: str, text: str, token: str, account: str | None
) -> NewMessage:
    return NewMessage(
        key=f"account:{kind}:{hashed(token)[:32]}",
        channel=MAIL,
        to=to,
        subject=subject,
        text=text,
        account_id=account,
    )
