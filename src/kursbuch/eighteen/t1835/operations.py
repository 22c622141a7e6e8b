"""1835 with what is particular to its operating rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from kursbuch.core.play import Play
from kursbuch.eighteen.kernel import Runs, StationRight, TileRight
from kursbuch.eighteen.map import runs
from kursbuch.eighteen.pieces import PLAYERS
from kursbuch.eighteen.t1835 import phases, privates, prussia
from kursbuch.eighteen.t1835.game import (
    BY_HAND,
    CLEMENS,
    FREE_REVENUE,
    FREE_TRACK,
    MINORS_NEED_BAVARIA,
    MINORS_WAIT,
    NO_206,
    PRUSSIA,
    UNLIMITED_TILES,
    Game1835,
)
from kursbuch.eighteen.t1835.state import State1835

BAVARIA, SAXONY = "BY", "SX"


class Operations1835(Game1835):
    """The game with what happens in its operating rounds: Prussia's questions, the rights of the
    private railways, the effects of trains."""

    tile_right_rules: ClassVar[Mapping[str, str]] = {"OB": "3.1.3.2", "PF": "3.1.3.3"}
    station_right_rules: ClassVar[Mapping[str, str]] = {"NF": "3.1.3.1", "PF": "3.1.3.3b"}

    # ---- the round

    def begin_operating_round(self, play: Play[State1835]) -> None:
        play.state.ob_used = False
        prussia.begin_round(self, play)

    def minor_acts(self, state: State1835, minor: str) -> bool:
        """Minors may have to wait for the start packet or for Bavaria [7.3]."""
        if MINORS_WAIT in state.options and self.packet_left(state):
            return False
        waits = MINORS_NEED_BAVARIA in state.options or CLEMENS in state.options
        if waits and not state.companies[BAVARIA].operating:
            return False
        return super().minor_acts(state, minor)

    # ---- tiles and stations

    def checks_track(self, state: State1835) -> bool:
        return FREE_TRACK not in state.options

    def tiles_limited(self, state: State1835) -> bool:
        return UNLIMITED_TILES not in state.options

    def public_upgrades(self, state: State1835) -> bool:
        return NO_206 not in state.options

    def tile_rights(self, state: State1835, company: str) -> list[TileRight]:
        return privates.tile_rights(self, state, company)

    def station_rights(self, state: State1835, company: str) -> list[StationRight]:
        return privates.station_rights(self, state, company)

    def tile_right_used(self, play: Play[State1835], private: str) -> None:
        if private == "OB":
            play.state.ob_used = True

    def station_right_used(self, play: Play[State1835], private: str) -> None:
        """The free marker closes the railway [3.1.3.1, 3.1.3.3c]."""
        self.close_privates(play, (private,), "3.1.3.1" if private == "NF" else "3.1.3.3c")

    def tile_laid(self, play: Play[State1835], hex: str) -> None:
        self.close_privates(play, privates.spent(self, play.state), "3.1.3.2b")

    def reserves(self, state: State1835, company: str) -> bool:
        """Prussia gets the places of the minors, and none of its own is kept [5.5.2.8]."""
        return company != PRUSSIA and super().reserves(state, company)

    # ---- runs

    def running_trains(self, state: State1835, company: str) -> list[str]:
        """Trains that have run for a minor in this round do not run again for Prussia [4.5]."""
        trains = self.trains(state, company)
        if company == PRUSSIA:
            for train in state.idle:
                if train in trains:
                    trains.remove(train)
        return trains

    def best_runs(self, state: State1835, company: str) -> tuple[int, Runs]:
        trains = self.running_trains(state, company)
        if not trains:
            return 0, ()
        return runs.best_calls(self.components, self.position(state), company, trains)

    def runs_by_hand(self, state: State1835) -> bool:
        return BY_HAND in state.options

    def enters_revenue(self, state: State1835) -> bool:
        return FREE_REVENUE in state.options

    def dividend_percent(self, state: State1835, company: str, seat: int) -> int:
        """Shares got in this round for papers that have earned in it bring nothing [4.5]."""
        percent = self.percent(state, PLAYERS[seat], company)
        if company == PRUSSIA:
            percent = max(0, percent - prussia.refused(self, state, seat))
        return percent

    # ---- trains

    def give_train(self, state: State1835, company: str, train: str) -> bool:
        if company == PRUSSIA and train in state.idle:
            state.idle.remove(train)
            return True
        return super().give_train(state, company, train)

    def train_bought(self, play: Play[State1835], company: str) -> None:
        """LD closes when Saxony buys its first train [3.1.3.4]."""
        if company == SAXONY and self.owner(play.state, "LD") >= 0:
            self.close_privates(play, ("LD",), "3.1.3.4")

    def phase_began(self, play: Play[State1835], company: str) -> None:
        phases.phase_began(self, play, company)

    def surrender(self, play: Play[State1835], seat: int) -> None:
        prussia.surrender(self, play, seat)
