"""The sentences of Stephenson's Rocket: log lines, prompts, choices, holdings."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action
from kursbuch.core.events import Event, Payment
from kursbuch.core.state import Decision
from kursbuch.core.voice import Panel, Pick, Row, Voice
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
from kursbuch.rocket.components import KIND_NAMES, KINDS
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
from kursbuch.rocket.steps import Boards, all_shares, kind_counts, stations_on, tile_supply


class RocketVoice(Voice[RocketState]):
    """What is said about Stephenson's Rocket to one reader."""

    def __init__(self, boards: Boards, words: Words) -> None:
        super().__init__(words)
        self.boards = boards

    # ---- log

    def describe(self, event: Event) -> str:
        """The log line of an event."""
        if isinstance(event, Payment):
            return f"{self._scored(event)} {self._paid(event)}"
        match event:
            case happened.StartPlayerDrawn(seat=seat):
                return self._("{name} is drawn as start player.", name=self.name(seat))
            case happened.TokenTaken(seat=seat, metropolis=metropolis):
                return self._(
                    "{name} takes a token of {town}.", name=self.name(seat), town=metropolis
                )
            case happened.StationPlaced(seat=seat, hex=place):
                return self._("{name} places a station on {hex}.", name=self.name(seat), hex=place)
            case happened.StationMoved(seat=seat, origin=origin, hex=place):
                return self._(
                    "{name} moves a station from {origin} to {hex}.",
                    name=self.name(seat),
                    origin=origin,
                    hex=place,
                )
            case happened.LineExtended(seat=seat, line=line, hex=place):
                return self._(
                    "{name} moves the locomotive of {line} to {hex}.",
                    name=self.name(seat),
                    line=line,
                    hex=place,
                )
            case happened.ShareTaken(seat=seat, line=line):
                return self._("{name} takes a share of {line}.", name=self.name(seat), line=line)
            case happened.NoShare(seat=seat, line=line):
                return self._(
                    "{line} has no share left for {name}.", name=self.name(seat), line=line
                )
            case happened.LetStood(seat=seat):
                return self._("{name} does not object.", name=self.name(seat))
            case happened.VetoCalled(seat=seat):
                return self._("{name} calls a veto round.", name=self.name(seat))
            case happened.BidMade(seat=seat, hex=place, shares=shares):
                return self.ngettext(
                    "{name} bids {n} share for {hex}.",
                    "{name} bids {n} shares for {hex}.",
                    shares,
                    name=self.name(seat),
                    hex=place,
                )
            case happened.BidPassed(seat=seat, forced=forced):
                if forced:
                    return self._("{name} has too few shares to bid.", name=self.name(seat))
                return self._("{name} passes.", name=self.name(seat))
            case happened.VetoDecided():
                return self._decided(event)
            case happened.SharesSwapped(seat=seat, other=other, line=line, shares=shares):
                return self.ngettext(
                    "{name} exchanges {n} supplementary share of {line} for a real one of {other}.",
                    "{name} exchanges {n} supplementary shares of {line} for real ones of {other}.",
                    shares,
                    name=self.name(seat),
                    other=self.name(other),
                    line=line,
                )
            case happened.SharesReturned():
                return self._returned(event)
            case happened.TrackLaid():
                return self._track_laid(event)
            case happened.PassengerTaken(seat=seat, hex=place):
                return self._(
                    "{name} receives a passenger token for the station on {hex}.",
                    name=self.name(seat),
                    hex=place,
                )
            case happened.Connected(line=line, town=town):
                return self._("{line} is connected to {town}.", line=line, town=town)
            case happened.Merged(line=line, into=into):
                return self._("{line} is dissolved into {into}.", line=line, into=into)
            case happened.SharesExchanged():
                return self._exchanged(event)
            case happened.LineIsolated(line=line, shares=shares):
                return self.ngettext(
                    "{line} is isolated; {n} share leaves the game.",
                    "{line} is isolated; {n} shares leave the game.",
                    shares,
                    line=line,
                )
            case happened.EndReached(tiles=tiles):
                if tiles:
                    return self._("The track tiles are used up: the game ends.")
                return self._("At most one line has shares in stock: the game ends.")
            case happened.TokensReturned(seat=seat, metropolis=town, count=count):
                return self.ngettext(
                    "{name} returns {n} token of {town}, which is connected to no line.",
                    "{name} returns {n} tokens of {town}, which is connected to no line.",
                    count,
                    name=self.name(seat),
                    town=town,
                )
        raise TypeError(f"not an event of this game: {event!r}")

    def _decided(self, event: happened.VetoDecided) -> str:
        if event.seat < 0:
            return self._(
                "Nobody bids: {line} goes to {hex} as intended.", line=event.line, hex=event.hex
            )
        return self._(
            "{name} wins the veto round: {line} goes to {hex}.",
            name=self.name(event.seat),
            line=event.line,
            hex=event.hex,
        )

    def _returned(self, event: happened.SharesReturned) -> str:
        if event.gone:
            return self.ngettext(
                "{name} returns {n} share of {line}, which leaves the game.",
                "{name} returns {n} shares of {line}, which leave the game.",
                event.shares,
                name=self.name(event.seat),
                line=event.line,
            )
        return self.ngettext(
            "{name} returns {n} share of {line} to the stock.",
            "{name} returns {n} shares of {line} to the stock.",
            event.shares,
            name=self.name(event.seat),
            line=event.line,
        )

    def _track_laid(self, event: happened.TrackLaid) -> str:
        if not event.covered:
            return self._(
                "{line} leaves its start town for {hex}; no tile is needed.",
                line=event.line,
                hex=event.hex,
            )
        return self.ngettext(
            "{line} goes to {hex}; {origin} is covered with track, {n} tile is left.",
            "{line} goes to {hex}; {origin} is covered with track, {n} tiles are left.",
            event.tiles,
            line=event.line,
            hex=event.hex,
            origin=event.origin,
        )

    def _exchanged(self, event: happened.SharesExchanged) -> str:
        name = self.name(event.seat)
        gained = event.shares + event.supplementary
        if not gained:
            return self.ngettext(
                "{name} gives back {n} share of {line} and receives nothing.",
                "{name} gives back {n} shares of {line} and receives nothing.",
                event.given,
                name=name,
                line=event.line,
            )
        if not event.supplementary:
            return self.ngettext(
                "{name} exchanges {n} share of {line} for {gained} of {into}.",
                "{name} exchanges {n} shares of {line} for {gained} of {into}.",
                event.given,
                name=name,
                line=event.line,
                into=event.into,
                gained=gained,
            )
        return self.ngettext(
            "{name} exchanges {n} share of {line} for {gained} of {into}, {extra} of them supplementary.",
            "{name} exchanges {n} shares of {line} for {gained} of {into}, {extra} of them supplementary.",
            event.given,
            name=name,
            line=event.line,
            into=event.into,
            gained=gained,
            extra=event.supplementary,
        )

    def _scored(self, event: Payment) -> str:
        match event:
            case happened.MetropolisScored(metropolis=metropolis):
                return self._("Tokens of {town}:", town=metropolis)
            case happened.StationsScored(line=line, town="", towns=towns):
                return self.ngettext(
                    "Final scoring, stations on {line}, {n} town:",
                    "Final scoring, stations on {line}, {n} towns:",
                    towns,
                    line=line,
                )
            case happened.StationsScored(line=line, town=town, towns=towns):
                return self.ngettext(
                    "Stations on {line}, which reaches {town}, {n} town:",
                    "Stations on {line}, which reaches {town}, {n} towns:",
                    towns,
                    line=line,
                    town=town,
                )
            case happened.SharesScored(line=line, towns=towns, final=True):
                return self.ngettext(
                    "Final scoring, shares of {line}, {n} town:",
                    "Final scoring, shares of {line}, {n} towns:",
                    towns,
                    line=line,
                )
            case happened.SharesScored(line=line, towns=towns):
                return self.ngettext(
                    "Shares of {line}, which is dissolved, {n} town:",
                    "Shares of {line}, which is dissolved, {n} towns:",
                    towns,
                    line=line,
                )
            case happened.KindScored(kind=kind):
                return self._("Final scoring, tokens of {kind}:", kind=self._(KIND_NAMES[kind]))
        raise TypeError(f"not a payment of this game: {event!r}")

    def _paid(self, event: Payment) -> str:
        counts: Sequence[int] = getattr(event, "counts", ())
        parts = [
            self._(
                "{name} {amount} (has {count})",
                name=self.name(seat),
                amount=self.money(amount),
                count=counts[seat],
            )
            for seat, amount in sorted(enumerate(event.amounts), key=lambda pair: -pair[1])
            if amount
        ]
        return self._("{list}.", list=", ".join(parts)) if parts else self._("nobody is paid.")

    # ---- decisions

    def prompt(self, state: RocketState, decision: Decision) -> str:
        """What the seat has to decide now."""
        board = self.boards.of(state)
        step = state.agenda[-1]
        match step:
            case Turn(action=1):
                return self._(
                    "First of two actions: take a metropolis token, place or move a station, or extend a "
                    "line."
                )
            case Turn():
                return self._(
                    "Second action: take a metropolis token, place or move a station, or extend a line."
                )
            case Objection(seat=seat, line=line, hex=place):
                held = all_shares(state, board, line)[decision.seat]
                return self.ngettext(
                    "{name} moves {line} to {hex}. You hold {n} share of it and may call a veto round.",
                    "{name} moves {line} to {hex}. You hold {n} shares of it and may call a veto round.",
                    held,
                    name=self.name(seat),
                    line=board.lines[line].id,
                    hex=board.hex_names[place],
                )
            case Veto():
                return self._veto_prompt(state, step, decision.seat)
        return ""

    def _veto_prompt(self, state: RocketState, step: Veto, seat: int) -> str:
        board = self.boards.of(state)
        line = board.lines[step.line].id
        place = board.hex_names[step.target]
        if seat == step.seat:
            return self.ngettext(
                "{name} has bid {n} share of {line} for {hex}. Defend your {own} with as many, or pass.",
                "{name} has bid {n} shares of {line} for {hex}. Defend your {own} with as many, or pass.",
                step.shares,
                name=self.name(step.bidder),
                line=line,
                hex=place,
                own=board.hex_names[step.hex],
            )
        if step.bidder < 0:
            return self._(
                "Veto round: bid shares of {line} for a destination (so far {hex}), or pass.",
                line=line,
                hex=place,
            )
        return self.ngettext(
            "Veto round: {name} has bid {n} share of {line} for {hex}. Bid more, or pass.",
            "Veto round: {name} has bid {n} shares of {line} for {hex}. Bid more, or pass.",
            step.shares,
            name=self.name(step.bidder),
            line=line,
            hex=place,
        )

    def pick(self, state: RocketState, action: Action) -> Pick:
        """How an action is pointed at on the board, and its text."""
        match action:
            case TakeToken(_, metropolis):
                return Pick(
                    self._("Take a metropolis token"),
                    (f"town:{metropolis}",),
                    self._("Take a token of {town}", town=metropolis),
                )
            case PlaceStation(_, place):
                return Pick(
                    self._("Place a station"),
                    (f"hex:{place}",),
                    self._("Place a station on {hex}", hex=place),
                )
            case MoveStation(_, origin, place):
                return Pick(
                    self._("Move a station"),
                    (f"station:{origin}", f"hex:{place}"),
                    self._("Move the station from {origin} to {hex}", origin=origin, hex=place),
                )
            case ExtendLine(_, line, place):
                return Pick(
                    self._("Extend a line"),
                    (f"line:{line}", f"hex:{place}"),
                    self._("Extend {line} to {hex}", line=line, hex=place),
                )
            case LetStand():
                return Pick(self._("Veto"), ("let-stand",), self._("No objection"))
            case CallVeto():
                return Pick(self._("Veto"), ("call-veto",), self._("Call a veto round"))
            case Bid(_, place, _):
                return Pick(
                    self._("Veto round"), (f"hex:{place}",), self._("Bid for {hex}", hex=place)
                )
            case PassVeto():
                return Pick(self._("Veto round"), ("pass",), self._("Pass"))
        raise TypeError(f"not an action of this game: {action!r}")

    def amount_label(self, action: Action) -> str:
        """What the amount that goes with an action counts."""
        return self._("Shares you bid") if isinstance(action, Bid) else ""

    # ---- holdings

    def panels(self, state: RocketState) -> list[Panel]:
        """What every player holds, the lines, and the supply."""
        found = [self._player_panel(state, seat) for seat in range(state.seats)]
        return [*found, self._lines_panel(state), self._supply_panel(state)]

    def _player_panel(self, state: RocketState, seat: int) -> Panel:
        board = self.boards.of(state)
        holder = SEATS[seat]
        money = state.ledger.items["money"]
        hidden = state.hidden_money and bool(state.agenda) and holder not in money
        rows = [Row(self._("Money"), "–" if hidden else self.money(money.get(holder, 0)))]
        for index, line in enumerate(board.lines):
            held = all_shares(state, board, index)[seat]
            if not held:
                continue
            extra = state.ledger.held("supplementary", supplementary(seat, line.id))
            note = (
                self.ngettext("{n} of them supplementary", "{n} of them supplementary", extra)
                if extra
                else ""
            )
            rows.append(
                Row(self._("Shares of {line}", line=line.id), str(held), f"line:{line.id}", note)
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
            label = self._("Tokens of {kind}", kind=self._(KIND_NAMES[kind]))
            rows.append(Row(label, str(counts[kind][seat]), "", ", ".join(towns)))
        placed = sum(1 for owner in state.stations.values() if owner == seat)
        supply = state.ledger.held(f"station:{holder}", "supply")
        rows.append(
            Row(
                self._("Stations"),
                self._("{placed} on the map, {left} left", placed=placed, left=supply),
            )
        )
        return Panel(self.name(seat), seat, tuple(rows))

    def _lines_panel(self, state: RocketState) -> Panel:
        board = self.boards.of(state)
        rows = []
        for index, line in enumerate(board.lines):
            into = state.merged_into[index]
            if into >= 0:
                rows.append(
                    Row(
                        line.id,
                        self._("dissolved into {into}", into=board.lines[into].id),
                        "",
                        line.name,
                    )
                )
                continue
            stock = state.ledger.held(share(line.id), "stock")
            value = self.ngettext("{n} share in stock", "{n} shares in stock", stock)
            if state.isolated[index]:
                value = self._("isolated")
            towns = state.connected[index].bit_count()
            note = f"{line.name}; {self.ngettext('{n} town', '{n} towns', towns)}"
            on_line = stations_on(state, index)
            if any(on_line):
                houses = ", ".join(
                    f"{self.name(seat)} {count}" for seat, count in enumerate(on_line) if count
                )
                note = f"{note}; {self._('stations: {list}', list=houses)}"
            rows.append(Row(line.id, value, f"line:{line.id}", note))
        return Panel(self._("Lines"), None, tuple(rows))

    def _supply_panel(self, state: RocketState) -> Panel:
        board = self.boards.of(state)
        left = [
            f"{name} {state.ledger.held(token(name), 'map')}" for name in board.metropolis_index
        ]
        return Panel(
            self._("Supply"),
            None,
            (
                Row(self._("Track tiles"), str(tile_supply(state))),
                Row(
                    self._("Supplementary shares"), str(state.ledger.held("supplementary", "stock"))
                ),
                Row(self._("Passenger tokens"), str(state.ledger.held("passenger", "supply"))),
                Row(
                    self._("Metropolis tokens"),
                    str(
                        sum(
                            state.ledger.held(token(name), "map") for name in board.metropolis_index
                        )
                    ),
                    "",
                    ", ".join(left),
                ),
            ),
        )
