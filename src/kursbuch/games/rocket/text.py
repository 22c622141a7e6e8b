"""The sentences of Stephenson's Rocket: prompts, choices, holdings (log lines are in `log.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatchmethod

from kursbuch.core.actions import Action, Choice, raised
from kursbuch.core.corrections import Corrected, Field
from kursbuch.core.events import Event, Payment
from kursbuch.core.state import Decision
from kursbuch.core.voice import (
    Amounts,
    Card,
    Ending,
    Grid,
    Panel,
    Pick,
    Row,
    Sheet,
    Stretch,
    Summary,
    Voice,
)
from kursbuch.core.words import Words
from kursbuch.games.rocket import corrections
from kursbuch.games.rocket import events as happened
from kursbuch.games.rocket.actions import (
    Bid,
    CallVeto,
    ExtendLine,
    LetStand,
    MoveStation,
    PassVeto,
    PlaceStation,
    TakeToken,
)
from kursbuch.games.rocket.cards import Cards
from kursbuch.games.rocket.components import KIND_NAMES, KINDS
from kursbuch.games.rocket.counts import all_shares, kind_counts, stations_on, tile_supply
from kursbuch.games.rocket.geography import Boards
from kursbuch.games.rocket.log import Log
from kursbuch.games.rocket.state import (
    SEATS,
    Objection,
    RocketState,
    Turn,
    Veto,
    share,
    supplementary,
    token,
)
from kursbuch.games.rocket.summaries import majorities, summary
from kursbuch.games.rocket.sums import Sums


class RocketVoice(Voice[RocketState]):
    """What is said about Stephenson's Rocket to one reader."""

    def __init__(self, boards: Boards, words: Words) -> None:
        super().__init__(words)
        self.boards = boards
        self.log = Log(words)
        self.sums = Sums(words)

    corrections = corrections.KINDS

    def describe(self, event: Event) -> str:
        """The log line of an event."""
        return self.corrected(event) if isinstance(event, Corrected) else self.log.line(event)

    def spoken(self, field: Field, value: str) -> str:
        if value == "stock":
            return self._("the stock")
        if value == "supply":
            return self._("the supply")
        if value == "map":
            return self._("the board")
        return super().spoken(field, value)

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
        if step.bidder is None:
            return self._(
                "Veto round: bid shares of {line} for a destination (so far {hex}), or pass.",
                line=line,
                hex=place,
            )
        if seat == step.seat:
            return self.ngettext(
                "{name} has bid {n} share of {line} for {hex}. Defend your {own} with at least one, or "
                "pass.",
                "{name} has bid {n} shares of {line} for {hex}. Defend your {own} with at least as "
                "many, or pass.",
                step.shares,
                name=self.name(step.bidder),
                line=line,
                hex=place,
                own=board.hex_names[step.hex],
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
        return self._pick(action)

    @singledispatchmethod
    def _pick(self, action: Action) -> Pick:
        raise TypeError(f"not an action of this game: {action!r}")

    @_pick.register
    def _take_token(self, action: TakeToken) -> Pick:
        return Pick(
            self._("Take a metropolis token"),
            (f"town:{action.metropolis}",),
            self._("Take a token of {town}", town=action.metropolis),
        )

    @_pick.register
    def _place_station(self, action: PlaceStation) -> Pick:
        return Pick(
            self._("Place a station"),
            (f"hex:{action.hex}",),
            self._("Place a station on {hex}", hex=action.hex),
        )

    @_pick.register
    def _move_station(self, action: MoveStation) -> Pick:
        return Pick(
            self._("Move a station"),
            (f"station:{action.origin}", f"hex:{action.hex}"),
            self._("Move the station from {origin} to {hex}", origin=action.origin, hex=action.hex),
        )

    @_pick.register
    def _extend_line(self, action: ExtendLine) -> Pick:
        return Pick(
            self._("Extend a line"),
            (f"line:{action.line}", f"hex:{action.hex}"),
            self._("Extend {line} to {hex}", line=action.line, hex=action.hex),
        )

    @_pick.register
    def _let_stand(self, action: LetStand) -> Pick:
        return Pick(self._("Veto"), ("let-stand",), self._("No objection"))

    @_pick.register
    def _call_veto(self, action: CallVeto) -> Pick:
        return Pick(self._("Veto"), ("call-veto",), self._("Call a veto round"))

    @_pick.register
    def _bid(self, action: Bid) -> Pick:
        return Pick(
            self._("Veto round"), (f"hex:{action.hex}",), self._("Bid for {hex}", hex=action.hex)
        )

    @_pick.register
    def _pass_veto(self, action: PassVeto) -> Pick:
        return Pick(self._("Veto round"), ("pass",), self._("Pass"))

    def amount_label(self, action: Action) -> str:
        """What the amount that goes with an action counts."""
        return self._("Shares you bid") if isinstance(action, Bid) else ""

    def board_text(self, state: RocketState) -> list[Panel]:
        """Where the locomotives and stations stand, and the way of every line."""
        board = self.boards.of(state)
        rows = []
        for index, line in enumerate(board.lines):
            if state.locomotive[index] < 0:
                continue
            way = [board.hex_names[piece.hex] for piece in state.track if piece.line == index]
            here = board.hex_names[state.locomotive[index]]
            note = self._("track: {list}", list=" ".join(way)) if way else ""
            rows.append(
                Row(line.id, self._("locomotive on {hex}", hex=here), f"line:{line.id}", note)
            )
        for place, owner in sorted(state.stations.items()):
            name = board.hex_names[place]
            rows.append(
                Row(self._("Station on {hex}", hex=name), self.name(owner), f"station:{name}")
            )
        return [Panel(self._("Map"), None, tuple(rows))]

    def task(self, state: RocketState, decision: Decision) -> str:
        match state.agenda[-1]:
            case Turn():
                return self._("take an action")
            case Veto():
                return self._("bid in the veto round, or pass")
        return ""

    def amounts(self, state: RocketState, choice: Choice) -> Amounts:
        """As many shares as there are, each number with a button as long as they are few."""
        if choice.amount is None:
            return Amounts()
        return Amounts(self._("Bid {amount}"), quick=tuple(raised(choice.amount)))

    # ---- what somebody asks who points at something

    def card(self, state: RocketState, key: str) -> Card | None:
        """What an element of the map is."""
        return Cards(self.words, self.boards.of(state), state).card(key)

    def outcome(self, events: Sequence[Event]) -> list[str]:
        """What a move leads to, without the move itself."""
        known = happened.LineExtended | happened.TrackLaid | happened.LetStood
        return [self.describe(event) for event in events if not isinstance(event, known)]

    # ---- holdings

    def panels(self, state: RocketState) -> list[Panel]:
        """What every player holds, the lines, and the supply."""
        found = [self._player_panel(state, seat) for seat in range(state.seats)]
        return [*found, self._lines_panel(state), self._supply_panel(state)]

    def summaries(self, state: RocketState) -> list[Summary]:
        """A card for each player."""
        board = self.boards.of(state)
        return [summary(state, board, self.words, seat) for seat in range(state.seats)]

    def tables(self, state: RocketState) -> list[Grid]:
        """Who has most of what."""
        return [majorities(state, self.boards.of(state), self.words)]

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

    # ---- numbers over time, and the end

    def source(self, event: Payment) -> str:
        """What money was paid for."""
        return self.sums.source(event)

    def stretch(self, events: Sequence[Event]) -> str:
        """A move that paid somebody."""
        return self.sums.stretch(events)

    def levels_title(self) -> str:
        """What is counted of the lines."""
        return self._("Hexes of the lines")

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        """Every scoring."""
        return self.sums.figures(stretches)

    def highlights(self, events: Sequence[Event]) -> list[Row]:
        """What was greatest in a game."""
        return self.sums.highlights(events)

    def ending(self, state: RocketState, events: Sequence[Event]) -> Ending | None:
        """Why the game is over."""
        return self.sums.ending(events)

    def near_end(self, state: RocketState) -> str:
        """How near the end is."""
        return self.sums.near_end(state, self.boards.of(state)) if state.agenda else ""
