"""Cards about what lies on the map of Stephenson's Rocket: hexes, towns, lines, stations."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.voice import Card, Row, Speech
from kursbuch.core.words import Words
from kursbuch.games.rocket.components import KIND_NAMES, Board, Town
from kursbuch.games.rocket.counts import all_shares, living, stations_on
from kursbuch.games.rocket.geography import touched_lines
from kursbuch.games.rocket.state import SEATS, RocketState, share, token


class Cards(Speech):
    """Says what an element of the map is."""

    def __init__(self, words: Words, board: Board, state: RocketState) -> None:
        super().__init__(words)
        self.board = board
        self.state = state

    def card(self, key: str) -> Card | None:
        """The card of the element with that key."""
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
        """Who has how many."""
        return ", ".join(f"{self.name(seat)} {count}" for seat, count in enumerate(counts) if count)

    def _line(self, line: int) -> Card:
        state, board = self.state, self.board
        record = board.lines[line]
        title = self._("Line {line} ({name})", line=record.id, name=record.name)
        if state.merged_into[line] >= 0:
            into = board.lines[state.merged_into[line]].id
            return Card(
                title,
                notes=(self._("{line} is dissolved into {into}.", line=record.id, into=into),),
                rules=("merge-3",),
            )
        towns = [town.name for n, town in enumerate(board.towns) if state.connected[line] >> n & 1]
        worth = len(towns) * board.payments.per_town_shares
        rows = [
            Row(self._("Start town"), record.start),
            Row(self._("Shares in stock"), str(state.ledger.held(share(record.id), "stock"))),
            Row(self._("Shares"), self._counts(all_shares(state, board, line)) or "–"),
            Row(self._("Connected towns"), str(len(towns)), "", ", ".join(towns)),
            Row(self._("Most shares when scored"), self.money(worth)),
        ]
        stations = self._counts(stations_on(state, line))
        if stations:
            rows.append(Row(self._("Stations"), stations))
        notes = [self._("Whoever extends it takes a share from the stock.")]
        if state.isolated[line]:
            notes = [
                self._(
                    "It is isolated: it reaches nothing new and has no shares in stock any more."
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
                        "When a line is newly connected, most tokens bring {first} and second most {second}.",
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
                (self._("Another line that comes to it merges with {line}.", line=line),),
                ("def-town", "merge-4"),
            )
        return Card(
            town.name,
            (Row(self._("Kind"), self._("Railway town")), reached),
            (
                self._(
                    "When a line is newly connected, most stations on that line bring {amount} for each town "
                    "connected to it.",
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
            note = self._("It belongs to the line and stays there.")
            rules = ("station-4", "railtown-2")
        else:
            note = self._("It can be moved, and a line that comes here takes it up.")
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
                    "Another line that comes here merges with the one next to it; no line may come "
                    "next to two others."
                )
            )
        return Card(
            self._("Hex {hex}", hex=board.hex_names[place]),
            tuple(rows),
            tuple(notes),
            ("merge-1", "move-6") if notes else ("def-free",),
        )
