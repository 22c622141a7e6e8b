"""Positions of Railroad Dice for tests, made readably and consistently.

Players are called A, B, C, D, clockwise; A is on turn unless said otherwise. Squares are named as on
a chessboard with row 1 in the north: (3, 4) of the rule index is e4.

>>> scene = Scene(3)
>>> scene.line("A", "e4 f4 > E").front("A", straight=1, curve=1)
Scene(3)
>>> scene.refused("A lays A g4 to E")
'tile-2'
"""

from __future__ import annotations

from collections import Counter

import pytest

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.core.game import Game
from kursbuch.games.dice import TITLE, RailroadDice
from kursbuch.games.dice.actions import LayTrack
from kursbuch.games.dice.components import SIDES, STEPS
from kursbuch.games.dice.geography import large_tile
from kursbuch.games.dice.state import (
    BEHIND,
    FRONT,
    SEATS,
    DiceState,
    End,
    Large,
    Piece,
    Small,
    Turn,
    built,
    faces,
    on_tile,
    share,
    small,
)

NAMES = "ABCD"
KINDS = ("straight", "curve", "share", "question")


class Scene:
    """A game in a position made for a test. The methods that set something return the scene.

    No one has dice at first; those not set lie in the bank.
    """

    def __init__(
        self,
        players: int = 4,
        *,
        year: int = 2,
        title: RailroadDice = TITLE,
        bank: str = "standard",
    ) -> None:
        self.game = Game(title, NAMES[:players], seed="scene", options={"bank": bank})
        self.why = ""
        self.title = title
        self.state.year = year
        for seat in range(players):
            for holder in (*FRONT[seat], BEHIND[seat]):
                held = self.state.ledger.held("die", holder)
                self.state.ledger.move("die", holder, "supply", held)
        self.turn("A")

    def __repr__(self) -> str:
        return f"Scene({self.state.seats})"

    @property
    def state(self) -> DiceState:
        state = self.game.state
        assert isinstance(state, DiceState)
        return state

    # ---- making the position

    def turn(self, player: str, *, first: str = "A", income: bool = False) -> Scene:
        """Whose turn it is, and who began the year."""
        seat = NAMES.index(player)
        self.state.start = NAMES.index(first)
        self.state.turns = (seat - self.state.start) % self.state.seats
        self.state.agenda[:] = [Turn(seat, income)]
        return self

    def front(self, player: str, **counts: int) -> Scene:
        """Dice in front of a screen, from the bank."""
        for kind, count in counts.items():
            holder = FRONT[NAMES.index(player)][KINDS.index(kind)]
            self.state.ledger.move("die", "supply", holder, count)
        return self

    def behind(self, player: str, count: int) -> Scene:
        """Dice behind a screen, from the bank."""
        self.state.ledger.move("die", "supply", BEHIND[NAMES.index(player)], count)
        return self

    def bank(self, left: int) -> Scene:
        """This many dice are left in the bank; the others lie out of reach."""
        held = self.state.ledger.held("die", "supply")
        self.state.ledger.move("die", "supply", "away", held - left)
        return self

    def shares(self, company: str, **holders: int) -> Scene:
        """Shares from the bank."""
        for player, count in holders.items():
            self.state.ledger.move(share(company), "supply", SEATS[NAMES.index(player)], count)
        return self

    def director(self, player: str, *companies: str) -> Scene:
        """A player directs companies."""
        for company in companies:
            self.state.directors[self.company(company)] = NAMES.index(player)
        return self

    def built(self, company: str, terrain: str, cost: int, count: int = 1) -> Scene:
        """Stations built somewhere long ago."""
        self.state.ledger.move(f"station:{company}:{terrain}:{cost}", "card", "map", count)
        return self

    def passengers(self, **counts: int) -> Scene:
        """Passenger counters."""
        for player, count in counts.items():
            self.state.ledger.move("passengers", "bank", SEATS[NAMES.index(player)], count)
        return self

    def line(self, end: str, path: str) -> Scene:
        """Track laid at an end: squares, then the side the last piece leads to, as in "e4 f4 > N"."""
        state, board = self.state, self.title.board
        squares, _, last = path.partition(">")
        route = [board.square_index[name] for name in squares.split()]
        tip = state.ends[NAMES.index(end)]
        large = large_tile(state, tip.small)
        back = -1
        if tip.square >= 0:
            previous = tip.square
            for piece in large.pieces:
                if piece.square == previous and piece.front < 0:
                    piece.front = board.neighbours[previous].index(route[0])
            back = (board.neighbours[previous].index(route[0]) + 2) % 4
        else:
            back = tip.front
        for here, there in zip(route, [*route[1:], -1], strict=True):
            front = SIDES.index(last.strip()) if there < 0 else board.neighbours[here].index(there)
            assert all(piece.square != here for piece in large.pieces), "the square is taken"
            large.pieces.append(Piece(here, back, front))
            state.ledger.move("die", "supply", on_tile(tip.small))
            state.ends[NAMES.index(end)] = End(tip.small, here, front)
            back = (front + 2) % 4
        return self

    def cross(self, end: str, tile: str, path: str, rotation: int = 0) -> Scene:
        """A new tile beyond the edge the end leads against, with track on it."""
        state, board = self.state, self.title.board
        old = state.ends[NAMES.index(end)]
        place = state.landscape[old.small]
        rows, columns = STEPS[old.front]
        number = len(state.landscape)
        self.place(place.row + rows, place.column + columns, tile, rotation)
        state.large.append(Large(number, []))
        entry = board.opposite[old.square][old.front]
        assert path.split()[0] == board.names[entry], "the line comes in elsewhere"
        state.ends[NAMES.index(end)] = End(number, -1, (old.front + 2) % 4)
        self.line(end, path)
        if all(other.small != old.small for other in state.ends):
            large = large_tile(state, old.small)
            for piece in large.pieces:
                if piece.company >= 0:
                    place.stations |= 1 << piece.company
            dice = state.ledger.held("die", on_tile(old.small))
            state.ledger.move("die", on_tile(old.small), "supply", dice)
            state.large.remove(large)
        return self

    def place(self, row: int, column: int, tile: str, rotation: int = 0) -> Scene:
        """A small tile that came into the landscape earlier."""
        assert all((s.row, s.column) != (row, column) for s in self.state.landscape)
        self.state.ledger.move(small(tile), "supply", "landscape")
        index = self.title.board.tile_index[tile]
        self.state.landscape.append(Small(row, column, index, rotation))
        return self

    def tiles(self, **left: int) -> Scene:
        """This many small tiles of a type are left; the others lie out of reach."""
        for tile, count in left.items():
            held = self.state.ledger.held(small(tile), "supply")
            self.state.ledger.move(small(tile), "supply", "away", held - count)
        return self

    def station(self, end: str, company: str, square: str, terrain: str, cost: int) -> Scene:
        """A station at an end of the line, built earlier."""
        board, index = self.title.board, NAMES.index(end)
        tip = self.state.ends[index]
        where = board.square_index[square]
        assert board.neighbours[tip.square][tip.front] == where
        back = (tip.front + 2) % 4
        piece = Piece(where, back, -1, self.company(company))
        large_tile(self.state, tip.small).pieces.append(piece)
        self.state.ends[index] = End(tip.small, where, -1)
        return self.built(company, terrain, cost)

    def moved_station(self, company: str, row: int, column: int) -> Scene:
        """A station on a small tile, which is laid out if it is not there yet."""
        stocks = self.title.board.stocks_of[self.company(company)]
        ledger = self.state.ledger
        ledger.move(next(s.item for s in stocks if ledger.held(s.item, "card")), "card", "map")
        for tile in self.state.landscape:
            if (tile.row, tile.column) == (row, column):
                tile.stations |= 1 << self.company(company)
                break
        else:
            self.place(row, column, "meadow")
            self.state.landscape[-1].stations = 1 << self.company(company)
        return self

    # ---- acting

    def action(self, text: str) -> Action:
        """The action of a line of text."""
        return self.game.parse(text)

    def do(self, *texts: str) -> list[Event]:
        """Carry out actions; all that happened."""
        happened: list[Event] = []
        for text in texts:
            assert self.allowed(text), f"{text}: {self.why}"
            happened += self.game.apply(self.action(text))
            consistent(self.state, self.title)
        return happened

    def refused(self, text: str) -> str:
        """The rule that forbids an action; nothing may have changed."""
        before = self.title.encode(self.state)
        assert not self.allowed(text), f"{text} is allowed"
        with pytest.raises(IllegalAction) as error:
            self.game.apply(self.action(text))
        assert self.title.encode(self.state) == before
        return error.value.rule

    def allowed(self, text: str) -> bool:
        """Whether an action is allowed, by the check and by the list alike."""
        action = self.action(text)
        covered = any(choice.covers(action) for choice in self.game.legal_actions(action.seat))
        self.why = ""
        try:
            self.game.position.check(action)
        except IllegalAction as error:
            self.why = f"{error} [{error.rule}]"
        assert covered == (not self.why), f"{text}: in the list {covered}, refused: {self.why!r}"
        return covered

    def choices(self, player: str, kind: type[Action]) -> list[Choice]:
        """The choices of a player of one kind."""
        found = self.game.legal_actions(NAMES.index(player))
        return [choice for choice in found if isinstance(choice.action, kind)]

    def end_turns(self, count: int) -> list[Event]:
        """This many players in a row do nothing."""
        happened: list[Event] = []
        for _ in range(count):
            happened += self.do(f"{self.on_turn()} ends turn")
        return happened

    # ---- looking

    def company(self, company: str) -> int:
        """The number of a company."""
        return self.title.board.company_index[company]

    def step(self) -> str:
        """What is to be decided: the tag of the step, empty when the game is over."""
        return self.game.pending[0].step if self.game.pending else ""

    def on_turn(self) -> str:
        """Who has to decide."""
        return NAMES[self.game.pending[0].seat]

    def faces(self, player: str) -> dict[str, int]:
        """The dice in front of a screen."""
        counts = zip(KINDS, faces(self.state, NAMES.index(player)), strict=True)
        return {kind: count for kind, count in counts if count}

    def hidden(self, player: str) -> int:
        """The dice behind a screen."""
        return self.state.ledger.held("die", BEHIND[NAMES.index(player)])

    def supply(self) -> int:
        """The dice in the bank."""
        return self.state.ledger.held("die", "supply")

    def held(self, company: str) -> list[int]:
        """Every player's shares of a company."""
        ledger = self.state.ledger
        return [ledger.held(share(company), SEATS[seat]) for seat in range(self.state.seats)]

    def counters(self) -> list[int]:
        """Every player's passenger counters."""
        ledger = self.state.ledger
        return [ledger.held("passengers", SEATS[seat]) for seat in range(self.state.seats)]

    def director_of(self, company: str) -> str:
        """The director of a company, empty if it has none."""
        seat = self.state.directors[self.company(company)]
        return "" if seat is None else NAMES[seat]


def pieces(scene: Scene, end: str) -> set[str]:
    """The pieces that can be laid at an end: "e4E" is a piece on e4 leading east."""
    return {
        choice.action.square + choice.action.side
        for choice in scene.choices(scene.on_turn(), LayTrack)
        if isinstance(choice.action, LayTrack) and choice.action.end == end
    }


def rich(scene: Scene) -> Scene:
    """Enough dice in front of A for any piece."""
    return scene.front("A", straight=4, curve=4, question=2)


def consistent(state: DiceState, title: RailroadDice) -> None:
    """What must hold in every position: the tiles agree with the ledger and with themselves."""
    board, ledger = title.board, state.ledger
    for row in ledger.items.values():
        assert all(count >= 0 for holder, count in row.items() if holder != "bank")
    assert sum(ledger.items["die"].values()) == board.dice + state.added_dice
    assert sum(ledger.items["passengers"].values()) == 0
    assert ledger.held("die", "rolling") == 0
    places = [(tile.row, tile.column) for tile in state.landscape]
    assert len(places) == len(set(places))
    laid = Counter(tile.tile for tile in state.landscape)
    for index, tile in enumerate(board.tiles):
        assert ledger.held(small(tile.id), "landscape") == laid[index]
    for company in board.companies:
        assert sum(ledger.items[share(company.id)].values()) == company.shares
    in_play = {large.small for large in state.large}
    assert {end.small for end in state.ends} | {0} >= in_play >= {end.small for end in state.ends}
    for large in state.large:
        squares = [piece.square for piece in large.pieces]
        assert len(squares) == len(set(squares))
        track = [piece for piece in large.pieces if piece.company < 0]
        assert ledger.held("die", on_tile(large.small)) == len(track)
        here = {piece.square: piece for piece in large.pieces}
        for piece in large.pieces:
            tip = any(end.small == large.small and end.square == piece.square for end in state.ends)
            for side in (piece.back, piece.front):
                if side < 0:
                    assert tip
                    assert piece.company >= 0
                    continue
                other = board.neighbours[piece.square][side]
                if other in here:
                    met = here[other]
                    assert (side + 2) % 4 in (met.back, met.front)
        companies = [piece.company for piece in large.pieces if piece.company >= 0]
        assert len(companies) == len(set(companies))
    stations = Counter(
        company
        for tile in state.landscape
        for company in range(len(board.companies))
        if tile.stations >> company & 1
    )
    for large in state.large:
        stations.update(piece.company for piece in large.pieces if piece.company >= 0)
    for index in range(len(board.companies)):
        assert built(state, board, index) >= stations[index]
