"""Statistics of Railroad Dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kursbuch.core.corrections import Corrected
from kursbuch.core.events import Event, Payment
from kursbuch.core.voice import Ending, Entry, Row, Sheet, Stretch, sheet_of
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.holdings import built, supply
from kursbuch.games.dice.state import DiceState
from kursbuch.games.dice.text.names import Names

#: The end is near with at most so many dice in the bank.
NEAR_DICE = 5


class Statistics:
    """Says it in numbers, for one reader."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.words = names.words

    def source(self, event: Payment) -> str:
        """The company whose passengers they are."""
        if isinstance(event, Corrected):
            return self.words._("Corrections")
        assert isinstance(event, happened.PassengersCarried)
        return self.names.company(event.company)

    def stretch(self, events: Sequence[Event]) -> str:
        """A year by its number."""
        for event in events[:1]:
            if isinstance(event, happened.YearBegun):
                return self.words._("year {number}", number=event.year)
        return self.words._("year {number}", number=1)

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        """The longest chain of every company at the end of each year, and who was paid for it."""
        companies = {company.id: company.name for company in self.names.board.companies}
        found = [
            {
                event.company: Entry(
                    event.length,
                    note="–" if event.seat is None else self.words.name(event.seat),
                )
                for event in stretch.events
                if isinstance(event, happened.ChainCounted)
            }
            for stretch in stretches
        ]
        title = self.words._("Longest chains of stations")
        return [sheet_of("chains", title, list(stretches), companies, found, curves=True)]

    def highlights(self, events: Sequence[Event]) -> list[Row]:
        """The longest chain; who laid most track, built most stations and opened most tiles."""
        words = self.words
        chain = (0, "")
        track, stations, tiles = Counter[str](), Counter[str](), Counter[str]()
        for event in events:
            match event:
                case happened.ChainCounted(company=company, length=length) if length > chain[0]:
                    chain = length, self.names.company(company)
                case happened.TrackLaid(seat=seat):
                    track[words.name(seat)] += 1
                case happened.StationBuilt(seat=seat):
                    stations[words.name(seat)] += 1
                case happened.TileOpened(seat=seat):
                    tiles[words.name(seat)] += 1
        rows = []
        if chain[0]:
            count = words.ngettext("{n} station", "{n} stations", chain[0])
            rows.append(Row(words._("Longest chain"), count, "", chain[1]))
        for label, counts in (
            (words._("Most track laid"), track),
            (words._("Most stations built"), stations),
            (words._("Most new tiles"), tiles),
        ):
            if counts:
                name, most = counts.most_common(1)[0]
                rows.append(Row(label, words.number(most), "", name))
        return rows

    def ending(self, events: Sequence[Event]) -> Ending | None:
        """A company is complete, the line is stuck, or the bank is broken."""
        words = self.words
        for event in reversed(events):
            match event:
                case happened.BankBroken(rule=rule):
                    return Ending(
                        words._("The game is over because the bank had too few dice to pay."), rule
                    )
                case happened.EndCaused(company="", rule=rule):
                    return Ending(
                        words._(
                            "The game is over because the line could not leave its tile at either end."
                        ),
                        rule,
                    )
                case happened.EndCaused(company=company, rule=rule):
                    return Ending(
                        words._(
                            "The game is over because {company} has built its last station.",
                            company=self.names.company(company),
                        ),
                        rule,
                    )
        return None

    def near_end(self, state: DiceState) -> str:
        """That it is the last year; the dice left in the bank; companies with one station to build."""
        words, board = self.words, self.names.board
        if not state.agenda:
            return ""
        if state.ending:
            return words._("This is the last year.")
        parts = []
        if supply(state) <= NEAR_DICE:
            parts.append(
                words.ngettext("{n} die in the bank", "{n} dice in the bank", supply(state))
            )
        parts += [
            words._("one station of {company} to be built", company=company.name)
            for index, company in enumerate(board.companies)
            if built(state, board, index) == board.totals[index] - 1
        ]
        return words._("The end is near: {list}.", list=words.join(parts)) if parts else ""
