"""Every player of Nimm den Zug at a glance."""

from __future__ import annotations

from kursbuch.core.voice import Chip, Row, Summary
from kursbuch.games.nimm.state import NimmState
from kursbuch.games.nimm.targets import tiles_of
from kursbuch.games.nimm.text.names import Names
from kursbuch.games.nimm.trains import multiplier, power, profit, wagons


class Summaries:
    """Trains with what they earn, and target tiles, as far as they may be known."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._ = names._

    def player(self, state: NimmState, seat: int) -> Summary:
        """The card of a player."""
        names, cards = self.names, self.names.cards
        figures = [Row(self._("Target tiles"), str(state.tiles[seat]))]
        if state.trains[seat]:
            figures.append(
                Row(self._("Power in all"), names.number(power(cards, state.trains[seat])))
            )
        if state.order:
            figures.append(Row(self._("Order tile"), str(state.order.index(seat) + 1)))
        chips = []
        for number, train in enumerate(state.trains[seat], 1):
            loco = train.loco or self._("Spare locomotive")
            count = names.ngettext("{n} wagon", "{n} wagons", len(wagons(cards, train)))
            text = f"{loco} ×{multiplier(cards, train)} · {names.money(profit(cards, train))}"
            chips.append(Chip(text, f"train:{seat}:{number}", note=count))
        chips += [
            Chip(
                f"★ {names.money(cards.targets[tile].bonus)}",
                f"target:{tile}",
                note=names.condition(tile),
            )
            for tile in tiles_of(state, cards, seat)
        ]
        note = self._("start player") if state.start == seat and state.agenda else ""
        return Summary(
            names.name(seat), seat, figures=tuple(figures), chips=tuple(chips), note=note
        )
