"""Names, holdings, cards and summaries of Nimm den Zug."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kursbuch.core.voice import Card, Chip, Panel, Row, Speech, Summary
from kursbuch.core.words import Words
from kursbuch.games.nimm.components import (
    AUCTION_NAMES,
    BIN,
    BONUS,
    CURRENCY,
    DOUBLE,
    DRIVE_NAMES,
    KIND_NAMES,
    LOADED,
    LONGER,
    MULTIPLIER,
    SPECIAL_NAMES,
    Cards,
)
from kursbuch.games.nimm.holdings import (
    fulfilled,
    kind,
    knows_money,
    limit,
    locos_at,
    money,
    multiplier,
    power,
    profit,
    rule_of,
    tiles_of,
    wagons,
)
from kursbuch.games.nimm.state import NimmState, Train, auction_item, card_item, hand, kept


class Names(Speech):
    """Names in the reader's language, and sentence parts made of them."""

    currency = CURRENCY

    def __init__(self, cards: Cards, words: Words) -> None:
        super().__init__(words, cards)
        self.cards = cards

    # ---- players in the log

    def bid(self, seat: int, amount: int) -> str:
        """A revealed bid."""
        return f"{self.name(seat)} {self.money(amount)}"

    def bid_or_hold(self, seat: int, amount: int) -> str:
        """A revealed raise; 0 lets the bid stand."""
        return self.bid(seat, amount) if amount else self._("{name} holds", name=self.name(seat))

    def place(self, seat: int, power: int) -> str:
        """A player in the order of phase two."""
        return self._("{name} (power {power})", name=self.name(seat), power=self.number(power))

    def final_sum(self, seat: int, money: int, used: int) -> str:
        """A player's final money and tiles used."""
        return self.ngettext(
            "{name} {amount} ({n} target tile)",
            "{name} {amount} ({n} target tiles)",
            used,
            name=self.name(seat),
            amount=self.money(money),
        )

    # ---- cards of the wagon deck

    def card(self, card: str) -> str:
        """A card of the wagon deck, such as "Coal $200"."""
        wagon = self.cards.wagons.get(card)
        if wagon is None:
            return self._(SPECIAL_NAMES[card]) if card in SPECIAL_NAMES else card
        return self._(
            "{kind} {value}", kind=self._(KIND_NAMES[wagon.kind]), value=self.money(wagon.value)
        )

    def wagon(self, card: str, kind: str, value: int) -> str:
        """A card being coupled; a double wagon with what it copies."""
        if card in self.cards.wagons:
            return self.card(card)
        return self._(
            "the double wagon as {kind} {value}",
            kind=self._(KIND_NAMES[kind]),
            value=self.money(value),
        )

    # ---- locomotives

    def facts(self, loco: str) -> str:
        """The values on a locomotive card."""
        card = self.cards.locomotive[loco]
        return self._(
            "{drive}, power {power}, {speed} km/h, ×{multiplier}",
            drive=self._(DRIVE_NAMES[card.drive]),
            power=card.power,
            speed=card.speed,
            multiplier=card.multiplier,
        )

    def loco(self, loco: str) -> str:
        """A locomotive with its multiplier."""
        return f"{loco} (×{self.cards.locomotive[loco].multiplier})"

    def power(self, loco: str) -> str:
        """A locomotive's power as a price."""
        return self.money(self.cards.locomotive[loco].power)

    def train(self, train: int, loco: str) -> str:
        """A player's train with number and locomotive."""
        if not loco:
            return self._("train {number} (spare locomotive)", number=train)
        return self._("train {number} ({loco})", number=train, loco=loco)

    # ---- target tiles

    def target(self, tile: str) -> str:
        """A target tile with its bonus."""
        return self._(
            "{condition}: {bonus}",
            condition=self.condition(tile),
            bonus=self.money(self.cards.targets[tile].bonus),
        )

    def condition(self, tile: str) -> str:
        """The condition of a target tile."""
        target = self.cards.targets[tile]
        args: dict[str, Any] = target.args
        count = args.get("count", 0)
        match target.condition:
            case "two_targets":
                return self.ngettext(
                    "{n} other target tile handed in", "{n} other target tiles handed in", count
                )
            case "special_taken":
                return self._(
                    "special card taken ({cards})",
                    cards=self.words.either([self.card(card) for card in args["cards"]]),
                )
            case "wagons_on_each":
                return self.ngettext(
                    "{n} wagon on each locomotive owned",
                    "{n} wagons on each locomotive owned",
                    count,
                )
            case "order_first":
                return self._("first in the order of phase two")
            case "order_last":
                return self._("last in the order of phase two")
            case "wagons_total":
                return self.ngettext(
                    "{n} wagon on all locomotives owned together",
                    "{n} wagons on all locomotives owned together",
                    count,
                )
            case "wagons_of_kind":
                return self.ngettext(
                    "{n} wagon {loaded} on one locomotive",
                    "{n} wagons {loaded} on one locomotive",
                    count,
                    loaded=self._(LOADED[args["kind"]]),
                )
            case "drives":
                return self._(
                    "locomotives: {list}",
                    list=", ".join(
                        f"{number} × {self._(DRIVE_NAMES[drive])}" for drive, number in args.items()
                    ),
                )
            case "fastest":
                return self._("the fastest of all locomotives")
        return self._("the slowest of all locomotives")


_SPECIAL_RULES = {
    BIN: "special-bin",
    LONGER: "special-longer",
    MULTIPLIER: "special-multiplier",
    BONUS: "special-bonus",
    DOUBLE: "special-double",
}


class Descriptions:
    """Descriptions of table elements."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.cards = names.cards
        self._, self.ngettext = names._, names.ngettext

    def of(self, state: NimmState, key: str) -> Card | None:
        """Description of the element with that key."""
        kind_, _, name = key.partition(":")
        match kind_:
            case "loco" if name in self.cards.locomotive:
                return self._loco(name)
            case "card" if name in self.cards.card_index:
                return self._wagon_card(state, name)
            case "target" if name in self.cards.targets:
                return self._target(state, name)
            case "seat" | "train":
                return self._of_seat(state, name)
        return None

    def _of_seat(self, state: NimmState, name: str) -> Card | None:
        numbers = [int(part) for part in name.split(":") if part.isdecimal() and len(part) < 3]
        if len(numbers) != name.count(":") + 1 or numbers[0] >= state.seats:
            return None
        if len(numbers) == 1:
            return self._seat(state, numbers[0])
        seat, number = numbers[0], numbers[1]
        return self._train(state, seat, number) if 1 <= number <= len(state.trains[seat]) else None

    def _facts(self, loco: str) -> tuple[Row, ...]:
        card = self.cards.locomotive[loco]
        return (
            Row(self._("Drive"), self._(DRIVE_NAMES[card.drive])),
            Row(self._("Multiplier"), f"×{card.multiplier}"),
            Row(self._("Power"), self.names.number(card.power)),
            Row(self._("Speed"), self._("{speed} km/h", speed=card.speed)),
        )

    def _loco(self, loco: str) -> Card:
        notes = (
            self._(
                "The multiplier applies to the profit of its wagons, the power to the order of "
                "phase two."
            ),
        )
        title = self._("Locomotive {loco}", loco=loco)
        return Card(title, self._facts(loco), notes, ("loco-1", "bid-5", "order-1"))

    def _wagon_card(self, state: NimmState, card: str) -> Card:
        record = self.cards.wagons.get(card)
        open_ = Row(self._("Face up now"), str(state.ledger.held(card_item(card), "display")))
        count = Row(self._("In the game"), str(self.cards.counts[card]))
        if record is not None:
            rows = (
                Row(self._("Kind"), self._(KIND_NAMES[record.kind])),
                Row(self._("Value"), self.names.money(record.value)),
                open_,
                count,
            )
            notes = (
                self._(
                    "A train pulls only one kind of wagon, and each kind is pulled by only "
                    "one train."
                ),
            )
            return Card(self.names.card(card), rows, notes, ("wagon-1", "kind-1", "pay-1"))
        special = self.cards.special[card]
        effects = {
            BIN: self._("All open cards are discarded and new ones are turned up."),
            LONGER: self._("From now on a train may grow longer before the round ends."),
            MULTIPLIER: self._(
                "It raises the multiplier of one locomotive by {n}.", n=special.bonus
            ),
            BONUS: self._("It brings {amount} at once.", amount=self.names.money(special.money)),
            DOUBLE: self._("It counts as a second copy of the wagon before it."),
        }
        return Card(
            self._(SPECIAL_NAMES[card]),
            (open_, count),
            (effects[card],) if card in effects else (),
            (_SPECIAL_RULES[card],) if card in _SPECIAL_RULES else (),
        )

    def _target(self, state: NimmState, tile: str) -> Card:
        rows = [
            Row(self._("Condition"), self.names.condition(tile)),
            Row(self._("Bonus"), self.names.money(self.cards.targets[tile].bonus)),
        ]
        for seat in range(state.seats):
            if tile in tiles_of(state, self.cards, seat) and state.order:
                holds = fulfilled(state, self.cards, seat, tile)
                rows.append(Row(self._("Fulfilled now"), self._("yes") if holds else self._("no")))
        return Card(self._("Target tile"), tuple(rows), (), (rule_of(tile), "target-use-1"))

    def _train(self, state: NimmState, seat: int, number: int) -> Card:
        train = state.trains[seat][number - 1]
        loads = wagons(self.cards, train)
        title = self._("{name}: train {number}", name=self.names.name(seat), number=number)
        rows = [Row(self._("Locomotive"), train.loco or self._("Spare locomotive"))]
        if train.loco:
            rows += self._facts(train.loco)
        if train.plus and train.loco:
            rows.append(Row(self._("With the card"), f"×{multiplier(self.cards, train)}"))
        values = " + ".join(self.names.number(wagon.value) for wagon in loads)
        load = self._(KIND_NAMES[kind(self.cards, train)]) if loads else "–"
        rows += [
            Row(self._("Wagons"), load, "", values),
            Row(
                self._("Length"),
                self._("{n} of {most}", n=len(train.wagons), most=limit(state, self.cards)),
            ),
            Row(self._("Profit"), self.names.money(profit(self.cards, train))),
        ]
        return Card(title, tuple(rows), (), ("pay-1" if train.loco else "pay-2", "stop-1"))

    def _seat(self, state: NimmState, seat: int) -> Card:
        trains = state.trains[seat]
        known = knows_money(state, seat)
        rows = [
            Row(self._("Money"), self.names.money(money(state, seat)) if known else "–"),
            Row(self._("Locomotives"), str(len(trains))),
            Row(self._("Total power"), self.names.number(power(self.cards, trains))),
            Row(
                self._("Profit"),
                self.names.money(sum(profit(self.cards, train) for train in trains)),
            ),
            Row(self._("Target tiles"), str(state.tiles[seat])),
        ]
        if state.order:
            place = state.order.index(seat)
            price = self.names.money(self.cards.replace_price(state.seats, place))
            note = self._("replacing cards costs {price}", price=price)
            rows.append(Row(self._("Order tile"), str(place + 1), "", note))
        return Card(self.names.name(seat), tuple(rows), (), ("order-1", "pay-1"))


class Panels:
    """Holdings of players and the table."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.cards = names.cards
        self.money, self.number, self.name = names.money, names.number, names.name
        self._, self.ngettext = names._, names.ngettext

    def player(self, state: NimmState, seat: int) -> Panel:
        """A player's holdings, as far as known."""
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
            held = train.loco, tuple(train.wagons), train.plus
            rows.append(_train_row(self.names, f"train:{seat}:{number}", *held))
        if state.trains[seat]:
            total = power(self.cards, state.trains[seat])
            rows.append(Row(self._("Total power"), self.number(total)))
        rows += self._hand_rows(state, seat)
        rows += self._target_rows(state, seat)
        return Panel(self.name(seat), seat, tuple(rows))

    def _hand_rows(self, state: NimmState, seat: int) -> list[Row]:
        """Hand in the pass-on auction, as far as known."""
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


@lru_cache(maxsize=4096)
def _train_row(names: Names, key: str, loco: str, cards: tuple[str, ...], plus: int) -> Row:
    """Row of a train; most moves change one."""
    train = Train(loco, list(cards), plus)
    loads, note = wagons(names.cards, train), names._("empty")
    if loads:
        load = names._(KIND_NAMES[kind(names.cards, train)])
        values = " + ".join(names.number(wagon.value) for wagon in loads)
        note = names._("{kind}: {values}", kind=load, values=values)
    facts = names.facts(loco) if loco else names._("no multiplier")
    if plus and loco:
        factor = names._("with the card ×{factor}", factor=multiplier(names.cards, train))
        facts = f"{facts}; {factor}"
    worth = names.money(profit(names.cards, train))
    return Row(loco or names._("Spare locomotive"), worth, key, f"{facts}; {note}")


@lru_cache(maxsize=4096)
def _train_chip(names: Names, key: str, loco: str, cards: tuple[str, ...], plus: int) -> Chip:
    """A train at a glance."""
    train = Train(loco, list(cards), plus)
    name, worth = loco or names._("Spare locomotive"), names.money(profit(names.cards, train))
    count = names.ngettext("{n} wagon", "{n} wagons", len(wagons(names.cards, train)))
    return Chip(f"{name} ×{multiplier(names.cards, train)} · {worth}", key, note=count)


def player_summary(state: NimmState, seat: int, names: Names) -> Summary:
    """A player's card: trains with their profit, and target tiles, as far as known."""
    cards = names.cards
    figures = [Row(names._("Target tiles"), str(state.tiles[seat]))]
    if state.trains[seat]:
        figures.append(Row(names._("Total power"), names.number(power(cards, state.trains[seat]))))
    if state.order:
        figures.append(Row(names._("Order tile"), str(state.order.index(seat) + 1)))
    chips = []
    for number, train in enumerate(state.trains[seat], 1):
        held = train.loco, tuple(train.wagons), train.plus
        chips.append(_train_chip(names, f"train:{seat}:{number}", *held))
    chips += [
        Chip(
            f"★ {names.money(cards.targets[tile].bonus)}",
            f"target:{tile}",
            note=names.condition(tile),
        )
        for tile in tiles_of(state, cards, seat)
    ]
    note = names._("start player") if state.start == seat and state.agenda else ""
    return Summary(names.name(seat), seat, figures=tuple(figures), chips=tuple(chips), note=note)
