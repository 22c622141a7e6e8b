"""Log lines and statistics of Railroad Dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import singledispatchmethod

from kursbuch.core.corrections import Corrected
from kursbuch.core.events import Event, Payment
from kursbuch.core.voice import Ending, Entry, Row, Sheet, Stretch, sheet_of
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.holdings import built, supply
from kursbuch.games.dice.state import DiceState
from kursbuch.games.dice.text.names import Names


class Log:
    """The log lines of events, for one reader."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._ = names.words._
        self.ngettext = names.words.ngettext
        self.name = names.words.name

    @singledispatchmethod
    def line(self, event: Event) -> str:
        """The log line of an event."""
        raise TypeError(f"not an event of this game: {event!r}")

    # ---- turns, dice and shares

    @line.register
    def start_player(self, event: happened.StartPlayerDrawn) -> str:
        return self._("{name} is drawn as start player.", name=self.name(event.seat))

    @line.register
    def income(self, event: happened.IncomeTaken) -> str:
        if event.front:
            return self.ngettext(
                "{name} lost the last directorship and takes {n} question mark as income.",
                "{name} lost the last directorship and takes {n} question marks as income.",
                event.dice,
                name=self.name(event.seat),
            )
        return self.ngettext(
            "{name} takes {n} die as income.",
            "{name} takes {n} dice as income.",
            event.dice,
            name=self.name(event.seat),
        )

    @line.register
    def rolled(self, event: happened.Rolled) -> str:
        result = self.names.dice(event.faces)
        total = event.behind + event.questions + event.bonus
        if event.bonus:
            return self.ngettext(
                "{name} rolls {n} die, {bonus} from the bank: {result}.",
                "{name} rolls {n} dice, {bonus} from the bank: {result}.",
                total,
                name=self.name(event.seat),
                bonus=event.bonus,
                result=result,
            )
        return self.ngettext(
            "{name} rolls {n} die: {result}.",
            "{name} rolls {n} dice: {result}.",
            total,
            name=self.name(event.seat),
            result=result,
        )

    @line.register
    def share_bought(self, event: happened.ShareBought) -> str:
        name, company = self.name(event.seat), self.names.company(event.company)
        if event.seller is None:
            return self._(
                "{name} buys a share of {company} from the bank.", name=name, company=company
            )
        return self._(
            "{name} buys a share of {company} from {other}.",
            name=name,
            company=company,
            other=self.name(event.seller),
        )

    @line.register
    def premium(self, event: happened.PremiumTaken) -> str:
        return self.ngettext(
            "{name} receives {n} question mark as a premium.",
            "{name} receives {n} question marks as a premium.",
            event.dice,
            name=self.name(event.seat),
        )

    @line.register
    def returned(self, event: happened.DiceReturned) -> str:
        return self._(
            "{name} returns {dice}.",
            name=self.name(event.seat),
            dice=self.names.dice(event.faces),
        )

    @line.register
    def turn_ended(self, event: happened.TurnEnded) -> str:
        return self._("{name} ends the turn.", name=self.name(event.seat))

    # ---- track, tiles and stations

    @line.register
    def surcharge(self, event: happened.SurchargePaid) -> str:
        if event.lake:
            return self.ngettext(
                "{name} pays {n} die for a bridge.",
                "{name} pays {n} dice for a bridge.",
                event.dice,
                name=self.name(event.seat),
            )
        return self.ngettext(
            "{name} pays {n} die for building on the mountain.",
            "{name} pays {n} dice for building on the mountain.",
            event.dice,
            name=self.name(event.seat),
        )

    @line.register
    def track(self, event: happened.TrackLaid) -> str:
        where = {"name": self.name(event.seat), "square": event.square, "end": event.end}
        if event.curve:
            return self._("{name} lays a curve on {square} at end {end}.", **where)
        return self._("{name} lays a straight on {square} at end {end}.", **where)

    @line.register
    def tile_opened(self, event: happened.TileOpened) -> str:
        return self._(
            "{name} chooses a new tile at end {end}: {tile}.",
            name=self.name(event.seat),
            end=event.end,
            tile=self.names.tile(event.tile),
        )

    @line.register
    def tile_connected(self, event: happened.TileConnected) -> str:
        return self._(
            "The new tile is connected to end {end}: {tile}.",
            end=event.end,
            tile=self.names.tile(event.tile),
        )

    @line.register
    def tile_cleared(self, event: happened.TileCleared) -> str:
        if not event.companies:
            return self.ngettext(
                "The tile left behind is cleared: {n} die goes to the bank.",
                "The tile left behind is cleared: {n} dice go to the bank.",
                event.dice,
            )
        return self.ngettext(
            "The tile left behind is cleared: {n} die goes to the bank, the stations of {companies} "
            "stay in the landscape.",
            "The tile left behind is cleared: {n} dice go to the bank, the stations of {companies} "
            "stay in the landscape.",
            event.dice,
            companies=self.names.words.join([self.names.company(each) for each in event.companies]),
        )

    @line.register
    def station(self, event: happened.StationBuilt) -> str:
        return self.ngettext(
            "{name} builds a station of {company} on {square} at end {end} for {n} die ({terrain}).",
            "{name} builds a station of {company} on {square} at end {end} for {n} dice ({terrain}).",
            event.cost,
            name=self.name(event.seat),
            company=self.names.company(event.company),
            square=event.square,
            end=event.end,
            terrain=self.names.surroundings(event.terrain),
        )

    # ---- years and the end

    @line.register
    def chain(self, event: happened.ChainCounted) -> str:
        company = self.names.company(event.company)
        if event.seat is None:
            return self.ngettext(
                "{company}: the longest chain is {n} station, but there is no director.",
                "{company}: the longest chain is {n} stations, but there is no director.",
                event.length,
                company=company,
            )
        return self.ngettext(
            "{company}: the longest chain is {n} station; its passengers go to {name}.",
            "{company}: the longest chain is {n} stations; their passengers go to {name}.",
            event.length,
            company=company,
            name=self.name(event.seat),
        )

    @line.register
    def passengers(self, event: happened.PassengersCarried) -> str:
        return self._(
            "{company} brings {name} {amount} passengers; that makes {total}.",
            name=self.name(event.seat),
            company=self.names.company(event.company),
            total=self.names.passengers(event.total),
            amount=self.names.passengers(event.amounts[event.seat]),
        )

    @line.register
    def director(self, event: happened.DirectorAppointed) -> str:
        company = self.names.company(event.company)
        if event.seat is None:
            return self._("{company} has no director any more.", company=company)
        return self._(
            "{name} becomes director of {company}.", name=self.name(event.seat), company=company
        )

    @line.register
    def year(self, event: happened.YearBegun) -> str:
        return self._(
            "Year {year} begins; {name} starts.",
            year=self.names.words.number(event.year),
            name=self.name(event.seat),
        )

    @line.register
    def end_caused(self, event: happened.EndCaused) -> str:
        if event.company:
            return self._(
                "{company} has built its last station: this is the last year, and the bank pays "
                "nothing any more.",
                company=self.names.company(event.company),
            )
        return self._(
            "Neither end of the line can leave its tile: this is the last year, and the bank pays "
            "nothing any more."
        )

    @line.register
    def bank_broken(self, event: happened.BankBroken) -> str:
        return self.ngettext(
            "{name} should receive {due} dice, but the bank has only {n}: the bank is broken and the "
            "game ends at once.",
            "{name} should receive {due} dice, but the bank has only {n}: the bank is broken and the "
            "game ends at once.",
            event.left,
            name=self.name(event.seat),
            due=event.due,
        )

    @line.register
    def screens_lifted(self, event: happened.ScreensLifted) -> str:
        return self._(
            "The screens are lifted: {list}.",
            list=", ".join(
                f"{self.name(seat)} {self.names.passengers(count)}"
                for seat, count in enumerate(event.passengers)
            ),
        )


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
