"""Positions of Stephenson's Rocket for tests, made readably and consistently.

Players are called A, B, C, D, clockwise; A is active unless said otherwise.

>>> scene = Scene(players=3)
>>> scene.line("GWR", "L9 L11 K12").shares("GWR", A=1, B=2)
Scene(3)
>>> events = scene.do("A extends GWR to K14")
>>> scene.real("GWR"), scene.deciders()
([2, 2, 0], ['B'])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import pytest

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event, Payment
from kursbuch.core.game import Game
from kursbuch.games.rocket import TITLE, Rocket
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.state import SEATS, RocketState, Track, Turn, share, supplementary, token
from tests.happened import every

NAMES = "ABCD"
LINES = ("LMR", "YNM", "LBR", "GER", "GWR", "LSWR", "LBSC")


def kinds(events: Iterable[Event]) -> list[str]:
    """The tags of the events in order."""
    return [str(type(event).__struct_config__.tag) for event in events]


def payments(events: Iterable[Event]) -> list[tuple[int, ...]]:
    """The amounts of every payment in order."""
    return [event.amounts for event in every(events, Payment)]


class Scene:
    """A game in a position made for a test. The methods that set something return the scene."""

    def __init__(
        self, players: int = 4, *, title: Rocket = TITLE, options: dict[str, str] | None = None
    ) -> None:
        self.game = Game(title, NAMES[:players], options, seed="scene")
        self.title = title
        self.turn("A")

    def __repr__(self) -> str:
        return f"Scene({self.state.seats})"

    @property
    def state(self) -> RocketState:
        state = self.game.state
        assert isinstance(state, RocketState)
        return state

    @property
    def board(self) -> Board:
        return self.title.boards.of(self.state)

    # ---- making the position

    def turn(self, player: str, action: int = 1, moved: Sequence[str] = ()) -> Scene:
        """Whose turn it is, at which of the two actions, with which lines already moved."""
        seat = NAMES.index(player)
        self.state.start = seat
        self.state.agenda[:] = [Turn(seat, action, [self.index(line) for line in moved])]
        return self

    def line(self, line: str, path: str, connected: Iterable[str] | None = None) -> Scene:
        """The locomotive has come along these hexes, the start town first.

        The line is connected to every town it passed, or to the start town and those of
        `connected` only.
        """
        state, board, index = self.state, self.board, self.index(line)
        places = [board.hex_index[name] for name in path.split()]
        assert places[0] == board.start_hex[index], "a path begins in the start town"
        facing = -1
        for here, there in pairwise(places):
            edge = board.neighbours[here].index(there)
            assert facing < 0 or (edge - facing) % 6 in (5, 0, 1), "locomotives turn gently"
            assert state.owner[there] < 0, f"{board.hex_names[there]} is taken"
            assert board.town_at[there] < 0, f"{board.hex_names[there]} is a town"
            if facing >= 0:
                state.ledger.move("tile", "supply", "map")
                state.track.append(Track(here, (facing + 3) % 6, edge, index))
            state.owner[there] = index
            if connected is None:
                state.connected[index] |= board.near_towns[there] & ~board.start_towns
            facing = edge
        state.locomotive[index] = places[-1]
        state.facing[index] = facing
        return self.connect(line, *(connected or ()))

    def connect(self, line: str, *towns: str) -> Scene:
        """The line is also connected to these towns."""
        names = [town.name for town in self.board.towns]
        for town in towns:
            self.state.connected[self.index(line)] |= 1 << names.index(town)
        return self

    def dissolve(self, line: str, into: str) -> Scene:
        """The line was merged into another earlier; no one had shares of it."""
        state, index, other = self.state, self.index(line), self.index(into)
        state.ledger.move(share(line), "stock", "gone", state.ledger.held(share(line), "stock"))
        if state.facing[index] >= 0:
            state.ledger.move("tile", "supply", "map")
            rear = (state.facing[index] + 3) % 6
            state.track.append(Track(state.locomotive[index], rear, state.facing[index], index))
        state.locomotive[index] = state.facing[index] = -1
        state.merged_into[index] = other
        state.owner[:] = [other if owner == index else owner for owner in state.owner]
        state.connected[other] |= state.connected[index]
        return self

    def isolate(self, *lines: str) -> Scene:
        """The lines were found isolated earlier."""
        for line in lines:
            self.state.isolated[self.index(line)] = True
            self.stock(line, 0)
        return self

    def shares(self, line: str, **holders: int) -> Scene:
        """Real shares, from the stock."""
        for player, count in holders.items():
            self.state.ledger.move(share(line), "stock", self.holder(player), count)
        return self

    def supplementary(self, line: str, **holders: int) -> Scene:
        """Supplementary shares that stand for the line, from their stock."""
        for player, count in holders.items():
            self.state.ledger.move(
                "supplementary", "stock", supplementary(NAMES.index(player), line), count
            )
        return self

    def stock(self, line: str, left: int) -> Scene:
        """This many shares of the line are left in stock; others leave the game."""
        held = self.state.ledger.held(share(line), "stock")
        self.state.ledger.move(share(line), "stock", "gone", held - left)
        return self

    def stocks(self, left: int, *lines: str) -> Scene:
        """The same for several lines."""
        for line in lines:
            self.stock(line, left)
        return self

    def supplementary_stock(self, left: int) -> Scene:
        """This many supplementary shares are left."""
        held = self.state.ledger.held("supplementary", "stock")
        self.state.ledger.move("supplementary", "stock", "gone", held - left)
        return self

    def tiles(self, left: int) -> Scene:
        """This many track tiles are left."""
        held = self.state.ledger.held("tile", "supply")
        self.state.ledger.move("tile", "supply", "map", held - left)
        return self

    def tokens(self, metropolis: str, **holders: int) -> Scene:
        """Metropolis tokens."""
        for player, count in holders.items():
            self.state.ledger.move(token(metropolis), "map", self.holder(player), count)
        return self

    def passengers(self, **holders: int) -> Scene:
        """Passenger tokens."""
        for player, count in holders.items():
            self.state.ledger.move("passenger", "supply", self.holder(player), count)
        return self

    def stations(self, player: str, hexes: str) -> Scene:
        """Stations of a player, on open land or on hexes of a line."""
        for name in hexes.split():
            place = self.board.hex_index[name]
            assert place not in self.state.stations
            self.state.ledger.move(f"station:{self.holder(player)}", "supply", "map")
            self.state.stations[place] = NAMES.index(player)
        return self

    # ---- acting

    def action(self, text: str) -> Action:
        """The action of a line of text."""
        return self.game.parse(text)

    def do(self, *texts: str) -> list[Event]:
        """Carry out actions; all that happened."""
        happened: list[Event] = []
        for text in texts:
            happened += self.game.apply(self.action(text))
        return happened

    def agree(self) -> list[Event]:
        """No one who is asked calls a veto round."""
        happened: list[Event] = []
        while self.step() == "objection":
            happened += self.do(f"{self.deciders()[0]} agrees")
        return happened

    def extend(self, text: str) -> list[Event]:
        """A move of a locomotive to which no one objects."""
        return [*self.do(text), *self.agree()]

    def refused(self, text: str) -> str:
        """The rule that forbids an action; nothing may have changed."""
        action = self.action(text)
        before = self.title.encode(self.state)
        covered = any(choice.covers(action) for choice in self.game.legal_actions(action.seat))
        assert not covered, f"{text} is among the legal actions"
        with pytest.raises(IllegalAction) as error:
            self.game.apply(action)
        assert self.title.encode(self.state) == before
        return error.value.rule

    def sentence(self, text: str) -> str:
        """What is said when an action is refused."""
        with pytest.raises(IllegalAction) as error:
            self.game.apply(self.action(text))
        return str(error.value)

    def allowed(self, text: str) -> bool:
        """Whether an action is allowed, by the check and by the list alike."""
        action = self.action(text)
        covered = any(choice.covers(action) for choice in self.game.legal_actions(action.seat))
        try:
            self.game.position.check(action)
        except IllegalAction:
            assert not covered, f"{text} is in the list but refused"
            return False
        assert covered, f"{text} is not in the list but allowed"
        return True

    def choices(self, player: str, kind: type[Action]) -> list[Choice]:
        """The choices of a player of one kind."""
        return [
            choice
            for choice in self.game.legal_actions(NAMES.index(player))
            if isinstance(choice.action, kind)
        ]

    def targets(self, line: str) -> set[str]:
        """The hexes the active player may move the locomotive of a line to."""
        from kursbuch.games.rocket.actions import ExtendLine

        seat = self.game.pending[0].seat
        return {
            choice.action.hex
            for choice in self.choices(NAMES[seat], ExtendLine)
            if isinstance(choice.action, ExtendLine) and choice.action.line == line
        }

    # ---- looking

    def index(self, line: str) -> int:
        """The number of a line."""
        return self.title.boards.usual.line_index[line]

    def holder(self, player: str) -> str:
        """The ledger's name of a player."""
        return SEATS[NAMES.index(player)]

    def step(self) -> str:
        """What is to be decided: the tag of the step, empty when the game is over."""
        return self.game.pending[0].step if self.game.pending else ""

    def deciders(self) -> list[str]:
        """Who has to decide."""
        return [NAMES[decision.seat] for decision in self.game.pending]

    def _row(self, item: str) -> list[int]:
        return [self.state.ledger.held(item, SEATS[seat]) for seat in range(self.state.seats)]

    def real(self, line: str) -> list[int]:
        """Every player's real shares of a line."""
        return self._row(share(line))

    def extra(self, line: str) -> list[int]:
        """Every player's supplementary shares of a line."""
        ledger = self.state.ledger
        return [
            ledger.held("supplementary", supplementary(seat, line))
            for seat in range(self.state.seats)
        ]

    def left(self, line: str) -> int:
        """The shares of a line in stock."""
        return self.state.ledger.held(share(line), "stock")

    def gone(self, line: str) -> int:
        """The shares of a line that are out of the game."""
        return self.state.ledger.held(share(line), "gone")

    def money(self) -> list[int]:
        """Every player's money."""
        return self._row("money")

    def held(self, item: str, player: str) -> int:
        """How many of an item a player has."""
        return self.state.ledger.held(item, self.holder(player))

    def supply(self, item: str, holder: str = "supply") -> int:
        """How many of an item are in a supply."""
        return self.state.ledger.held(item, holder)

    def at(self, line: str) -> str:
        """The hex of a locomotive, empty for a dissolved line."""
        place = self.state.locomotive[self.index(line)]
        return self.board.hex_names[place] if place >= 0 else ""

    def owner(self, hex_name: str) -> str:
        """The line a hex belongs to, empty for none."""
        owner = self.state.owner[self.board.hex_index[hex_name]]
        return LINES[owner] if owner >= 0 else ""

    def towns(self, line: str) -> set[str]:
        """The towns a line is connected to."""
        mask = self.state.connected[self.index(line)]
        return {town.name for number, town in enumerate(self.board.towns) if mask >> number & 1}

    def track(self) -> dict[str, set[int]]:
        """The track tiles on the map with the two edges each joins."""
        return {self.board.hex_names[tile.hex]: {tile.rear, tile.exit} for tile in self.state.track}

    def station_hexes(self, player: str) -> set[str]:
        """Where a player's stations are."""
        seat = NAMES.index(player)
        return {
            self.board.hex_names[place]
            for place, owner in self.state.stations.items()
            if owner == seat
        }


def consistent(state: RocketState, board: Board) -> None:
    """What must hold in every position: the map agrees with the ledger and with itself."""
    ledger = state.ledger
    for row in ledger.items.values():
        assert all(count >= 0 for holder, count in row.items() if holder != "bank")
    counts = Counter(state.stations.values())
    for seat in range(state.seats):
        assert ledger.held(f"station:{seat}", "map") == counts[seat]
    tiles = [tile.hex for tile in state.track]
    assert ledger.held("tile", "map") == len(tiles) == len(set(tiles))
    engines = {place: line for line, place in enumerate(state.locomotive) if place >= 0}
    for line, into in enumerate(state.merged_into):
        assert (into >= 0) == (state.locomotive[line] < 0)
    for place, line in engines.items():
        assert state.owner[place] == line
        assert (state.facing[line] < 0) == (place == board.start_hex[line])
    covered = {*tiles, *engines, *board.start_hex}
    if ledger.held("tile", "supply"):
        assert {n for n, owner in enumerate(state.owner) if owner >= 0} == covered
    for place in {*tiles, *state.stations}:
        assert board.town_at[place] < 0
    for place, owner in enumerate(state.owner):
        if owner >= 0:
            assert state.merged_into[owner] < 0
            assert state.connected[owner] & board.near_towns[place] & ~board.start_towns == (
                board.near_towns[place] & ~board.start_towns
            )
    for line, start in enumerate(board.start_hex):
        assert state.connected[state.owner[start]] & board.start_bit[line]
    seen = 0
    for line, into in enumerate(state.merged_into):
        if into < 0:
            assert state.connected[line] & board.start_towns & seen == 0
            seen |= state.connected[line] & board.start_towns
    assert seen == board.start_towns
    for line, isolated in enumerate(state.isolated):
        if isolated:
            assert ledger.held(f"share:{board.lines[line].id}", "stock") == 0
    for one in state.stations:
        if state.owner[one] < 0:
            assert not any(n in state.stations for n in board.around[one])
