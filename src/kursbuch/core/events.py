"""What happened, as data, with the sentence that tells it."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from kursbuch.core.sentences import Told


class Event(msgspec.Struct, frozen=True, tag_field="event", kw_only=True, gc=False):
    """Something that happened under a rule; `rule` is an id of the title's index. Its fields do not change: it is
    hashable, so lists are tuples. It refers to nothing that refers to it, so the collector need not look at it.

    `secret_to` restricts an event to the seats that may know it; None means everybody.
    """

    #: The log line; a title can have another one (`Voice.sentences`).
    SENTENCE: ClassVar[Told | None] = None

    rule: str
    secret_to: tuple[int, ...] | None = None


class Payment(Event, frozen=True, kw_only=True):
    """Money (or points) that players received or paid: `amounts` has one number per seat, negative
    for what a player paid.

    Every change of a score is one of these, so that a score can always be explained.
    """

    #: Whether it is exchanged for something that counts like money: such a payment is no reason for a result.
    EXCHANGE: ClassVar[bool] = False

    amounts: tuple[int, ...]


class SeatPayment(Payment, frozen=True, kw_only=True):
    """A payment that is about one seat."""

    seat: int

    @property
    def received(self) -> int:
        """What the seat received."""
        return self.amounts[self.seat]

    @property
    def paid(self) -> int:
        """What the seat paid."""
        return -self.amounts[self.seat]


def visible_to(event: Event, seat: int | None) -> bool:
    """Whether a seat (None: a spectator) may know of the event."""
    return event.secret_to is None or (seat is not None and seat in event.secret_to)
