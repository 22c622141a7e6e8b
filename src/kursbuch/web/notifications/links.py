"""Signed links: unsubscribe, reply addresses."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer

#: So many characters of a signature go into an address of a mail: 100 bits.
_SIGNED = 20

#: What distinguishes the links that end the mails to somebody from those that end the mails to an address.
_OF_OWNER, _OF_ADDRESS = "kursbuch unsubscribe", "kursbuch unsubscribe address"
_REPLY = re.compile(r"([a-z0-9]{1,16})-([0-9]{1,2})-([0-9]{1,6})-([0-9]{1,9})-([a-z2-7]{20})")
_BOUNCE = re.compile(r"b-([0-9]{1,12})-([a-z2-7]{20})")


class ReplyPosition(msgspec.Struct, frozen=True):
    """A position a seat may answer to by mail: the table, the seat, the number of moves and the version with
    which moves were last taken back."""

    table_id: str
    seat: int
    number: int
    rewound: int


class Links:
    """Makes and reads them, with the secrets of the server. Of several `keys` all are read, and the last one
    signs."""

    def __init__(self, *keys: str) -> None:
        self.keys = list(keys)

    def _serializer(self, salt: str) -> URLSafeSerializer:
        return URLSafeSerializer(self.keys, salt=salt)

    def unsubscribe(self, owner: str, table_id: str) -> str:
        """What stands in a link that ends the mails to somebody: of a table, or all without one."""
        return str(self._serializer(_OF_OWNER).dumps([owner, table_id]))

    def unsubscribes(self, token: str) -> tuple[str, str] | None:
        """Whose mails a link ends, and of which table; None if it is none of ours."""
        try:
            owner, table_id = self._serializer(_OF_OWNER).loads(token)
        except (BadSignature, ValueError, TypeError):
            return None
        return str(owner), str(table_id)

    def unsubscribe_address(self, address: str) -> str:
        """What stands in a link that ends the mails to an address, whoever has it."""
        return str(self._serializer(_OF_ADDRESS).dumps(address))

    def unsubscribes_address(self, token: str) -> str:
        """The address to which a link ends mails; empty if it is none of ours."""
        try:
            return str(self._serializer(_OF_ADDRESS).loads(token))
        except (BadSignature, ValueError):
            return ""

    def reply(self, seal: ReplyPosition, owner: str) -> str:
        """What stands in the address by which the owner of a seat answers to a position."""
        return _reply(self.keys[-1], seal, owner)

    def read_reply(self, text: str) -> ReplyPosition | None:
        """What an address says; whether it is true can only be said with the owner of the seat."""
        found = _REPLY.fullmatch(text.lower())
        return found and ReplyPosition(found[1], int(found[2]), int(found[3]), int(found[4]))

    def proves(self, text: str, seal: ReplyPosition, owner: str) -> bool:
        """Whether an address was given to this owner of the seat."""
        return any(hmac.compare_digest(text.lower(), _reply(key, seal, owner)) for key in self.keys)

    def bounce(self, letter: int) -> str:
        """What stands in the address to which a letter comes back."""
        return _bounce(self.keys[-1], letter)

    def bounced(self, text: str) -> int | None:
        """The letter that has come back to an address; None if it is none of ours."""
        found = _BOUNCE.fullmatch(text.lower())
        if found is None:
            return None
        letter = int(found[1])
        for key in self.keys:
            if hmac.compare_digest(text.lower(), _bounce(key, letter)):
                return letter
        return None


def _reply(key: str, seal: ReplyPosition, owner: str) -> str:
    told = f"{seal.table_id}-{seal.seat}-{seal.number}-{seal.rewound}"
    return f"{told}-{_signed(key, f'reply {told} {owner}')}"


def _bounce(key: str, letter: int) -> str:
    return f"b-{letter}-{_signed(key, f'bounce {letter}')}"


def _signed(key: str, text: str) -> str:
    # Mail servers may write addresses in capitals, so that base64 cannot be used.
    signed = hmac.new(key.encode(), f"kursbuch {text}".encode(), hashlib.sha256).digest()
    return base64.b32encode(signed).decode().lower()[:_SIGNED]
