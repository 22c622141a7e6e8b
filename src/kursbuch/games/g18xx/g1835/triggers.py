"""Triggers of 1835: the start packet, Prussia, and used-up privates [3.1.3.1 to 3.1.3.4]."""

from __future__ import annotations

from kursbuch.core.play import Play
from kursbuch.core.state import Step
from kursbuch.games.g18xx.g1835 import prussia
from kursbuch.games.g18xx.g1835.ruleset import SAXONY, Ruleset1835
from kursbuch.games.g18xx.g1835.state import PacketTurn, State1835
from kursbuch.games.g18xx.ruleset import Triggers
from kursbuch.games.g18xx.state import Limits, Round


def close_spent(ruleset: Ruleset1835, play: Play[State1835]) -> None:
    """Close OB once both its hexes have a tile, whichever company laid them [3.1.3.2b]."""
    state = play.state
    built = all(hex in state.layout.tiles for hex in ruleset.named("OB"))
    if built and ruleset.owner(state, "OB") is not None:
        ruleset.close_privates(play, ("OB",), "3.1.3.2b")


def free_station_placed(ruleset: Ruleset1835, play: Play[State1835], private: str) -> None:
    """Close a private whose free token has been placed [3.1.3.1, 3.1.3.3c]."""
    ruleset.close_privates(play, (private,), "3.1.3.1" if private == "NF" else "3.1.3.3c")


def train_bought(ruleset: Ruleset1835, play: Play[State1835], company: str) -> None:
    """Close LD when Saxony buys its first train [3.1.3.4]."""
    if company == SAXONY and ruleset.owner(play.state, "LD") is not None:
        ruleset.close_privates(play, ("LD",), "3.1.3.4")


class Triggers1835(Triggers[State1835]):
    """Triggers of 1835."""

    def __init__(self, ruleset: Ruleset1835) -> None:
        self.ruleset = ruleset

    def first_turn(self, state: State1835) -> Step:
        """Begin with the start packet while papers are left [2.5.3]."""
        if self.ruleset.packet_left(state):
            return PacketTurn(state.priority)
        return super().first_turn(state)

    def stock_round_began(self, play: Play[State1835]) -> None:
        """Ask about Prussia before the first turn [4-intro, 4.7]."""
        prussia.begin_round(self.ruleset, play)

    def operating_round_began(self, play: Play[State1835]) -> None:
        play.state.ob_used = False
        prussia.begin_round(self.ruleset, play)

    def round_corrected(self, state: State1835, before: Round) -> None:
        state.ob_used = False
        prussia.settle_round(state)

    def tile_laid(self, play: Play[State1835], hex: str, private: str) -> None:
        if private == "OB":
            play.state.ob_used = True
        close_spent(self.ruleset, play)

    def free_station_placed(self, play: Play[State1835], private: str) -> None:
        free_station_placed(self.ruleset, play, private)

    def train_bought(self, play: Play[State1835], company: str, train: str, source: str) -> None:
        train_bought(self.ruleset, play, company)

    def phase_began(self, play: Play[State1835], company: str, seat: int) -> None:
        """Push the decisions in reverse order of the rulebook; the last one comes first."""
        train = self.ruleset.phase(play.state).starts_with_train
        if train == "4":
            # Surplus trains, then the offer to open Prussia [5.5.4.14.2].
            prussia.first_four(self.ruleset, play)
            play.push(Limits(seat))
        elif train == "4+4":
            # Prussia has to open [5.5.4.14.3].
            prussia.force_open(self.ruleset, play)
        elif train == "5":
            # Exchanges, Prussia's director, then surplus trains [5.5.4.14.4].
            play.push(Limits(seat))
            prussia.phase_three(self.ruleset, play)

    def player_left(self, play: Play[State1835], seat: int) -> None:
        prussia.surrender(self.ruleset, play, seat)
