"""Names of tiles, surroundings, sides, companies and dice."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.voice import Speech
from kursbuch.core.words import N_, Words
from kursbuch.games.dice.components import Board

TILES = {
    "meadow": N_("meadow"),
    "lake": N_("lake"),
    "mountain2": N_("mountain on two sides"),
    "mountain3": N_("mountain on three sides"),
}
SURROUNDINGS = {
    "meadow": N_("meadow"),
    "lake": N_("lake"),
    "mountain": N_("mountain"),
}
SIDES = {"N": N_("north"), "E": N_("east"), "S": N_("south"), "W": N_("west")}
#: Faces of dice in board keys.
FACE_KEYS = ("straight", "curve", "share", "question")


class Names(Speech):
    """Names in the reader's language."""

    def __init__(self, board: Board, words: Words) -> None:
        super().__init__(words)
        self.board = board

    def tile(self, tile: str) -> str:
        return self.words._(TILES[tile]) if tile in TILES else tile

    def surroundings(self, terrain: str) -> str:
        return self.words._(SURROUNDINGS[terrain]) if terrain in SURROUNDINGS else terrain

    def side(self, side: str) -> str:
        return self.words._(SIDES[side])

    def piece(self, curve: bool) -> str:
        """Straight or curve."""
        return self.words._("curve") if curve else self.words._("straight")

    def company(self, company: str) -> str:
        return self.board.companies[self.board.company_index[company]].name

    def passengers(self, counters: int) -> str:
        """Number of passengers of these counters."""
        return self.words.number(counters * self.board.economy.passengers_per_station)

    def carried(self, seat: int, counters: int) -> str:
        """A player with the passengers carried."""
        return f"{self.name(seat)} {self.passengers(counters)}"

    def dice(self, counts: Sequence[int]) -> str:
        """Dice by face."""
        words = self.words
        straights, curves, shares, questions = counts
        parts = [
            words.ngettext("{n} straight", "{n} straights", straights) if straights else "",
            words.ngettext("{n} curve", "{n} curves", curves) if curves else "",
            words.ngettext("{n} share", "{n} shares", shares) if shares else "",
            words.ngettext("{n} question mark", "{n} question marks", questions)
            if questions
            else "",
        ]
        return words.join([part for part in parts if part])
