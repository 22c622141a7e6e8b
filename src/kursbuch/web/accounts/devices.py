"""Known browsers: the signed cookie that marks a browser an account has used."""

from __future__ import annotations

import secrets

import msgspec

from kursbuch.web.accounts.credentials import hashed
from kursbuch.web.accounts.models import Account
from kursbuch.web.http.security import DEVICE_COOKIE, AnyConnection, Signer, cookie_of, keep

#: So many accounts are known to one browser.
MOST = 5
_PURPOSE = "kursbuch device"


class Device(msgspec.Struct, frozen=True, array_like=True):
    """A browser: its number, and the marks of the accounts that have been logged in there, the last one last."""

    number: str = ""
    marks: tuple[str, ...] = ()

    def knows(self, account: Account | None) -> bool:
        """Whether an account has been logged in there with the password that it has now."""
        return account is not None and _mark(account) in self.marks


def device_of(connection: AnyConnection) -> Device:
    """The browser of a request."""
    signer: Signer = connection.app.state.signer
    try:
        return msgspec.convert(
            signer.unseal(cookie_of(connection, DEVICE_COOKIE), _PURPOSE), Device
        )
    except msgspec.ValidationError:
        return Device()


def remember(connection: AnyConnection, account: Account) -> None:
    """Note with the answer that an account is logged in in this browser."""
    device, mark = device_of(connection), _mark(account)
    marks = [one for one in device.marks if one != mark][1 - MOST :]
    known = Device(device.number or secrets.token_urlsafe(12), (*marks, mark))
    signer: Signer = connection.app.state.signer
    keep(connection, DEVICE_COOKIE, signer.seal(msgspec.to_builtins(known), _PURPOSE))


def _mark(account: Account) -> str:
    return hashed(f"{account.id}\0{account.password or ''}")[:24]
