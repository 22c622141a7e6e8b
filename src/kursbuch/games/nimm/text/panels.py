"""What every player holds in Nimm den Zug, and what lies on the table."""

from __future__ import annotations

from kursbuch.core.voice import Panel, Row
from kursbuch.games.nimm.components import AUCTION_NAMES, KIND_NAMES, LONGER, SPECIAL_NAMES
from kursbuch.games.nimm.holdings import knows_money, locos_at, money
from kursbuch.games.nimm.state import NimmState, auction_item, card_item, hand, kept
from kursbuch.games.nimm.targets import tiles_of
from kursbuch.games.nimm.text.names import Names
from kursbuch.games.nimm.trains import kind, limit, multiplier, power, profit, wagons


class Panels:
    """The holdings for one reader."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.cards = names.cards
        self.money, self.number, self.name = names.money, names.number, names.name
        self._, self.ngettext = names._, names.ngettext

    def player(self, state: NimmState, seat: int) -> Panel:
        """What a player holds, as far as it may be known."""
        sum_ = self.money(money(state, seat)) if knows_money(state, seat) else "–"
        rows = [Row(self._("Money"), sum_)]
        if state.order:
            place = state.order.index(seat)
            price = self.money(self.cards.replace_price(state.seats, place))
            rows.append(
                Row(
                    self._("Order tile"),
                    str(place + 1),
                    "",
                    self._("replacing cards costs {price}", price=price),
                )
            )
        for number, train in enumerate(state.trains[seat], 1):
            loads = wagons(self.cards, train)
            note = self._("empty")
            if loads:
                load = self._(KIND_NAMES[kind(self.cards, train)])
                values = " + ".join(self.number(wagon.value) for wagon in loads)
                note = self._("{kind}: {values}", kind=load, values=values)
            facts = self.names.facts(train.loco) if train.loco else self._("no multiplier")
            if train.plus and train.loco:
                factor = multiplier(self.cards, train)
                facts = f"{facts}; {self._('with the card ×{factor}', factor=factor)}"
            rows.append(
                Row(
                    train.loco or self._("Spare locomotive"),
                    self.money(profit(self.cards, train)),
                    f"train:{seat}:{number}",
                    f"{facts}; {note}",
                )
            )
        if state.trains[seat]:
            total = power(self.cards, state.trains[seat])
            rows.append(Row(self._("Power in all"), self.number(total)))
        rows += self._hand_rows(state, seat)
        rows += self._target_rows(state, seat)
        return Panel(self.name(seat), seat, tuple(rows))

    def _hand_rows(self, state: NimmState, seat: int) -> list[Row]:
        """The cards of the auction pass on, as far as the viewer knows them."""
        rows = []
        for label, holder in ((self._("In hand"), hand(seat)), (self._("Kept"), kept(seat))):
            for loco in locos_at(state, self.cards, holder):
                rows.append(Row(label, loco, f"loco:{loco}", self.names.facts(loco)))
        return rows

    def _target_rows(self, state: NimmState, seat: int) -> list[Row]:
        count = state.tiles[seat]
        handed_in = self.ngettext("{n} handed in", "{n} handed in", state.used[seat])
        rows = [Row(self._("Target tiles"), str(count), "", handed_in)]
        rows += [
            Row(
                self._("Target tile"),
                self.money(self.cards.targets[tile].bonus),
                f"target:{tile}",
                self.names.condition(tile),
            )
            for tile in tiles_of(state, self.cards, seat)
        ]
        return rows

    def table(self, state: NimmState) -> Panel:
        """The round, the auction and the decks."""
        items = state.ledger.items
        deck = sum(items[card_item(card)].get("deck", 0) for card in self.cards.counts)
        discard = sum(
            row.get("discard", 0) + row.get("spent", 0)
            for card in self.cards.counts
            if (row := items[card_item(card)])
        )
        left = [name for name in self.cards.auctions if "pool" in items[auction_item(name)]]
        longer = self._("until the end of the round") if state.longer else ""
        rows = [
            Row(
                self._("Round"),
                self._("{number} of {last}", number=state.round, last=self.cards.setup.rounds),
            ),
            Row(
                self._("Auction"),
                self._(AUCTION_NAMES[state.auction]) if state.auction else "–",
                "",
                self._(
                    "not yet drawn: {list}",
                    list=", ".join(self._(AUCTION_NAMES[name]) for name in left),
                ),
            ),
            Row(self._("Start player"), self.name(state.start)),
            Row(self._("Locomotives not yet seen"), str(state.unseen)),
            Row(
                self._("Locomotives set aside"),
                str(
                    len(locos_at(state, self.cards, "aside"))
                    + len(locos_at(state, self.cards, "deck"))
                ),
                "",
                ", ".join(
                    [*locos_at(state, self.cards, "aside"), *locos_at(state, self.cards, "deck")]
                ),
            ),
            Row(self._("Wagon deck"), str(deck)),
            Row(self._("Discard pile"), str(discard)),
            Row(
                self._("The round ends with wagon number"),
                str(limit(state, self.cards)),
                "",
                f"{self._(SPECIAL_NAMES[LONGER])} {longer}" if longer else "",
            ),
        ]
        return Panel(self._("Table"), None, tuple(rows))
