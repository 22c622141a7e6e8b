"""Log lines and statistics of Stephenson's Rocket."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import singledispatchmethod

from kursbuch.core.corrections import Corrected
from kursbuch.core.events import Event, Payment
from kursbuch.core.voice import Ending, Entry, Line, Row, Sheet, Speech, Stretch
from kursbuch.games.rocket import events as happened
from kursbuch.games.rocket.board import living, tile_supply
from kursbuch.games.rocket.components import KIND_NAMES, Board
from kursbuch.games.rocket.state import RocketState, share


class Log(Speech):
    """Tells what happened."""

    @singledispatchmethod
    def line(self, event: Event) -> str:
        """The log line of an event."""
        raise TypeError(f"not an event of this game: {event!r}")

    # ---- actions

    @line.register
    def _start_player(self, event: happened.StartPlayerDrawn) -> str:
        return self._("{name} is drawn as start player.", name=self.name(event.seat))

    @line.register
    def _token_taken(self, event: happened.TokenTaken) -> str:
        return self._(
            "{name} takes a token of {town}.", name=self.name(event.seat), town=event.metropolis
        )

    @line.register
    def _station_placed(self, event: happened.StationPlaced) -> str:
        return self._(
            "{name} places a station on {hex}.", name=self.name(event.seat), hex=event.hex
        )

    @line.register
    def _station_moved(self, event: happened.StationMoved) -> str:
        return self._(
            "{name} moves a station from {origin} to {hex}.",
            name=self.name(event.seat),
            origin=event.origin,
            hex=event.hex,
        )

    @line.register
    def _line_extended(self, event: happened.LineExtended) -> str:
        return self._(
            "{name} moves the locomotive of {line} to {hex}.",
            name=self.name(event.seat),
            line=event.line,
            hex=event.hex,
        )

    @line.register
    def _share_taken(self, event: happened.ShareTaken) -> str:
        return self._(
            "{name} takes a share of {line}.", name=self.name(event.seat), line=event.line
        )

    @line.register
    def _no_share(self, event: happened.NoShare) -> str:
        return self._(
            "{line} has no share left for {name}.", name=self.name(event.seat), line=event.line
        )

    # ---- veto

    @line.register
    def _let_stood(self, event: happened.LetStood) -> str:
        return self._("{name} does not object.", name=self.name(event.seat))

    @line.register
    def _veto_called(self, event: happened.VetoCalled) -> str:
        return self._("{name} calls a veto round.", name=self.name(event.seat))

    @line.register
    def _bid_made(self, event: happened.BidMade) -> str:
        return self.ngettext(
            "{name} bids {n} share for {hex}.",
            "{name} bids {n} shares for {hex}.",
            event.shares,
            name=self.name(event.seat),
            hex=event.hex,
        )

    @line.register
    def _bid_passed(self, event: happened.BidPassed) -> str:
        name = self.name(event.seat)
        if event.forced:
            return self._("{name} has too few shares to bid.", name=name)
        return self._("{name} passes.", name=name)

    @line.register
    def _veto_decided(self, event: happened.VetoDecided) -> str:
        if event.seat is None:
            return self._(
                "Nobody bids: {line} goes to {hex} as intended.", line=event.line, hex=event.hex
            )
        return self._(
            "{name} wins the veto round: {line} goes to {hex}.",
            name=self.name(event.seat),
            line=event.line,
            hex=event.hex,
        )

    @line.register
    def _shares_swapped(self, event: happened.SharesSwapped) -> str:
        return self.ngettext(
            "{name} exchanges {n} supplementary share of {line} for a real one of {other}.",
            "{name} exchanges {n} supplementary shares of {line} for real ones of {other}.",
            event.shares,
            name=self.name(event.seat),
            other=self.name(event.other),
            line=event.line,
        )

    @line.register
    def _shares_returned(self, event: happened.SharesReturned) -> str:
        if event.gone:
            return self.ngettext(
                "{name} returns {n} share of {line}, which leaves the game.",
                "{name} returns {n} shares of {line}, which leave the game.",
                event.shares,
                name=self.name(event.seat),
                line=event.line,
            )
        return self.ngettext(
            "{name} returns {n} share of {line} to the stock.",
            "{name} returns {n} shares of {line} to the stock.",
            event.shares,
            name=self.name(event.seat),
            line=event.line,
        )

    # ---- the move takes effect

    @line.register
    def _track_laid(self, event: happened.TrackLaid) -> str:
        if not event.covered:
            return self._(
                "{line} leaves its start town for {hex}; no tile is needed.",
                line=event.line,
                hex=event.hex,
            )
        return self.ngettext(
            "{line} goes to {hex}; {origin} is covered with track, {n} tile is left.",
            "{line} goes to {hex}; {origin} is covered with track, {n} tiles are left.",
            event.tiles,
            line=event.line,
            hex=event.hex,
            origin=event.origin,
        )

    @line.register
    def _passenger_taken(self, event: happened.PassengerTaken) -> str:
        return self._(
            "{name} receives a passenger token for the station on {hex}.",
            name=self.name(event.seat),
            hex=event.hex,
        )

    @line.register
    def _connected(self, event: happened.Connected) -> str:
        return self._("{line} is connected to {town}.", line=event.line, town=event.town)

    @line.register
    def _merged(self, event: happened.Merged) -> str:
        return self._("{line} is dissolved into {into}.", line=event.line, into=event.into)

    @line.register
    def _exchanged(self, event: happened.SharesExchanged) -> str:
        gained = event.shares + event.supplementary
        if not gained:
            return self.ngettext(
                "{name} gives back {n} share of {line} and receives nothing.",
                "{name} gives back {n} shares of {line} and receives nothing.",
                event.given,
                name=self.name(event.seat),
                line=event.line,
            )
        text = self.ngettext(
            "{name} exchanges {n} share of {line} for {gained} of {into}.",
            "{name} exchanges {n} shares of {line} for {gained} of {into}.",
            event.given,
            name=self.name(event.seat),
            line=event.line,
            into=event.into,
            gained=gained,
        )
        if not event.supplementary:
            return text
        extra = self.ngettext(
            "{n} of them supplementary", "{n} of them supplementary", event.supplementary
        )
        return f"{text.removesuffix('.')}, {extra}."

    @line.register
    def _line_isolated(self, event: happened.LineIsolated) -> str:
        return self.ngettext(
            "{line} is isolated; {n} share leaves the game.",
            "{line} is isolated; {n} shares leave the game.",
            event.shares,
            line=event.line,
        )

    @line.register
    def _end_reached(self, event: happened.EndReached) -> str:
        if event.tiles:
            return self._("The track tiles are used up: the game ends.")
        return self._("At most one line has shares in stock: the game ends.")

    @line.register
    def _tokens_returned(self, event: happened.TokensReturned) -> str:
        return self.ngettext(
            "{name} returns {n} token of {town}, which is connected to no line.",
            "{name} returns {n} tokens of {town}, which is connected to no line.",
            event.count,
            name=self.name(event.seat),
            town=event.metropolis,
        )

    # ---- scorings: what is scored, then what everybody is paid

    @line.register
    def _metropolis(self, event: happened.MetropolisScored) -> str:
        return self._scored(event, self._("Tokens of {town}:", town=event.metropolis))

    @line.register
    def _stations(self, event: happened.StationsScored) -> str:
        if not event.town:
            heading = self.ngettext(
                "Final scoring, stations on {line}, {n} town:",
                "Final scoring, stations on {line}, {n} towns:",
                event.towns,
                line=event.line,
            )
        else:
            heading = self.ngettext(
                "Stations on {line}, which reaches {town}, {n} town:",
                "Stations on {line}, which reaches {town}, {n} towns:",
                event.towns,
                line=event.line,
                town=event.town,
            )
        return self._scored(event, heading)

    @line.register
    def _shares(self, event: happened.SharesScored) -> str:
        if event.final:
            heading = self.ngettext(
                "Final scoring, shares of {line}, {n} town:",
                "Final scoring, shares of {line}, {n} towns:",
                event.towns,
                line=event.line,
            )
        else:
            heading = self.ngettext(
                "Shares of {line}, which is dissolved, {n} town:",
                "Shares of {line}, which is dissolved, {n} towns:",
                event.towns,
                line=event.line,
            )
        return self._scored(event, heading)

    @line.register
    def _kind(self, event: happened.KindScored) -> str:
        kind = self._(KIND_NAMES[event.kind])
        return self._scored(event, self._("Final scoring, tokens of {kind}:", kind=kind))

    def _scored(self, event: happened.Scored, heading: str) -> str:
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
        paid = self._("{list}.", list=", ".join(parts)) if parts else self._("nobody is paid.")
        return f"{heading} {paid}"


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
