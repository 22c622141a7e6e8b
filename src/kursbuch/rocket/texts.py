"""The sentences of Stephenson's Rocket: log lines, prompts, choices, holdings."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action
from kursbuch.core.events import Event, Payment
from kursbuch.core.title import Decision, Panel, Pick, Row
from kursbuch.core.words import Words
from kursbuch.rocket import events as happened
from kursbuch.rocket.actions import (
    Bid,
    CallVeto,
    ExtendLine,
    LetStand,
    MoveStation,
    PassVeto,
    PlaceStation,
    TakeToken,
)
from kursbuch.rocket.components import KIND_NAMES, KINDS, Board
from kursbuch.rocket.state import (
    SEATS,
    Objection,
    RocketState,
    Turn,
    Veto,
    share,
    supplementary,
    token,
)
from kursbuch.rocket.steps import all_shares, kind_counts, stations_on, tile_supply

# ---- log


def describe(event: Event, words: Words) -> str:
    """The log line of an event."""
    if isinstance(event, Payment):
        return f"{_scored(event, words)} {_paid(event, words)}"
    match event:
        case happened.StartPlayerDrawn(seat=seat):
            return words._("{name} is drawn as start player.", name=words.name(seat))
        case happened.TokenTaken(seat=seat, metropolis=metropolis):
            return words._(
                "{name} takes a token of {town}.", name=words.name(seat), town=metropolis
            )
        case happened.StationPlaced(seat=seat, hex=place):
            return words._("{name} places a station on {hex}.", name=words.name(seat), hex=place)
        case happened.StationMoved(seat=seat, origin=origin, hex=place):
            return words._(
                "{name} moves a station from {origin} to {hex}.",
                name=words.name(seat),
                origin=origin,
                hex=place,
            )
        case happened.LineExtended(seat=seat, line=line, hex=place):
            return words._(
                "{name} moves the locomotive of {line} to {hex}.",
                name=words.name(seat),
                line=line,
                hex=place,
            )
        case happened.ShareTaken(seat=seat, line=line):
            return words._("{name} takes a share of {line}.", name=words.name(seat), line=line)
        case happened.NoShare(seat=seat, line=line):
            return words._("{line} has no share left for {name}.", name=words.name(seat), line=line)
        case happened.LetStood(seat=seat):
            return words._("{name} does not object.", name=words.name(seat))
        case happened.VetoCalled(seat=seat):
            return words._("{name} calls a veto round.", name=words.name(seat))
        case happened.BidMade(seat=seat, hex=place, shares=shares):
            return words.ngettext(
                "{name} bids {n} share for {hex}.",
                "{name} bids {n} shares for {hex}.",
                shares,
                name=words.name(seat),
                hex=place,
            )
        case happened.BidPassed(seat=seat, forced=forced):
            if forced:
                return words._("{name} has too few shares to bid.", name=words.name(seat))
            return words._("{name} passes.", name=words.name(seat))
        case happened.VetoDecided():
            return _decided(event, words)
        case happened.SharesSwapped(seat=seat, other=other, line=line, shares=shares):
            return words.ngettext(
                "{name} exchanges {n} supplementary share of {line} for a real one of {other}.",
                "{name} exchanges {n} supplementary shares of {line} for real ones of {other}.",
                shares,
                name=words.name(seat),
                other=words.name(other),
                line=line,
            )
        case happened.SharesReturned():
            return _returned(event, words)
        case happened.TrackLaid():
            return _track_laid(event, words)
        case happened.PassengerTaken(seat=seat, hex=place):
            return words._(
                "{name} receives a passenger token for the station on {hex}.",
                name=words.name(seat),
                hex=place,
            )
        case happened.Connected(line=line, town=town):
            return words._("{line} is connected to {town}.", line=line, town=town)
        case happened.Merged(line=line, into=into):
            return words._("{line} is dissolved into {into}.", line=line, into=into)
        case happened.SharesExchanged():
            return _exchanged(event, words)
        case happened.LineIsolated(line=line, shares=shares):
            return words.ngettext(
                "{line} is isolated; {n} share leaves the game.",
                "{line} is isolated; {n} shares leave the game.",
                shares,
                line=line,
            )
        case happened.EndReached(tiles=tiles):
            if tiles:
                return words._("The track tiles are used up: the game ends.")
            return words._("At most one line has shares in stock: the game ends.")
        case happened.TokensReturned(seat=seat, metropolis=town, count=count):
            return words.ngettext(
                "{name} returns {n} token of {town}, which is connected to no line.",
                "{name} returns {n} tokens of {town}, which is connected to no line.",
                count,
                name=words.name(seat),
                town=town,
            )
    raise TypeError(f"not an event of this game: {event!r}")


def _decided(event: happened.VetoDecided, words: Words) -> str:
    if event.seat < 0:
        return words._(
            "Nobody bids: {line} goes to {hex} as intended.", line=event.line, hex=event.hex
        )
    return words._(
        "{name} wins the veto round: {line} goes to {hex}.",
        name=words.name(event.seat),
        line=event.line,
        hex=event.hex,
    )


def _returned(event: happened.SharesReturned, words: Words) -> str:
    if event.gone:
        return words.ngettext(
            "{name} returns {n} share of {line}, which leaves the game.",
            "{name} returns {n} shares of {line}, which leave the game.",
            event.shares,
            name=words.name(event.seat),
            line=event.line,
        )
    return words.ngettext(
        "{name} returns {n} share of {line} to the stock.",
        "{name} returns {n} shares of {line} to the stock.",
        event.shares,
        name=words.name(event.seat),
        line=event.line,
    )


def _track_laid(event: happened.TrackLaid, words: Words) -> str:
    if not event.covered:
        return words._(
            "{line} leaves its start town for {hex}; no tile is needed.",
            line=event.line,
            hex=event.hex,
        )
    return words.ngettext(
        "{line} goes to {hex}; {origin} is covered with track, {n} tile is left.",
        "{line} goes to {hex}; {origin} is covered with track, {n} tiles are left.",
        event.tiles,
        line=event.line,
        hex=event.hex,
        origin=event.origin,
    )


def _exchanged(event: happened.SharesExchanged, words: Words) -> str:
    name = words.name(event.seat)
    gained = event.shares + event.supplementary
    if not gained:
        return words.ngettext(
            "{name} gives back {n} share of {line} and receives nothing.",
            "{name} gives back {n} shares of {line} and receives nothing.",
            event.given,
            name=name,
            line=event.line,
        )
    if not event.supplementary:
        return words.ngettext(
            "{name} exchanges {n} share of {line} for {gained} of {into}.",
            "{name} exchanges {n} shares of {line} for {gained} of {into}.",
            event.given,
            name=name,
            line=event.line,
            into=event.into,
            gained=gained,
        )
    return words.ngettext(
        "{name} exchanges {n} share of {line} for {gained} of {into}, {extra} of them supplementary.",
        "{name} exchanges {n} shares of {line} for {gained} of {into}, {extra} of them supplementary.",
        event.given,
        name=name,
        line=event.line,
        into=event.into,
        gained=gained,
        extra=event.supplementary,
    )


def _scored(event: Payment, words: Words) -> str:
    match event:
        case happened.MetropolisScored(metropolis=metropolis):
            return words._("Tokens of {town}:", town=metropolis)
        case happened.StationsScored(line=line, town="", towns=towns):
            return words.ngettext(
                "Final scoring, stations on {line}, {n} town:",
                "Final scoring, stations on {line}, {n} towns:",
                towns,
                line=line,
            )
        case happened.StationsScored(line=line, town=town, towns=towns):
            return words.ngettext(
                "Stations on {line}, which reaches {town}, {n} town:",
                "Stations on {line}, which reaches {town}, {n} towns:",
                towns,
                line=line,
                town=town,
            )
        case happened.SharesScored(line=line, towns=towns, final=True):
            return words.ngettext(
                "Final scoring, shares of {line}, {n} town:",
                "Final scoring, shares of {line}, {n} towns:",
                towns,
                line=line,
            )
        case happened.SharesScored(line=line, towns=towns):
            return words.ngettext(
                "Shares of {line}, which is dissolved, {n} town:",
                "Shares of {line}, which is dissolved, {n} towns:",
                towns,
                line=line,
            )
        case happened.KindScored(kind=kind):
            return words._("Final scoring, tokens of {kind}:", kind=words._(KIND_NAMES[kind]))
    raise TypeError(f"not a payment of this game: {event!r}")


def _paid(event: Payment, words: Words) -> str:
    counts: Sequence[int] = getattr(event, "counts", ())
    parts = [
        words._(
            "{name} {amount} (has {count})",
            name=words.name(seat),
            amount=words.money(amount),
            count=counts[seat],
        )
        for seat, amount in sorted(enumerate(event.amounts), key=lambda pair: -pair[1])
        if amount
    ]
    return words._("{list}.", list=", ".join(parts)) if parts else words._("nobody is paid.")


# ---- decisions


def prompt(state: RocketState, board: Board, decision: Decision, words: Words) -> str:
    """What the seat has to decide now."""
    step = state.agenda[-1]
    match step:
        case Turn(action=1):
            return words._(
                "First of two actions: take a metropolis token, place or move a station, or extend a "
                "line."
            )
        case Turn():
            return words._(
                "Second action: take a metropolis token, place or move a station, or extend a line."
            )
        case Objection(seat=seat, line=line, hex=place):
            held = all_shares(state, board, line)[decision.seat]
            return words.ngettext(
                "{name} moves {line} to {hex}. You hold {n} share of it and may call a veto round.",
                "{name} moves {line} to {hex}. You hold {n} shares of it and may call a veto round.",
                held,
                name=words.name(seat),
                line=board.lines[line].id,
                hex=board.hex_names[place],
            )
        case Veto():
            return _veto_prompt(state, board, step, decision.seat, words)
    return ""


def _veto_prompt(state: RocketState, board: Board, step: Veto, seat: int, words: Words) -> str:
    line = board.lines[step.line].id
    place = board.hex_names[step.target]
    if seat == step.seat:
        return words.ngettext(
            "{name} has bid {n} share of {line} for {hex}. Defend your {own} with as many, or pass.",
            "{name} has bid {n} shares of {line} for {hex}. Defend your {own} with as many, or pass.",
            step.shares,
            name=words.name(step.bidder),
            line=line,
            hex=place,
            own=board.hex_names[step.hex],
        )
    if step.bidder < 0:
        return words._(
            "Veto round: bid shares of {line} for a destination (so far {hex}), or pass.",
            line=line,
            hex=place,
        )
    return words.ngettext(
        "Veto round: {name} has bid {n} share of {line} for {hex}. Bid more, or pass.",
        "Veto round: {name} has bid {n} shares of {line} for {hex}. Bid more, or pass.",
        step.shares,
        name=words.name(step.bidder),
        line=line,
        hex=place,
    )


def pick(action: Action, words: Words) -> Pick:
    """How an action is pointed at on the board, and its text."""
    match action:
        case TakeToken(_, metropolis):
            return Pick(
                words._("Take a metropolis token"),
                (f"town:{metropolis}",),
                words._("Take a token of {town}", town=metropolis),
            )
        case PlaceStation(_, place):
            return Pick(
                words._("Place a station"),
                (f"hex:{place}",),
                words._("Place a station on {hex}", hex=place),
            )
        case MoveStation(_, origin, place):
            return Pick(
                words._("Move a station"),
                (f"station:{origin}", f"hex:{place}"),
                words._("Move the station from {origin} to {hex}", origin=origin, hex=place),
            )
        case ExtendLine(_, line, place):
            return Pick(
                words._("Extend a line"),
                (f"line:{line}", f"hex:{place}"),
                words._("Extend {line} to {hex}", line=line, hex=place),
            )
        case LetStand():
            return Pick(words._("Veto"), ("let-stand",), words._("No objection"))
        case CallVeto():
            return Pick(words._("Veto"), ("call-veto",), words._("Call a veto round"))
        case Bid(_, place, _):
            return Pick(
                words._("Veto round"), (f"hex:{place}",), words._("Bid for {hex}", hex=place)
            )
        case PassVeto():
            return Pick(words._("Veto round"), ("pass",), words._("Pass"))
    raise TypeError(f"not an action of this game: {action!r}")


def amount_label(action: Action, words: Words) -> str:
    """What the amount that goes with an action counts."""
    return words._("Shares you bid") if isinstance(action, Bid) else ""


def marks(events: Sequence[Event]) -> list[str]:
    """The elements the board points out after these events."""
    found: list[str] = []
    for event in events:
        match event:
            case happened.TokenTaken(metropolis=metropolis):
                found.append(f"town:{metropolis}")
            case happened.StationPlaced(hex=place) | happened.StationMoved(hex=place):
                found.append(f"hex:{place}")
            case happened.LineExtended(hex=place) | happened.TrackLaid(hex=place):
                found.append(f"hex:{place}")
            case happened.BidMade(hex=place):
                found.append(f"hex:{place}")
            case happened.Connected(town=town):
                found.append(f"town:{town}")
    return list(dict.fromkeys(found))


# ---- holdings


def panels(state: RocketState, board: Board, words: Words) -> list[Panel]:
    """What every player holds, the lines, and the supply."""
    found = [_player_panel(state, board, seat, words) for seat in range(state.seats)]
    return [*found, _lines_panel(state, board, words), _supply_panel(state, board, words)]


def _player_panel(state: RocketState, board: Board, seat: int, words: Words) -> Panel:
    holder = SEATS[seat]
    money = state.ledger.items["money"]
    hidden = state.hidden_money and bool(state.agenda) and holder not in money
    rows = [Row(words._("Money"), "–" if hidden else words.money(money.get(holder, 0)))]
    for index, line in enumerate(board.lines):
        held = all_shares(state, board, index)[seat]
        if not held:
            continue
        extra = state.ledger.held("supplementary", supplementary(seat, line.id))
        note = (
            words.ngettext("{n} of them supplementary", "{n} of them supplementary", extra)
            if extra
            else ""
        )
        rows.append(
            Row(words._("Shares of {line}", line=line.id), str(held), f"line:{line.id}", note)
        )
    counts = kind_counts(state, board)
    for kind in KINDS:
        if not counts[kind][seat]:
            continue
        towns = [
            f"{board.towns[n].name} {count}" if count > 1 else board.towns[n].name
            for n in board.metropolises
            if board.towns[n].industry == kind
            and (count := state.ledger.held(token(board.towns[n].name), holder))
        ]
        label = words._("Tokens of {kind}", kind=words._(KIND_NAMES[kind]))
        rows.append(Row(label, str(counts[kind][seat]), "", ", ".join(towns)))
    placed = sum(1 for owner in state.stations.values() if owner == seat)
    supply = state.ledger.held(f"station:{holder}", "supply")
    rows.append(
        Row(
            words._("Stations"),
            words._("{placed} on the map, {left} left", placed=placed, left=supply),
        )
    )
    return Panel(words.name(seat), seat, tuple(rows))


def _lines_panel(state: RocketState, board: Board, words: Words) -> Panel:
    rows = []
    for index, line in enumerate(board.lines):
        into = state.merged_into[index]
        if into >= 0:
            rows.append(
                Row(
                    line.id,
                    words._("dissolved into {into}", into=board.lines[into].id),
                    "",
                    line.name,
                )
            )
            continue
        stock = state.ledger.held(share(line.id), "stock")
        value = words.ngettext("{n} share in stock", "{n} shares in stock", stock)
        if state.isolated[index]:
            value = words._("isolated")
        towns = state.connected[index].bit_count()
        note = f"{line.name}; {words.ngettext('{n} town', '{n} towns', towns)}"
        on_line = stations_on(state, index)
        if any(on_line):
            houses = ", ".join(
                f"{words.name(seat)} {count}" for seat, count in enumerate(on_line) if count
            )
            note = f"{note}; {words._('stations: {list}', list=houses)}"
        rows.append(Row(line.id, value, f"line:{line.id}", note))
    return Panel(words._("Lines"), None, tuple(rows))


def _supply_panel(state: RocketState, board: Board, words: Words) -> Panel:
    left = [f"{name} {state.ledger.held(token(name), 'map')}" for name in board.metropolis_index]
    return Panel(
        words._("Supply"),
        None,
        (
            Row(words._("Track tiles"), str(tile_supply(state))),
            Row(words._("Supplementary shares"), str(state.ledger.held("supplementary", "stock"))),
            Row(words._("Passenger tokens"), str(state.ledger.held("passenger", "supply"))),
            Row(
                words._("Metropolis tokens"),
                str(sum(state.ledger.held(token(name), "map") for name in board.metropolis_index)),
                "",
                ", ".join(left),
            ),
        ),
    )
