"""What happened, line by line: the log, and who was paid for what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursbuch.core.events import Event, Payment
from kursbuch.web import contexts
from kursbuch.web.present.labels import rule_link
from kursbuch.web.present.viewer import HIDDEN, Viewer


def log(shown: Viewer, events: Iterable[tuple[int, Event]]) -> list[contexts.LogLine]:
    """What happened, in words."""
    assert shown.game is not None
    lines = []
    previous = 0
    for number, event in events:
        reference, url = rule_link(shown.title.id, event.rule)
        # What follows from a move may be about others than the one who made it.
        own = number != previous
        seat = shown.game.moves[number - 1].action.seat if own else None
        previous = number
        text = shown.voice.describe(event)
        automatic = 0 < number <= len(shown.snapshot.moves) and shown.snapshot.moves[number - 1][1]
        opens = shown.title.opens(event)
        lines.append(contexts.LogLine(number, text, reference, url, seat, automatic, opens))
    return lines


def payments(shown: Viewer, events: Sequence[tuple[int, Event]]) -> list[contexts.SeatPayments]:
    """What every seat received and paid, except where the sum may not be known: the page does not
    do the adding up that the screens of the players prevent."""
    paid: list[list[contexts.PaymentLine]] = [[] for _ in shown.seats]
    totals = [shown.score(seat.number) for seat in shown.seats]
    for number, event in events:
        if not isinstance(event, Payment) or not any(event.amounts):
            continue
        reference, url = rule_link(shown.title.id, event.rule)
        text = shown.voice.describe(event)
        for seat, value in enumerate(event.amounts):
            if value and totals[seat] != HIDDEN:
                written = shown.voice.written_score(value)
                paid[seat].append(
                    contexts.PaymentLine(number, text, written, value, reference, url)
                )
    return [
        contexts.SeatPayments(seat.number, seat.name, total, lines)
        for seat, total, lines in zip(shown.seats, totals, paid, strict=True)
    ]
