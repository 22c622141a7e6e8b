"""Log lines."""

from __future__ import annotations

from functools import singledispatchmethod

from kursbuch.core.events import Event
from kursbuch.games.dice import events as happened
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
