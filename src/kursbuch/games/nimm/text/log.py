"""Statistics of Nimm den Zug."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kursbuch.core.corrections import Corrected
from kursbuch.core.events import Event, Payment
from kursbuch.core.voice import Ending, Entry, Line, Row, Sheet, Stretch
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.state import NimmState
from kursbuch.games.nimm.text.names import Names


class Statistics:
    """Says it in numbers, for one reader."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.cards = names.cards
        self.money, self.number, self.name = names.money, names.number, names.name
        self._, self.ngettext = names._, names.ngettext

    def source(self, event: Payment) -> str:
        """What money was paid for."""
        match event:
            case Corrected():
                return self._("Corrections")
            case happened.MoneyDealt():
                return self._("Start money")
            case happened.ProfitPaid():
                return self._("Profit of trains")
            case happened.SparePaid():
                return self._("Spare locomotives")
            case happened.BonusTaken():
                return self._("Bonus cards")
            case happened.TargetUsed():
                return self._("Target tiles")
            case happened.CardsReplaced():
                return self._("Cards replaced")
        return self._("Locomotives bought")

    def stretch(self, events: Sequence[Event]) -> str:
        """A round by its number."""
        for event in events[:1]:
            if isinstance(event, happened.RoundBegan):
                return self._("round {number}", number=event.round)
        return self._("set-up")

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        """What every locomotive cost."""
        lines = [
            Line(f"{sale[0]}, {stretch.label}", (Entry(text=self.name(sale[1])), Entry(sale[2])))
            for stretch in stretches
            for event in stretch.events
            if (sale := _sale(event))
        ]
        head = (self._("Buyer"), self._("Price paid"))
        return [Sheet("lots", self._("Prices of the locomotives"), head, tuple(lines))]

    def highlights(self, events: Sequence[Event]) -> list[Row]:
        """The dearest and the cheapest locomotive, the longest train, the best train of a round, target
        tiles."""
        sales = [sale for event in events if (sale := _sale(event))]
        longest, best = (0, ""), (0, "")
        used = Counter[str]()
        for event in events:
            match event:
                case happened.WagonCoupled(seat=seat, loco=loco, length=length):
                    longest = max(longest, (length, self._owned(seat, loco)), key=_first)
                case happened.ProfitPaid(seat=seat, parts=parts):
                    best = max(best, (max(parts), self.name(seat)), key=_first)
                case happened.TargetUsed(seat=seat):
                    used[self.name(seat)] += 1
        rows = []
        if sales:
            dear, cheap = max(sales, key=_price), min(sales, key=_price)
            for label, sale in (
                (self._("Dearest locomotive"), dear),
                (self._("Cheapest locomotive"), cheap),
            ):
                rows.append(Row(label, self.money(sale[2]), "", self._owned(sale[1], sale[0])))
        if longest[0]:
            wagons = self.ngettext("{n} wagon", "{n} wagons", longest[0])
            rows.append(Row(self._("Longest train"), wagons, "", longest[1]))
        if best[0]:
            rows.append(Row(self._("Best train of a round"), self.money(best[0]), "", best[1]))
        if used:
            name, count = used.most_common(1)[0]
            rows.append(Row(self._("Most target tiles"), self.number(count), "", name))
        return rows

    def _owned(self, seat: int, loco: str) -> str:
        return f"{self.name(seat)}, {loco}" if loco else self.name(seat)

    def ending(self, events: Sequence[Event]) -> Ending | None:
        """All rounds have been played."""
        for event in reversed(events):
            if isinstance(event, happened.GameEnded):
                text = self.ngettext(
                    "The game is over after {n} round.",
                    "The game is over after {n} rounds.",
                    self.cards.setup.rounds,
                )
                return Ending(text, event.rule)
        return None

    def near_end(self, state: NimmState) -> str:
        """In the last round, that it is the last."""
        if not state.agenda or state.round < self.cards.setup.rounds:
            return ""
        return self._("This is the last round.")


def _sale(event: Event) -> tuple[str, int, int] | None:
    """A locomotive that was bought, its buyer and what he paid for it."""
    match event:
        case happened.LocoSold(loco=loco, seat=seat, price=price):
            return loco, seat, price
        case happened.ChoiceBought(loco=loco, seat=seat, bid=bid, power=power):
            return loco, seat, bid + power
    return None


def _price(sale: tuple[str, int, int]) -> int:
    return sale[2]


def _first(pair: tuple[int, str]) -> int:
    return pair[0]
