"""Statistics of Stephenson's Rocket."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kursbuch.core.corrections import Corrected
from kursbuch.core.events import Event, Payment
from kursbuch.core.voice import Ending, Entry, Line, Row, Sheet, Speech, Stretch
from kursbuch.games.rocket import events as happened
from kursbuch.games.rocket.board import living, tile_supply
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.state import RocketState, share

#: The end is near with at most so many track tiles left, or so many lines with shares left.
NEAR_TILES = 5
NEAR_LINES = 3


class Statistics(Speech):
    """Says it in numbers."""

    def source(self, event: Payment) -> str:
        """What money was paid for."""
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

    def stretch(self, events: Sequence[Event]) -> str:
        """A move that paid a player, by what was scored in it."""
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

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        """What everybody received in every scoring."""
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
        """The greatest payment; the longest line; vetoes, stations and passengers of players."""
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

    def ending(self, events: Sequence[Event]) -> Ending | None:
        """Tiles or shares are used up."""
        for event in reversed(events):
            if isinstance(event, happened.EndReached):
                if event.tiles:
                    text = self._("The game is over because all track tiles have been laid.")
                else:
                    text = self._("The game is over because no more than one line has shares left.")
                return Ending(text, event.rule)
        return None

    def near_end(self, state: RocketState, board: Board) -> str:
        """How many tiles, and how many lines with shares, are left."""
        tiles = tile_supply(state)
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
    """The hexes of every line that has not been dissolved, its start town among them."""
    return {board.lines[line].id: state.owner.count(line) for line in living(state)}
