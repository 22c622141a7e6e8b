"""Events: what happened in a game, as data, and the sentence for the log."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from kursbuch.core.sentences import Told


class Event(msgspec.Struct, frozen=True, tag_field="event", kw_only=True, gc=False):
    """Something that happened under a rule; `rule` is an id of the title's index. Events are hashable, so lists are
    tuples, and free of reference cycles, so the garbage collector need not track them.

    `secret_to` restricts an event to the seats that may see it; None means all.
    """

    #: The log line, which a title can replace (`Voice.sentences`).
    SENTENCE: ClassVar[Told | None] = None

    rule: str
    secret_to: tuple[int, ...] | None = None


class Payment(Event, frozen=True, kw_only=True):
    """Money or points received or paid by players: `amounts` has one number per seat, negative if paid.

    Every change of a score is a payment, so every score can be explained.
    """

    #: Whether it exchanges something that counts like money, so that it does not explain a score.
    EXCHANGE: ClassVar[bool] = False

    amounts: tuple[int, ...]


class SeatPayment(Payment, frozen=True, kw_only=True):
    """A payment with one main seat."""

    seat: int

    @property
    def received(self) -> int:
        """Amount received by the seat."""
        return self.amounts[self.seat]

    @property
    def paid(self) -> int:
        """Amount paid by the seat."""
        return -self.amounts[self.seat]


def visible_to(event: Event, seat: int | None) -> bool:
    """Whether a seat (None: a spectator) may see the event."""
    return event.secret_to is None or (seat is not None and seat in event.secret_to)
