"""Texts of Stephenson's Rocket: prompts, holdings, cards, summaries and statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import singledispatchmethod

from kursbuch.core.actions import Action, Choice, raised
from kursbuch.core.corrections import Corrected, Field
from kursbuch.core.events import Event, Payment
from kursbuch.core.state import Decision
from kursbuch.core.tally import Key
from kursbuch.core.voice import (
    Amounts,
    Card,
    Cell,
    Chip,
    Ending,
    Entry,
    Grid,
    Line,
    Panel,
    Row,
    Sheet,
    Speech,
    Stretch,
    Summary,
    Voice,
)
from kursbuch.core.words import Words
from kursbuch.games.rocket import corrections
from kursbuch.games.rocket import events as happened
from kursbuch.games.rocket.actions import Bid
from kursbuch.games.rocket.components import KIND_NAMES, KINDS, Board, Town
from kursbuch.games.rocket.state import (
    SEATS,
    Boards,
    Objection,
    RocketState,
    Turn,
    Veto,
    all_shares,
    kind_counts,
    living,
    share,
    stations_on,
    supplementary,
    tile_supply,
    token,
    touched_lines,
)

#: Number of track tiles, or of lines with shares, at which the end is announced as near.
NEAR_TILES = 5
NEAR_LINES = 3


class Statistics(Voice[RocketState]):
    """The statistics of the voice."""

    def __init__(self, boards: Boards, words: Words) -> None:
        super().__init__(words)
        self.boards = boards

    def source(self, event: Payment) -> str:
        """What a payment is for."""
        match event:
            case Corrected():
                return self._("Corrections")
            case happened.MetropolisScored():
                return self._("Metropolis tokens")
            case happened.StationsScored(town=""):
                return self._("Stations at the end")
            case happened.StationsScored():
                return self._("Stations at railway towns")
            case happened.SharesScored(final=True):
                return self._("Shares at the end")
            case happened.SharesScored():
                return self._("Shares in mergers")
        return self._("Tokens by kind at the end")

    def tallied(self, key: Key) -> str:
        kind, *about = key
        line = about[0] if about else ""
        name = self.name(int(about[1])) if len(about) > 1 and about[1].isdigit() else ""
        match kind:
            case "metropolis":
                return self._("tokens of {town}", town=line)
            case "stations":
                return self._("stations on {line}", line=line)
            case "shares":
                return self._("shares of {line}", line=line)
            case "kind":
                return self._("tokens at the end ({kind})", kind=self._(KIND_NAMES[line]))
            case "actions":
                return self._("actions and stations left")
            case "connected":
                return self._("{line} connected to {town}", line=line, town=about[1])
            case "merged":
                return self._("merger of {line} into {into}", line=line, into=about[1])
            case "returned":
                return self._("shares of {line} returned by {name}", line=line, name=name)
            case "most-shares":
                return self._("{name} with most shares of {line}", line=line, name=name)
            case "most-stations":
                return self._("{name} with most stations on {line}", line=line, name=name)
        return super().tallied(key)

    def stretch(self, events: Sequence[Event]) -> str:
        """Label of a move with payments, by what was scored."""
        if any(isinstance(event, happened.EndReached) for event in events):
            return self._("Final scoring")
        parts = []
        for event in events:
            match event:
                case Corrected():
                    parts.append(self._("a correction"))
                case happened.MetropolisScored(metropolis=town):
                    parts.append(town)
                case happened.StationsScored(line=line, town=""):
                    parts.append(self._("stations of {line}", line=line))
                case happened.StationsScored(line=line, town=town):
                    parts.append(self._("stations of {line} ({town})", line=line, town=town))
                case happened.SharesScored(line=line):
                    parts.append(self._("shares of {line}", line=line))
        return ", ".join(parts)

    def levels_title(self) -> str:
        return self._("Hexes of the lines")

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        """Payments to each player in each scoring."""
        lines = [
            Line(
                self.stretch([event]) or self.source(event),
                tuple(Entry(amount) for amount in event.amounts),
                stretch.number,
            )
            for stretch in stretches
            for event in stretch.events
            if isinstance(event, happened.Scored) and any(event.amounts)
        ]
        if not lines:
            return []
        head = tuple(self.name(seat) for seat in range(len(lines[0].entries)))
        return [Sheet("scorings", self._("Every scoring"), head, tuple(lines), unit="score")]

    def highlights(self, events: Sequence[Event]) -> list[Row]:
        """Largest payment, longest line, most vetoes, stations and passengers."""
        best = (0, "", "")
        hexes, vetoes, stations, passengers = (
            Counter[str](),
            Counter[str](),
            Counter[str](),
            Counter[str](),
        )
        for event in events:
            match event:
                case happened.Scored(amounts=amounts):
                    most = max(amounts)
                    if most > best[0]:
                        name = self.name(amounts.index(most))
                        best = most, name, self.stretch([event]) or self.source(event)
                case happened.TrackLaid(line=line):
                    hexes[line] += 1
                case happened.VetoDecided(seat=int(seat)):
                    vetoes[self.name(seat)] += 1
                case happened.StationPlaced(seat=seat):
                    stations[self.name(seat)] += 1
                case happened.PassengerTaken(seat=seat):
                    passengers[self.name(seat)] += 1
        rows = []
        if best[0]:
            note = f"{best[1]}, {best[2]}"
            rows.append(Row(self._("Highest payment"), self.money(best[0]), "", note))
        for label, counts in (
            (self._("Line moved most often"), hexes),
            (self._("Most vetoes won"), vetoes),
            (self._("Most stations placed"), stations),
            (self._("Most passengers"), passengers),
        ):
            if counts:
                who, count = counts.most_common(1)[0]
                rows.append(Row(label, self.words.number(count), "", who))
        return rows

    def ending(self, state: RocketState, events: Sequence[Event]) -> Ending | None:
        """The reason for the end: tiles or shares."""
        for event in reversed(events):
            if isinstance(event, happened.EndReached):
                if event.tiles:
                    text = self._("The game is over because all track tiles have been laid.")
                else:
                    text = self._("The game is over because only one line has shares left.")
                return Ending(text, event.rule)
        return None

    def near_end(self, state: RocketState) -> str:
        """The number of tiles and of lines with shares left."""
        if not state.agenda:
            return ""
        board, tiles = self.boards.of(state), tile_supply(state)
        lines = [
            board.lines[line].id
            for line in range(len(board.lines))
            if state.ledger.held(share(board.lines[line].id), "stock")
        ]
        parts = []
        if tiles <= NEAR_TILES:
            parts.append(self.ngettext("{n} track tile", "{n} track tiles", tiles))
        if len(lines) <= NEAR_LINES:
            parts.append(
                self.ngettext(
                    "{n} line with shares ({lines})",
                    "{n} lines with shares ({lines})",
                    len(lines),
                    lines=", ".join(lines),
                )
            )
        if not parts:
            return ""
        return self._("The end is near: {list} left.", list=self.words.join(parts))


def lengths(state: RocketState, board: Board) -> dict[str, int]:
    """Number of hexes of each existing line, including its start town."""
    return {board.lines[line].id: state.owner.count(line) for line in living(state)}


class Descriptions(Speech):
    """Descriptions of map elements."""

    def __init__(self, words: Words, board: Board, state: RocketState) -> None:
        super().__init__(words)
        self.board = board
        self.state = state

    def card(self, key: str) -> Card | None:
        """Description of the element with that key."""
        kind, _, name = key.partition(":")
        if kind == "line" and name in self.board.line_index:
            return self._line(self.board.line_index[name])
        if kind == "town":
            for town in self.board.towns:
                if town.name == name:
                    return self._town(town)
        if name in self.board.hex_index:
            place = self.board.hex_index[name]
            if kind == "station" and place in self.state.stations:
                return self._station(place)
            if kind == "hex":
                return self._hex(place)
        return None

    def _counts(self, counts: Sequence[int]) -> str:
        """Holders with their counts."""
        return ", ".join(f"{self.name(seat)} {count}" for seat, count in enumerate(counts) if count)

    def _line(self, line: int) -> Card:
        state, board = self.state, self.board
        record = board.lines[line]
        title = self._("Line {line} ({name})", line=record.id, name=record.name)
        if state.merged_into[line] >= 0:
            into = board.lines[state.merged_into[line]].id
            return Card(
                title,
                notes=(self._("{line} merges into {into}.", line=record.id, into=into),),
                rules=("merge-3",),
            )
        towns = [town.name for n, town in enumerate(board.towns) if state.connected[line] >> n & 1]
        worth = len(towns) * board.payments.per_town_shares
        rows = [
            Row(self._("Start town"), record.start),
            Row(self._("Shares in the supply"), str(state.ledger.held(share(record.id), "stock"))),
            Row(self._("Shares"), self._counts(all_shares(state, board, line)) or "–"),
            Row(self._("Connected towns"), str(len(towns)), "", ", ".join(towns)),
            Row(self._("Most shares when scored"), self.money(worth)),
        ]
        stations = self._counts(stations_on(state, line))
        if stations:
            rows.append(Row(self._("Stations"), stations))
        notes = [self._("The player who extends it takes a share from the supply.")]
        if state.isolated[line]:
            notes = [
                self._(
                    "It is isolated: it can reach nothing new, and has no shares "
                    "left in the supply."
                )
            ]
        return Card(
            title,
            tuple(rows),
            tuple(notes),
            ("share-1", "merge-4", "final-4") if not state.isolated[line] else ("iso-1", "iso-2"),
        )

    def _town(self, town: Town) -> Card:
        state, board = self.state, self.board
        number = board.towns.index(town)
        lines = [board.lines[n].id for n in living(state) if state.connected[n] >> number & 1]
        reached = Row(self._("Connected lines"), ", ".join(lines) or "–")
        if town.kind == "metropolis":
            row = state.ledger.items[token(town.name)]
            money = board.payments
            return Card(
                town.name,
                (
                    Row(self._("Metropolis"), self._(KIND_NAMES[town.industry])),
                    Row(self._("Tokens left here"), str(row.get("map", 0))),
                    Row(
                        self._("Tokens"),
                        self._counts([row.get(SEATS[n], 0) for n in range(state.seats)]) or "–",
                    ),
                    reached,
                ),
                (
                    self._(
                        "When a line is newly connected, most tokens pay {first} and second most "
                        "{second}.",
                        first=self.money(money.metropolis_first),
                        second=self.money(money.metropolis_second),
                    ),
                ),
                ("token-1", "metro-2"),
            )
        if town.kind == "start":
            line = board.lines[town.line].id
            return Card(
                town.name,
                (Row(self._("Start town of"), line), reached),
                (self._("Another line that reaches it merges with {line}.", line=line),),
                ("def-town", "merge-4"),
            )
        return Card(
            town.name,
            (Row(self._("Kind"), self._("Railway town")), reached),
            (
                self._(
                    "When a line is newly connected, the player with the most "
                    "stations on it receives {amount} for each town connected to it.",
                    amount=self.money(board.payments.per_town_stations),
                ),
            ),
            ("railtown-1", "railtown-2"),
        )

    def _station(self, place: int) -> Card:
        state, board = self.state, self.board
        owner = state.owner[place]
        rows = [Row(self._("Hex"), board.hex_names[place])]
        if owner >= 0:
            rows.append(Row(self._("Belongs to"), board.lines[owner].id))
            note = self._("It belongs to the line and stays where it is.")
            rules = ("station-4", "railtown-2")
        else:
            note = self._("It can be moved. A line that reaches this hex takes it over.")
            rules = ("station-3", "passenger-1")
        title = self._("Station of {name}", name=self.name(state.stations[place]))
        return Card(title, tuple(rows), (note,), rules)

    def _hex(self, place: int) -> Card:
        state, board = self.state, self.board
        if board.town_at[place] >= 0:
            return self._town(board.towns[board.town_at[place]])
        rows, notes = [], []
        owner = state.owner[place]
        if owner >= 0:
            rows.append(Row(self._("Track of"), board.lines[owner].id))
        if place in state.stations:
            rows.append(Row(self._("Station of"), self.name(state.stations[place])))
        near = [town.name for n, town in enumerate(board.towns) if board.near_towns[place] >> n & 1]
        rows.append(Row(self._("Next to"), ", ".join(near) or "–"))
        lines = [board.lines[n].id for n in sorted(touched_lines(state, board, owner, place))]
        if owner < 0 and lines:
            rows.append(Row(self._("Lines next to it"), ", ".join(lines)))
            notes.append(
                self._(
                    "A line that moves here merges with the line next to it. No line may move "
                    "next to two others."
                )
            )
        return Card(
            self._("Hex {hex}", hex=board.hex_names[place]),
            tuple(rows),
            tuple(notes),
            ("merge-1", "move-6") if notes else ("def-free",),
        )


def summaries(state: RocketState, board: Board, words: Words) -> list[Summary]:
    """A card per player: stations left, shares and tokens, with leads marked."""
    chips: list[list[Chip]] = [[] for _ in range(state.seats)]

    def compare(counts: Sequence[int], text: str, key: str = "") -> None:
        most = max(counts)
        for seat, count in enumerate(counts):
            if count:
                chips[seat].append(Chip(f"{text} {count}", key, count == most))

    for line in living(state):
        name = board.lines[line].id
        compare(all_shares(state, board, line), name, f"line:{name}")
    for kind, counts in kind_counts(state, board).items():
        compare(counts, words._(KIND_NAMES[kind]))
    left = [state.ledger.held(f"station:{SEATS[seat]}", "supply") for seat in range(state.seats)]
    return [
        Summary(
            words.name(seat),
            seat,
            figures=(Row(words._("Stations left"), str(left[seat])),),
            chips=tuple(chips[seat]),
        )
        for seat in range(state.seats)
    ]


def majorities(state: RocketState, board: Board, words: Words) -> Grid:
    """Shares of each line and tokens of each kind; a star marks the most."""
    lines = living(state)
    rows = [
        (
            Cell(board.lines[line].id, key=f"line:{board.lines[line].id}"),
            Cell(str(state.connected[line].bit_count())),
            Cell(str(state.ledger.held(share(board.lines[line].id), "stock"))),
            *_ranked(all_shares(state, board, line)),
        )
        for line in lines
    ]
    counts = kind_counts(state, board)
    rows += [
        (Cell(words._(KIND_NAMES[kind])), Cell(""), Cell(""), *_ranked(counts[kind]))
        for kind in KINDS
    ]
    players = tuple(range(state.seats))
    head = (words._("Lines"), words._("Towns"), words._("Stock"), *map(words.name, players))
    note = words._("★ has the most.")
    return Grid(words._("Majorities"), head, tuple(rows), note, brief=True, players=players)


def _ranked(counts: Sequence[int]) -> list[Cell]:
    most = max(counts)
    return [Cell(f"★{n}" if n == most else str(n)) if n else Cell("") for n in counts]


class RocketVoice(Statistics):
    """Texts of Stephenson's Rocket for one reader."""

    corrections = corrections.KINDS

    @singledispatchmethod
    def describe(self, event: Event) -> str:
        return super().describe(event)

    @describe.register
    def _scored(self, event: happened.Scored) -> str:
        parts = [
            self._(
                "{name} {amount} (has {count})",
                name=self.name(seat),
                amount=self.money(amount),
                count=event.counts[seat],
            )
            for seat, amount in sorted(enumerate(event.amounts), key=lambda pair: -pair[1])
            if amount
        ]
        paid = self._("{list}.", list=", ".join(parts)) if parts else self._("no one is paid.")
        return f"{super().describe(event)} {paid}"

    @describe.register
    def _shares_exchanged(self, event: happened.SharesExchanged) -> str:
        text = super().describe(event)
        if not event.supplementary:
            return text
        extra = self.ngettext(
            "{n} of them supplementary", "{n} of them supplementary", event.supplementary
        )
        return f"{text.removesuffix('.')}, {extra}."

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

    def amount_label(self, action: Action) -> str:
        return self._("Shares you bid") if isinstance(action, Bid) else ""

    def board_text(self, state: RocketState) -> list[Panel]:
        """Locomotives, stations and the track of each line."""
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
        """The possible share counts, each with a button if there are few."""
        if choice.amount is None:
            return Amounts()
        return Amounts(self._("Bid {amount}"), quick=tuple(raised(choice.amount)))

    # ---- descriptions of board elements

    def card(self, state: RocketState, key: str) -> Card | None:
        return Descriptions(self.words, self.boards.of(state), state).card(key)

    def outcome(self, events: Sequence[Event]) -> list[str]:
        """The effects of a move, without the move itself."""
        known = happened.LineExtended | happened.TrackLaid | happened.LetStood
        return [self.describe(event) for event in events if not isinstance(event, known)]

    # ---- holdings

    def panels(self, state: RocketState) -> list[Panel]:
        """Holdings of players, the lines, and the supply."""
        board = self.boards.of(state)
        shares = [all_shares(state, board, line) for line in range(len(board.lines))]
        tokens = kind_counts(state, board)
        found = [self._player_panel(state, seat, shares, tokens) for seat in range(state.seats)]
        return [*found, self._lines_panel(state), self._supply_panel(state)]

    def summaries(self, state: RocketState) -> list[Summary]:
        """A card per player."""
        return summaries(state, self.boards.of(state), self.words)

    def tables(self, state: RocketState) -> list[Grid]:
        """Majorities."""
        return [majorities(state, self.boards.of(state), self.words)]

    def _player_panel(
        self,
        state: RocketState,
        seat: int,
        shares: Sequence[Sequence[int]],
        tokens: Mapping[str, Sequence[int]],
    ) -> Panel:
        """Panel of a player, with all players' shares by line and tokens by kind."""
        board = self.boards.of(state)
        holder = SEATS[seat]
        money = state.ledger.items["money"]
        hidden = state.hidden_money and bool(state.agenda) and holder not in money
        rows = [Row(self._("Money"), "–" if hidden else self.money(money.get(holder, 0)))]
        for index, line in enumerate(board.lines):
            held = shares[index][seat]
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
        for kind in KINDS:
            if not tokens[kind][seat]:
                continue
            towns = [
                f"{board.towns[n].name} {count}" if count > 1 else board.towns[n].name
                for n in board.metropolises
                if board.towns[n].industry == kind
                and (count := state.ledger.held(token(board.towns[n].name), holder))
            ]
            label = self._("Tokens of {kind}", kind=self._(KIND_NAMES[kind]))
            rows.append(Row(label, str(tokens[kind][seat]), "", ", ".join(towns)))
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
                        self._("merged into {into}", into=board.lines[into].id),
                        "",
                        line.name,
                    )
                )
                continue
            stock = state.ledger.held(share(line.id), "stock")
            value = self.ngettext("{n} share in the supply", "{n} shares in the supply", stock)
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
