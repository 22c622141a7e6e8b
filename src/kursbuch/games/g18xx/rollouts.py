"""Track without thought, for imagined games: the tiles and tokens of games played before.

To judge tiles takes nine tenths of a game between computer opponents. Where only the course of the game
matters, every company lays what it laid in one of a few reference games, as far as that is possible
(`tracks.json` of a title, made by `python -m benchmarks.worths tracks`).
"""

from __future__ import annotations

import random
from functools import lru_cache
from importlib import resources
from typing import Any, Generic, TypeVar

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.evaluator import PlayoutPolicy
from kursbuch.games.g18xx.actions import Done, LayTile, PlaceStation
from kursbuch.games.g18xx.map.board import COLOURS
from kursbuch.games.g18xx.rules.token_step import PlaceRules
from kursbuch.games.g18xx.rules.track_step import BuildRules
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import Build, EighteenState, Place

StateT = TypeVar("StateT", bound="EighteenState[Any]", contravariant=True)

#: So many tiles of the list are tried in a turn.
TRIALS = 4


class Track(msgspec.Struct, frozen=True):
    """What companies built in one game, in this order: tiles as ("L6", "57", 0), tokens as
    ("L6", 0)."""

    tiles: dict[str, tuple[tuple[str, str, int], ...]]
    tokens: dict[str, tuple[tuple[str, int], ...]]


@lru_cache
def tracks(package: str) -> tuple[Track, ...]:
    """The reference games in the package of a title."""
    data = (resources.files(package) / "tracks.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[Track, ...])


class Scripted(PlayoutPolicy[StateT], Generic[StateT]):
    """A course in which the track of every company follows one of the reference games. They knew what connects
    to what, so it is best played where that is not asked (`Variants.free_track`)."""

    def __init__(self, book: Ruleset[Any], games: tuple[Track, ...], rng: random.Random) -> None:
        self.book: Any = book
        #: The games each company follows: the second one if nothing of the first is possible.
        self.tracks = {
            company: rng.sample(games, 2) for company in (*book.components.minors, *book.public)
        }
        self.build = BuildRules(book)
        self.place = PlaceRules(book)

    def action(self, state: StateT, seat: int) -> Action | None:
        step = state.agenda[-1]
        if isinstance(step, Build):
            return self._tile(state, step, seat) or Done(seat)
        if isinstance(step, Place):
            return self._token(state, step, seat) or Done(seat)
        return None

    def _tile(self, state: StateT, step: Build, seat: int) -> Action | None:
        board, book = self.book.components.board, self.book
        if len(step.laid) >= book.builder.allowed(state, step.company):
            return None
        offered = book.phase(state).tiles
        laid = state.layout.tiles
        trials = TRIALS
        for track in self.tracks[step.company]:
            for hex, tile, rotation in track.tiles.get(step.company, ()):
                colour = board.tiles[tile].colour
                if colour not in offered or hex in step.laid:
                    continue
                lies = laid.get(hex)
                if lies is not None and COLOURS.index(
                    board.tiles[lies.tile].colour
                ) >= COLOURS.index(colour):
                    continue
                action = LayTile(seat, hex, tile, rotation)
                if self.build.tile_problem(state, step, action) is None:
                    return action
                trials -= 1
                if not trials:
                    break
            trials = TRIALS
        return None

    def _token(self, state: StateT, step: Place, seat: int) -> Action | None:
        if step.placed:
            return None
        money = self.book.money(state, step.company)
        for hex, stop in self.tracks[step.company][0].tokens.get(step.company, ()):
            if self.book.station(state, step.company, hex) is not None:
                continue
            # What is left must still pay for a train.
            if 2 * self.book.builder.station_cost(state, step.company, hex) > money:
                continue
            action = PlaceStation(seat, hex, stop)
            if self.place.problem(state, step, action) is None:
                return action
            return None
        return None
