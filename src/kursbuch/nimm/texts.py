"""The sentences of Nimm den Zug: log lines, prompts, choices, holdings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.title import Decision, Panel, Pick, Row
from kursbuch.core.words import Words
from kursbuch.nimm import events as happened
from kursbuch.nimm.actions import (
    Bid,
    Buy,
    Favour,
    Hold,
    Keep,
    Offer,
    Pass,
    Ready,
    Replace,
    Take,
    TurnDown,
    UseTarget,
)
from kursbuch.nimm.auctions import draft_price, locos_at, money
from kursbuch.nimm.components import (
    AUCTION_NAMES,
    BONUS,
    DRIVE_NAMES,
    KIND_NAMES,
    LOADED,
    LONGER,
    SPECIAL_NAMES,
    Cards,
)
from kursbuch.nimm.state import (
    HANDS,
    KEPT,
    SEATS,
    Buying,
    ChooseCard,
    Closing,
    Draft,
    FirstBid,
    NimmState,
    OpenAuction,
    Ranking,
    SealedBids,
    SpecialTaken,
    Tie,
    TooDear,
    Turn,
    TurnAuction,
    auction_item,
    card_item,
)
from kursbuch.nimm.targets import tiles_of, usable
from kursbuch.nimm.trains import kind, limit, multiplier, power, profit, wagons

# ---- names


def dollars(words: Words, amount: int) -> str:
    """An amount of money."""
    return words.money(amount, "$")


def card_name(words: Words, cards: Cards, card: str) -> str:
    """A card of the wagon deck, such as "Coal $200"."""
    wagon = cards.wagons.get(card)
    if wagon is None:
        return words._(SPECIAL_NAMES[card]) if card in SPECIAL_NAMES else card
    return words._(
        "{kind} {value}", kind=words._(KIND_NAMES[wagon.kind]), value=dollars(words, wagon.value)
    )


def card_names(words: Words, cards: Cards, names: Sequence[str]) -> str:
    """A list of cards in words."""
    return words.join([card_name(words, cards, name) for name in names])


def loco_facts(words: Words, cards: Cards, loco: str) -> str:
    """What stands on a locomotive card."""
    card = cards.locomotive[loco]
    return words._(
        "{drive}, power {power}, {speed} km/h, ×{multiplier}",
        drive=words._(DRIVE_NAMES[card.drive]),
        power=card.power,
        speed=card.speed,
        multiplier=card.multiplier,
    )


def loco_name(words: Words, cards: Cards, loco: str) -> str:
    """A locomotive with its multiplier, or a spare one."""
    if not loco:
        return words._("the spare locomotive")
    return f"{loco} (×{cards.locomotive[loco].multiplier})"


def train_name(words: Words, cards: Cards, train: int, loco: str) -> str:
    """A player's train with its number and locomotive."""
    if not loco:
        return words._("train {number} (spare locomotive)", number=train)
    return words._("train {number} ({loco})", number=train, loco=loco)


def target_text(words: Words, cards: Cards, tile: str) -> str:
    """The condition of a target tile."""
    target = cards.targets[tile]
    args: dict[str, Any] = target.args
    count = args.get("count", 0)
    match target.condition:
        case "two_targets":
            return words.ngettext(
                "{n} other target tile handed in", "{n} other target tiles handed in", count
            )
        case "special_taken":
            return words._(
                "special card taken ({cards})",
                cards=words.either([card_name(words, cards, card) for card in args["cards"]]),
            )
        case "wagons_on_each":
            return words.ngettext(
                "{n} wagon on each of one's locomotives",
                "{n} wagons on each of one's locomotives",
                count,
            )
        case "order_first":
            return words._("first in the order of phase two")
        case "order_last":
            return words._("last in the order of phase two")
        case "wagons_total":
            return words.ngettext(
                "{n} wagon on all of one's locomotives together",
                "{n} wagons on all of one's locomotives together",
                count,
            )
        case "wagons_of_kind":
            return words.ngettext(
                "{n} wagon {loaded} on one locomotive",
                "{n} wagons {loaded} on one locomotive",
                count,
                loaded=words._(LOADED[args["kind"]]),
            )
        case "drives":
            return words._(
                "locomotives: {list}",
                list=", ".join(
                    f"{number} × {words._(DRIVE_NAMES[drive])}" for drive, number in args.items()
                ),
            )
        case "fastest":
            return words._("the fastest of all locomotives")
    return words._("the slowest of all locomotives")


def target_name(words: Words, cards: Cards, tile: str) -> str:
    """A target tile with its bonus."""
    return words._(
        "{condition}: {bonus}",
        condition=target_text(words, cards, tile),
        bonus=dollars(words, cards.targets[tile].bonus),
    )


# ---- log


def describe(event: Event, cards: Cards, words: Words) -> str:
    """The log line of an event."""
    for part in (_of_game, _of_auctions, _of_first_choice, _of_draft, _of_phase_two):
        line = part(event, cards, words)
        if line:
            return line
    raise TypeError(f"not an event of this game: {event!r}")


def _of_game(event: Event, cards: Cards, words: Words) -> str:
    match event:
        case happened.StartPlayerDrawn(seat=seat):
            return words._("{name} is drawn as start player.", name=words.name(seat))
        case happened.MoneyDealt(amounts=amounts):
            return words._("Everybody receives {amount}.", amount=dollars(words, amounts[0]))
        case happened.TargetsDealt(seat=seat, tiles=tiles):
            return words._(
                "{name} receives the target tiles: {list}.",
                name=words.name(seat),
                list="; ".join(target_name(words, cards, tile) for tile in tiles),
            )
        case happened.RoundBegan(round=number, seat=seat, auction=auction):
            return words._(
                "Round {number}: {name} draws the auction tile “{auction}”.",
                number=number,
                name=words.name(seat),
                auction=words._(AUCTION_NAMES[auction]),
            )
        case happened.TargetUsed(seat=seat, tile=tile, amounts=amounts):
            return words._(
                "{name} hands in a target tile ({condition}) and receives {amount}.",
                name=words.name(seat),
                condition=target_text(words, cards, tile),
                amount=dollars(words, amounts[seat]),
            )
        case happened.SaidReady(seat=seat):
            return words._("{name} hands in no target tile now.", name=words.name(seat))
        case happened.ProfitPaid(seat=seat, parts=parts, amounts=amounts):
            return words._(
                "{name} receives {amount} for the trains ({parts}).",
                name=words.name(seat),
                amount=dollars(words, amounts[seat]),
                parts=" + ".join(words.number(part) for part in parts),
            )
        case happened.SparePaid(seat=seat, parts=parts, amounts=amounts):
            return words.ngettext(
                "{name} receives {amount} for the best wagon of a spare locomotive.",
                "{name} receives {amount} for the best wagons of {n} spare locomotives.",
                len(parts),
                name=words.name(seat),
                amount=dollars(words, amounts[seat]),
            )
        case happened.GameEnded(money=money, used=used):
            sums = [
                words.ngettext(
                    "{name} {amount} ({n} target tile)",
                    "{name} {amount} ({n} target tiles)",
                    used[seat],
                    name=words.name(seat),
                    amount=dollars(words, amount),
                )
                for seat, amount in sorted(enumerate(money), key=lambda pair: -pair[1])
            ]
            return words._("The game is over: {list}.", list=", ".join(sums))
    return ""


def _of_auctions(event: Event, cards: Cards, words: Words) -> str:
    match event:
        case happened.LocosShuffled(count=count):
            return words.ngettext(
                "The locomotive set aside becomes the new deck.",
                "The {n} locomotives set aside become the new deck.",
                count,
            )
        case happened.LocosTurnedUp(seat=seat, locos=locos):
            return words._(
                "{name} turns up {list}.",
                name=words.name(seat),
                list=words.join([loco_name(words, cards, loco) for loco in locos]),
            )
        case happened.StarterReplaced(seat=seat, other=other):
            return words._(
                "{name} cannot pay for any of these; {other} starts the auction instead.",
                name=words.name(seat),
                other=words.name(other),
            )
        case happened.NobodyCanPay(locos=locos):
            return words._(
                "Nobody can pay; set aside: {list}.",
                list=words.join([loco_name(words, cards, loco) for loco in locos]),
            )
        case happened.LocoOffered(seat=seat, loco=loco):
            return words._(
                "{name} puts {loco} up for auction.",
                name=words.name(seat),
                loco=loco_name(words, cards, loco),
            )
        case happened.BidMade(seat=seat, loco=loco, amount=amount):
            return words._(
                "{name} bids {amount} for {loco}.",
                name=words.name(seat),
                amount=dollars(words, amount),
                loco=loco,
            )
        case happened.BidPassed(seat=seat):
            return words._("{name} passes.", name=words.name(seat))
        case happened.BidHeld(seat=seat):
            return words._("{name} lets the bid stand.", name=words.name(seat))
        case happened.BidSealed(seat=seat):
            return words._("{name} has made a secret bid.", name=words.name(seat))
        case happened.BidsShown(purpose=purpose, bids=bids):
            return _bids_shown(purpose, bids, words)
        case happened.TieBroken(seat=seat, player=player):
            return words._(
                "{name} decides between equal bids for {player}.",
                name=words.name(seat),
                player=words.name(player),
            )
        case happened.LocoSold(seat=seat, loco=loco, price=price, alone=alone):
            params = {
                "name": words.name(seat),
                "loco": loco_name(words, cards, loco),
                "amount": dollars(words, price),
            }
            if alone:
                return words._("{name} buys {loco} without competition for {amount}.", **params)
            return words._("{name} buys {loco} for {amount}.", **params)
        case happened.SparesReceived(seat=seat, count=count):
            return words.ngettext(
                "{name} receives {n} spare locomotive.",
                "{name} receives {n} spare locomotives.",
                count,
                name=words.name(seat),
            )
    return ""


def _bids_shown(purpose: str, bids: tuple[tuple[int, int], ...], words: Words) -> str:
    amounts = words.join(
        [
            words._("{name} holds", name=words.name(seat))
            if purpose == "raise" and not bid
            else f"{words.name(seat)} {dollars(words, bid)}"
            for seat, bid in sorted(bids, key=lambda pair: -pair[1])
        ]
    )
    if purpose == "second":
        return words._("The second bids are shown: {list}.", list=amounts)
    return words._("The bids are shown: {list}.", list=amounts)


def _of_first_choice(event: Event, cards: Cards, words: Words) -> str:
    match event:
        case happened.LocosShown(locos=locos, order=order):
            return words._(
                "{list} are turned up; the order is: {order}.",
                list=words.join([loco_name(words, cards, loco) for loco in locos]),
                order=", ".join(words.name(seat) for seat in order),
            )
        case happened.ChoiceBought(seat=seat, loco=loco, bid=bid, power=power_):
            return words._(
                "{name} buys {loco} for {power} and the bid of {bid}.",
                name=words.name(seat),
                loco=loco_name(words, cards, loco),
                power=dollars(words, power_),
                bid=dollars(words, bid),
            )
        case happened.ChoiceMissed(seat=seat, bid=bid):
            return words._(
                "{name} pays the bid of {bid} but can pay for no locomotive.",
                name=words.name(seat),
                bid=dollars(words, bid),
            )
    return ""


def _of_draft(event: Event, cards: Cards, words: Words) -> str:
    match event:
        case happened.LocosDealt(seat=seat, locos=locos):
            return words._(
                "{name} receives {list}.",
                name=words.name(seat),
                list=words.join([loco_name(words, cards, loco) for loco in locos]),
            )
        case happened.LocoKept(seat=seat):
            return words._("{name} has chosen a locomotive.", name=words.name(seat))
        case happened.DraftShown(seat=seat, locos=locos):
            return words._(
                "{name} turns up {list}.",
                name=words.name(seat),
                list=words.join([loco_name(words, cards, loco) for loco in locos]),
            )
        case happened.TurnedDown(seat=seat, loco=loco):
            return words._(
                "{name} cannot pay and makes {loco} a spare locomotive.",
                name=words.name(seat),
                loco=loco_name(words, cards, loco),
            )
        case happened.DraftPaid(seat=seat, power=power_, multiplier=factor, amounts=amounts):
            return words._(
                "{name} pays {amount} ({power} × {factor}).",
                name=words.name(seat),
                amount=dollars(words, -amounts[seat]),
                power=words.number(power_),
                factor=factor,
            )
    return ""


def _of_phase_two(event: Event, cards: Cards, words: Words) -> str:
    match event:
        case happened.OrderSet(order=order, powers=powers):
            places = [
                words._("{name} (power {power})", name=words.name(seat), power=words.number(sum_))
                for seat, sum_ in zip(order, powers, strict=True)
            ]
            return words._("The order of phase two: {list}.", list=", ".join(places))
        case happened.CardsTurnedUp(cards=names):
            return words._("Turned up: {list}.", list=card_names(words, cards, names))
        case happened.BinTurnedUp(cards=names):
            if not names:
                return words._("The bin is turned up; no card lies open.")
            return words._(
                "The bin is turned up and clears away {list}.", list=card_names(words, cards, names)
            )
        case happened.LongerTurnedUp(limit=most):
            return words._(
                "The longer train is turned up: the round ends only with wagon number {number}.",
                number=most,
            )
        case happened.CardsShuffled(count=count):
            return words.ngettext(
                "The discard pile of {n} card becomes the new wagon deck.",
                "The discard pile of {n} cards becomes the new wagon deck.",
                count,
            )
        case happened.WagonCoupled():
            return words._(
                "{name} couples {card} to {train}, wagon number {number}.",
                name=words.name(event.seat),
                card=_coupled_name(event, cards, words),
                train=train_name(words, cards, event.train, event.loco),
                number=event.length,
            )
        case happened.MultiplierLaid(seat=seat, train=train, loco=loco):
            return words._(
                "{name} lays the multiplier card beside {train}.",
                name=words.name(seat),
                train=train_name(words, cards, train, loco),
            )
        case happened.BonusTaken(seat=seat, amounts=amounts):
            return words._(
                "{name} takes the bonus of {amount}.",
                name=words.name(seat),
                amount=dollars(words, amounts[seat]),
            )
        case happened.CardsReplaced(seat=seat, cards=names, amounts=amounts):
            return words._(
                "{name} pays {amount} and has replaced: {list}.",
                name=words.name(seat),
                amount=dollars(words, -amounts[seat]),
                list=card_names(words, cards, names),
            )
        case happened.TurnPassed(seat=seat):
            return words._("{name} takes no card.", name=words.name(seat))
        case happened.RoundEnded(round=number, seat=-1):
            return words._("All pass: round {number} is over.", number=number)
        case happened.RoundEnded(round=number, seat=seat, wagons=length):
            return words._(
                "{name} has coupled wagon number {length}: round {number} is over.",
                name=words.name(seat),
                length=length,
                number=number,
            )
    return ""


def _coupled_name(event: happened.WagonCoupled, cards: Cards, words: Words) -> str:
    if event.card in cards.wagons:
        return card_name(words, cards, event.card)
    return words._(
        "the double wagon as {kind} {value}",
        kind=words._(KIND_NAMES[event.kind]),
        value=dollars(words, event.value),
    )


# ---- decisions


def prompt(state: NimmState, cards: Cards, decision: Decision, words: Words) -> str:
    """What the seat has to decide now."""
    step = state.agenda[-1]
    match step:
        case ChooseCard():
            return words._("You start the auction: choose the locomotive that is auctioned.")
        case FirstBid(loco=loco):
            return words._(
                "Make the first bid for {loco}, at least {power}.",
                loco=loco_name(words, cards, loco),
                power=dollars(words, cards.locomotive[loco].power),
            )
        case TurnAuction(loco=loco, bidder=bidder, bid=bid):
            return words._(
                "{name} has bid {amount} for {loco}. Bid more, or pass for this locomotive.",
                name=words.name(bidder),
                amount=dollars(words, bid),
                loco=loco_name(words, cards, loco),
            )
        case OpenAuction(loco=loco, bidder=bidder, bid=bid):
            return words._(
                "{name} has bid {amount} for {loco}. Bid more, or let the bid stand.",
                name=words.name(bidder),
                amount=dollars(words, bid),
                loco=loco_name(words, cards, loco),
            )
        case SealedBids():
            return _sealed_prompt(state, cards, step, decision.seat, words)
        case Tie(loco=loco, bid=bid):
            return words._(
                "Several have bid {amount} for {loco}. You started the auction: decide whose bid "
                "counts.",
                amount=dollars(words, bid),
                loco=loco_name(words, cards, loco),
            )
        case Ranking():
            return words._(
                "Equal bids: you started the auction and decide who of them chooses first."
            )
        case Buying(bids=bids):
            return words._(
                "Choose a locomotive; you pay its power and your bid of {bid}.",
                bid=dollars(words, bids[decision.seat]),
            )
        case Draft(stage=stage):
            if stage == 1:
                return words._("Keep one of the three locomotives; the others go to your left.")
            return words._("Keep one of the two locomotives; the other goes to your left.")
        case TooDear():
            return _too_dear_prompt(state, cards, decision.seat, words)
        case Turn() | SpecialTaken() | Closing():
            return _phase_two_prompt(state, cards, step, decision.seat, words)
    return ""


def _sealed_prompt(
    state: NimmState, cards: Cards, step: SealedBids, seat: int, words: Words
) -> str:
    if step.purpose == "choice":
        return words._(
            "Bid secretly for the right to choose among {count} locomotives nobody knows; you pay "
            "the bid besides the power of the locomotive.",
            count=state.seats,
        )
    loco = loco_name(words, cards, step.loco)
    if step.purpose == "second":
        return words._(
            "Second secret bid for {loco}: it is added to your first bid of {bid}.",
            loco=loco,
            bid=dollars(words, step.before[seat]),
        )
    if step.purpose == "raise":
        (bidder, bid), *_ = step.before.items()
        return words._(
            "{name} has bid {amount} for {loco}. Raise secretly, or let the bid stand.",
            name=words.name(bidder),
            amount=dollars(words, bid),
            loco=loco,
        )
    if seat == step.starter:
        return words._(
            "Bid secretly for {loco}, at least {power}.",
            loco=loco,
            power=dollars(words, cards.locomotive[step.loco].power),
        )
    return words._("Bid secretly for {loco}; 0 is possible.", loco=loco)


def _phase_two_prompt(
    state: NimmState, cards: Cards, step: Turn | SpecialTaken | Closing, seat: int, words: Words
) -> str:
    if isinstance(step, Closing):
        return words._("The round is over. Hand in target tiles before the payment, or none.")
    if isinstance(step, SpecialTaken):
        return words._("You have taken a special card. Hand in target tiles, or none.")
    price = cards.replace_price(state.seats, state.order.index(seat))
    if step.replaced or (known(state, seat) and money(state, seat) < price):
        return words._("Take one of the open cards, or pass.")
    return words._(
        "Take an open card, have cards replaced for {price}, or pass.", price=dollars(words, price)
    )


def _too_dear_prompt(state: NimmState, cards: Cards, seat: int, words: Words) -> str:
    price = dollars(words, draft_price(state, cards, seat))
    if usable(state, cards, seat):
        return words._(
            "You cannot pay {price} for your locomotives. Turn one of them down, which becomes a "
            "spare locomotive, or hand in a target tile first.",
            price=price,
        )
    return words._(
        "You cannot pay {price} for your locomotives. Turn one of them down; it becomes a spare "
        "locomotive.",
        price=price,
    )


def pick(state: NimmState, cards: Cards, action: Action, words: Words) -> Pick:
    """How an action is pointed at on the board, and its text."""
    match action:
        case Offer(_, loco):
            label = words._("Put {loco} up for auction", loco=loco_name(words, cards, loco))
            return Pick(words._("Auction"), (f"loco:{loco}",), label)
        case Bid():
            step = state.agenda[-1] if state.agenda else None
            label = words._("Bid secretly") if isinstance(step, SealedBids) else words._("Bid")
            return Pick(words._("Auction"), ("bid",), label)
        case Pass():
            if state.agenda and isinstance(state.agenda[-1], Turn):
                return Pick(words._("Pass"), ("pass",), words._("Take no card"))
            return Pick(words._("Auction"), ("pass",), words._("Pass"))
        case Hold():
            return Pick(words._("Auction"), ("hold",), words._("Let the bid stand"))
        case Favour(_, player):
            label = words._("Decide for {name}", name=words.name(player))
            return Pick(words._("Equal bids"), (f"seat:{player}",), label)
        case Buy(_, loco):
            label = words._("Buy {loco}", loco=loco_name(words, cards, loco))
            return Pick(words._("Auction"), (f"loco:{loco}",), label)
        case Keep(_, loco):
            label = words._("Keep {loco}", loco=loco_name(words, cards, loco))
            return Pick(words._("Auction"), (f"loco:{loco}",), label)
        case TurnDown(_, loco):
            label = words._("Turn {loco} down", loco=loco_name(words, cards, loco))
            return Pick(words._("Auction"), (f"loco:{loco}",), label)
        case Take(seat, card, train):
            return _pick_take(state, cards, seat, card, train, words)
        case Replace(_, names):
            label = words._("Replace {list}", list=card_names(words, cards, names))
            keys = tuple(f"card:{name}" for name in names)
            return Pick(words._("Replace cards"), keys, label, several=True)
        case UseTarget(_, tile):
            label = words._("Hand in: {target}", target=target_name(words, cards, tile))
            return Pick(words._("Target tiles"), (f"target:{tile}",), label)
        case Ready():
            return Pick(words._("Target tiles"), ("ready",), words._("Hand in none"))
    raise TypeError(f"not an action of this game: {action!r}")


def _pick_take(
    state: NimmState, cards: Cards, seat: int, card: str, train: int, words: Words
) -> Pick:
    name = card_name(words, cards, card)
    group = words._("Take a card")
    if card == BONUS or not train:
        return Pick(group, (f"card:{card}",), words._("Take {card}", card=name))
    loco = state.trains[seat][train - 1].loco
    label = words._("{card} for {train}", card=name, train=train_name(words, cards, train, loco))
    return Pick(group, (f"card:{card}", f"train:{seat}:{train}"), label)


def marks(events: Sequence[Event]) -> list[str]:
    """The elements the board points out after these events."""
    found: list[str] = []
    for event in events:
        match event:
            case happened.LocoOffered(loco=loco) | happened.BidMade(loco=loco):
                found.append(f"loco:{loco}")
            case happened.LocoSold(loco=loco) | happened.ChoiceBought(loco=loco):
                found.append(f"loco:{loco}")
            case happened.WagonCoupled(seat=seat, train=train):
                found.append(f"train:{seat}:{train}")
            case happened.MultiplierLaid(seat=seat, train=train):
                found.append(f"train:{seat}:{train}")
            case happened.CardsTurnedUp(cards=names):
                found += [f"card:{name}" for name in names]
    return list(dict.fromkeys(found))


# ---- holdings


def known(state: NimmState, seat: int) -> bool:
    """Whether the state says how much money a player has: a view tells it of the viewer only."""
    purses = state.ledger.items["money"]
    return SEATS[seat] in purses or "bank" in purses or not state.agenda


def panels(state: NimmState, cards: Cards, words: Words) -> list[Panel]:
    """What every player holds as far as it may be known, and the table."""
    found = [_player_panel(state, cards, seat, words) for seat in range(state.seats)]
    return [*found, _table_panel(state, cards, words)]


def _player_panel(state: NimmState, cards: Cards, seat: int, words: Words) -> Panel:
    sum_ = dollars(words, money(state, seat)) if known(state, seat) else "–"
    rows = [Row(words._("Money"), sum_)]
    if state.order:
        place = state.order.index(seat)
        price = dollars(words, cards.replace_price(state.seats, place))
        rows.append(
            Row(
                words._("Order tile"),
                str(place + 1),
                "",
                words._("replacing cards costs {price}", price=price),
            )
        )
    for number, train in enumerate(state.trains[seat], 1):
        loads = wagons(cards, train)
        note = words._("empty")
        if loads:
            load = words._(KIND_NAMES[kind(cards, train)])
            values = " + ".join(words.number(wagon.value) for wagon in loads)
            note = words._("{kind}: {values}", kind=load, values=values)
        facts = loco_facts(words, cards, train.loco) if train.loco else words._("no multiplier")
        if train.plus and train.loco:
            factor = multiplier(cards, train)
            facts = f"{facts}; {words._('with the card ×{factor}', factor=factor)}"
        rows.append(
            Row(
                train.loco or words._("Spare locomotive"),
                dollars(words, profit(cards, train)),
                f"train:{seat}:{number}",
                f"{facts}; {note}",
            )
        )
    if state.trains[seat]:
        total = power(cards, state.trains[seat])
        rows.append(Row(words._("Power in all"), words.number(total)))
    rows += _hand_rows(state, cards, seat, words)
    rows += _target_rows(state, cards, seat, words)
    return Panel(words.name(seat), seat, tuple(rows))


def _hand_rows(state: NimmState, cards: Cards, seat: int, words: Words) -> list[Row]:
    """The cards of the auction pass on, as far as the viewer knows them."""
    rows = []
    for label, holder in ((words._("In hand"), HANDS[seat]), (words._("Kept"), KEPT[seat])):
        for loco in locos_at(state, cards, holder):
            rows.append(Row(label, loco, f"loco:{loco}", loco_facts(words, cards, loco)))
    return rows


def _target_rows(state: NimmState, cards: Cards, seat: int, words: Words) -> list[Row]:
    count = state.tiles[seat]
    handed_in = words.ngettext("{n} handed in", "{n} handed in", state.used[seat])
    rows = [Row(words._("Target tiles"), str(count), "", handed_in)]
    rows += [
        Row(
            words._("Target tile"),
            dollars(words, cards.targets[tile].bonus),
            f"target:{tile}",
            target_text(words, cards, tile),
        )
        for tile in tiles_of(state, cards, seat)
    ]
    return rows


def _table_panel(state: NimmState, cards: Cards, words: Words) -> Panel:
    items = state.ledger.items
    deck = sum(items[card_item(card)].get("deck", 0) for card in cards.counts)
    discard = sum(
        row.get("discard", 0) + row.get("spent", 0)
        for card in cards.counts
        if (row := items[card_item(card)])
    )
    left = [name for name in cards.auctions if "pool" in items[auction_item(name)]]
    longer = words._("until the end of the round") if state.longer else ""
    rows = [
        Row(
            words._("Round"),
            words._("{number} of {last}", number=state.round, last=cards.setup.rounds),
        ),
        Row(
            words._("Auction"),
            words._(AUCTION_NAMES[state.auction]) if state.auction else "–",
            "",
            words._(
                "not yet drawn: {list}",
                list=", ".join(words._(AUCTION_NAMES[name]) for name in left),
            ),
        ),
        Row(words._("Start player"), words.name(state.start)),
        Row(words._("Locomotives not yet seen"), str(state.unseen)),
        Row(
            words._("Locomotives set aside"),
            str(len(locos_at(state, cards, "aside")) + len(locos_at(state, cards, "deck"))),
            "",
            ", ".join([*locos_at(state, cards, "aside"), *locos_at(state, cards, "deck")]),
        ),
        Row(words._("Wagon deck"), str(deck)),
        Row(words._("Discard pile"), str(discard)),
        Row(
            words._("The round ends with wagon number"),
            str(limit(state, cards)),
            "",
            f"{words._(SPECIAL_NAMES[LONGER])} {longer}" if longer else "",
        ),
    ]
    return Panel(words._("Table"), None, tuple(rows))
