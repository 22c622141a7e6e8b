"""Signed tokens of unsubscribe links, reply addresses and bounce addresses."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer

#: Number of characters of a signature in a mail address: 100 bits.
_SIGNED = 20

#: Salts of unsubscribe links for an owner and for an address.
_OF_OWNER, _OF_ADDRESS = "kursbuch unsubscribe", "kursbuch unsubscribe address"
_REPLY = re.compile(r"([a-z0-9]{1,16})-([0-9]{1,2})-([0-9]{1,6})-([0-9]{1,9})-([a-z2-7]{20})")
_BOUNCE = re.compile(r"b-([0-9]{1,12})-([a-z2-7]{20})")


class ReplyPosition(msgspec.Struct, frozen=True):
    """A position that a seat may answer by mail: table, seat, number of moves, and the version of
    the last undo."""

    table_id: str
    seat: int
    number: int
    rewound: int


class Links:
    """Signs and reads tokens. All `keys` are valid for reading, and the last one signs."""

    def __init__(self, *keys: str) -> None:
        self.keys = list(keys)

    def _serializer(self, salt: str) -> URLSafeSerializer:
        return URLSafeSerializer(self.keys, salt=salt)

    def unsubscribe(self, owner: str, table_id: str) -> str:
        """Return the token that ends the mails to an owner, of one table or of all."""
        return str(self._serializer(_OF_OWNER).dumps([owner, table_id]))

    def unsubscribes(self, token: str) -> tuple[str, str] | None:
        """Return the owner and table of an unsubscribe token, or None if it is invalid."""
        try:
            owner, table_id = self._serializer(_OF_OWNER).loads(token)
        except (BadSignature, ValueError, TypeError):
            return None
        return str(owner), str(table_id)

    def unsubscribe_address(self, address: str) -> str:
        """Return the token that ends the mails to an address."""
        return str(self._serializer(_OF_ADDRESS).dumps(address))

    def unsubscribes_address(self, token: str) -> str:
        """Return the address of an unsubscribe token, or an empty text."""
        try:
            return str(self._serializer(_OF_ADDRESS).loads(token))
        except (BadSignature, ValueError):
            return ""

    def reply(self, seal: ReplyPosition, owner: str) -> str:
        """Return the token of the address by which the owner of a seat answers a position."""
        return _reply(self.keys[-1], seal, owner)

    def read_reply(self, text: str) -> ReplyPosition | None:
        """Read the position in a reply token; `proves` checks its signature, which needs the owner."""
        found = _REPLY.fullmatch(text.lower())
        return found and ReplyPosition(found[1], int(found[2]), int(found[3]), int(found[4]))

    def proves(self, text: str, seal: ReplyPosition, owner: str) -> bool:
        """Verify that a reply token was given to this owner of the seat."""
        return any(hmac.compare_digest(text.lower(), _reply(key, seal, owner)) for key in self.keys)

    def bounce(self, message: int) -> str:
        """Return the token of the address to which a message bounces."""
        return _bounce(self.keys[-1], message)

    def bounced(self, text: str) -> int | None:
        """Return the id of a bounced message, or None if the token is invalid."""
        found = _BOUNCE.fullmatch(text.lower())
        if found is None:
            return None
        message = int(found[1])
        for key in self.keys:
            if hmac.compare_digest(text.lower(), _bounce(key, message)):
                return message
        return None


def _reply(key: str, seal: ReplyPosition, owner: str) -> str:
    told = f"{seal.table_id}-{seal.seat}-{seal.number}-{seal.rewound}"
    return f"{told}-{_signed(key, f'reply {told} {owner}')}"


def _bounce(key: str, message: int) -> str:
    return f"b-{message}-{_signed(key, f'bounce {message}')}"


def _signed(key: str, text: str) -> str:
    # Mail servers may change the case of addresses, which rules out base64.
    signed = hmac.new(key.encode(), f"kursbuch {text}".encode(), hashlib.sha256).digest()
    return base64.b32encode(signed).decode().lower()[:_SIGNED]
