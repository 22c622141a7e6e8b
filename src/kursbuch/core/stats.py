"""Statistics of a game as a reader may see them: worth by move, sources of scores, and the title's own figures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from kursbuch.core.events import Event, Payment
from kursbuch.core.game import Game, Reading
from kursbuch.core.voice import Account, Ending, Entry, Line, Row, Sheet, Stretch, Voice
from kursbuch.core.words import sign


class GameStats:
    """Statistics up to a move (None: the last) for a seat (None: a spectator). When the game is over everything is
    visible; `reveal` overrides this.

    >>> import kursbuch
    >>> game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
    >>> game.apply(game.parse("Anna takes Manchester")) and None
    >>> numbers = GameStats(game, game.title.voice(kursbuch.Words("en", game.names)))
    >>> numbers.known, numbers.worth(0), numbers.ending
    ([0, 1], [0, 0], None)
    """

    def __init__(
        self,
        game: Game,
        voice: Voice[Any],
        seat: int | None = None,
        until: int | None = None,
        *,
        reveal: bool | None = None,
    ) -> None:
        self.game = game
        self.voice = voice
        self.number = len(game.moves) if until is None else until
        full = game.state if self.number == len(game.moves) else game.at(self.number).state
        shown = game.over if reveal is None else reveal
        self.state = full if shown else game.title.view(full, seat)
        #: Seats whose scores are visible.
        worth = game.title.worth(self.state)
        self.known = [number for number, amount in enumerate(worth) if amount is not None]
        self.events = [
            (number, event)
            for number, event in game.events(seat, reveal=shown)
            if number <= self.number
        ]

    @property
    def happened(self) -> list[Event]:
        """All visible events in order."""
        return [event for _, event in self.events]

    @property
    def readings(self) -> Sequence[Reading]:
        """Figures of every position. Do not show those of seats that are not `known`."""
        return self.game.readings[: self.number + 1]

    def worth(self, seat: int) -> list[int]:
        """Worth of a `known` seat after every move, starting with the set-up."""
        if seat not in self.known:
            raise ValueError(f"what seat {seat} is worth may not be known")
        return [reading.worth[seat] or 0 for reading in self.readings]

    # ---- sources

    @cached_property
    def accounts(self) -> list[Account]:
        """Sources of the scores with an amount for a `known` seat; the amounts of other seats are 0."""
        paid = [event for _, event in self.events if isinstance(event, Payment)]
        found = []
        for account in self.voice.accounts(self.state, paid):
            seats = range(len(account.amounts))
            amounts = tuple(account.amounts[seat] if seat in self.known else 0 for seat in seats)
            notes = tuple(
                note if seat in self.known else "" for seat, note in enumerate(account.notes)
            )
            if any(amounts):
                found.append(Account(account.label, amounts, notes, account.key))
        return found

    # ---- stretches

    @cached_property
    def stretches(self) -> list[Stretch]:
        """The parts of the game or, in a title without parts, the moves with payments."""
        if self._has_parts:
            return self._parts()
        by_move: dict[int, list[Event]] = {}
        for number, event in self.events:
            by_move.setdefault(number, []).append(event)
        return [
            Stretch(self.voice.stretch(events), number, tuple(events))
            for number, events in by_move.items()
            if any(isinstance(event, Payment) and any(event.amounts) for event in events)
        ]

    @cached_property
    def _has_parts(self) -> bool:
        return any(self.game.title.opens(event) for _, event in self.events)

    def _parts(self) -> list[Stretch]:
        parts: list[list[tuple[int, Event]]] = [[]]
        for number, event in self.events:
            if self.game.title.opens(event) and parts[-1]:
                parts.append([])
            parts[-1].append((number, event))
        ends = [part[0][0] for part in parts[1:]] + [self.number]
        return [
            Stretch(
                self.voice.stretch([event for _, event in part]), end, tuple(e for _, e in part)
            )
            for part, end in zip(parts, ends, strict=True)
        ]

    def _worth_at(self, place: int) -> dict[int, int]:
        """Worth at the end of a stretch. The last move may have begun the next stretch, whose payments do not count."""
        number = self.stretches[place].number
        worth = self.game.readings[number].worth
        found = {seat: worth[seat] or 0 for seat in self.known}
        later = sum(len(stretch.events) for stretch in self.stretches[: place + 1])
        if self._has_parts:
            for other, event in self.events[later:]:
                if other > number:
                    break
                if isinstance(event, Payment):
                    for seat in found:
                        found[seat] -= event.amounts[seat]
        return found

    @cached_property
    def sheets(self) -> list[Sheet]:
        """All sheets: worth, sources, the title's own figures, levels and payments."""
        found = [
            self._worth_sheet(),
            self._source_sheet(),
            *self.voice.figures(self.stretches),
            self._level_sheet(),
            self._payment_sheet(),
        ]
        return [sheet for sheet in found if sheet is not None and sheet.lines]

    def sheet(self, id: str) -> Sheet | None:
        """The sheet with that id, if any."""
        return next((sheet for sheet in self.sheets if sheet.id == id), None)

    def _worth_sheet(self) -> Sheet:
        lines = []
        before = {seat: self.game.readings[0].worth[seat] or 0 for seat in self.known}
        for place, stretch in enumerate(self.stretches):
            now = self._worth_at(place)
            entries = tuple(
                Entry(now[seat], note=self._change(now[seat] - before[seat])) for seat in self.known
            )
            lines.append(Line(stretch.label, entries, stretch.number))
            before = now
        head = tuple(self.voice.name(seat) for seat in self.known)
        title = self.voice._("What everybody was worth")
        note = self.voice.worth_note()
        return Sheet("worth", title, head, tuple(lines) if head else (), note, unit="score")

    def _change(self, amount: int) -> str:
        value = self.voice.score_value(amount)
        return sign(value) + self.voice.words.number(abs(value)) if value else ""

    def _source_sheet(self) -> Sheet:
        lines = []
        for account in self.accounts:
            notes = account.notes or ("",) * len(account.amounts)
            entries = tuple(Entry(account.amounts[seat], note=notes[seat]) for seat in self.known)
            lines.append(Line(account.label, entries))
        if lines:
            sums = tuple(
                Entry(sum(account.amounts[seat] for account in self.accounts))
                for seat in self.known
            )
            lines.append(Line(self.voice._("Total"), sums))
        head = tuple(self.voice.name(seat) for seat in self.known)
        title = self.voice._("Where it comes from")
        return Sheet("sources", title, head, tuple(lines), unit="score")

    def _payment_sheet(self) -> Sheet | None:
        """Payments by source in every part of the game."""
        if not self._has_parts:
            return None
        lines = []
        for stretch in self.stretches:
            sums: dict[str, list[int]] = {}
            for event in stretch.events:
                if isinstance(event, Payment):
                    row = sums.setdefault(self.voice.source(event), [0] * len(event.amounts))
                    for seat, amount in enumerate(event.amounts):
                        row[seat] += amount
            lines += [
                Line(
                    f"{stretch.label}: {source}",
                    tuple(Entry(row[seat] or None) for seat in self.known),
                    stretch.number,
                )
                for source, row in sums.items()
                if any(row[seat] for seat in self.known)
            ]
        head = tuple(self.voice.name(seat) for seat in self.known)
        title = self.voice._("Received and paid")
        return Sheet("payments", title, head, tuple(lines), unit="score")

    def _level_sheet(self) -> Sheet | None:
        title = self.voice.levels_title()
        if not title:
            return None
        readings = [self.game.readings[stretch.number].levels for stretch in self.stretches]
        names = list(dict.fromkeys(name for levels in readings for name in levels))
        lines = tuple(
            Line(stretch.label, tuple(Entry(levels.get(name)) for name in names), stretch.number)
            for stretch, levels in zip(self.stretches, readings, strict=True)
            if levels
        )
        return Sheet("levels", title, tuple(names), lines)

    # ---- the end

    @cached_property
    def highlights(self) -> list[Row]:
        """The records of the game so far."""
        return self.voice.highlights(self.happened)

    @cached_property
    def ending(self) -> Ending | None:
        """Why the game is over; None during the game."""
        if self.state.agenda:
            return None
        return self.voice.ending(self.state, self.happened)
