"""Texts of Railroad Dice: prompts, choices and statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import singledispatchmethod

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.corrections import Corrected, Field, seat_of
from kursbuch.core.events import Event, Payment
from kursbuch.core.state import Decision, Step
from kursbuch.core.tally import Key
from kursbuch.core.voice import (
    Account,
    Card,
    Ending,
    Entry,
    Panel,
    Pick,
    Row,
    Sheet,
    Stretch,
    Summary,
    Voice,
    sheet_of,
)
from kursbuch.core.words import N_, Words
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import BuildStation, BuyShare, LayTrack, OpenTile, Roll, TakeIncome
from kursbuch.games.dice.components import SIDES, Layout
from kursbuch.games.dice.corrections import KINDS, NO_DIRECTOR
from kursbuch.games.dice.events import (
    DiceReturned,
    IncomeTaken,
    ShareBought,
    StationBuilt,
    TileOpened,
    TrackLaid,
)
from kursbuch.games.dice.geography import Geography
from kursbuch.games.dice.state import (
    CURVE,
    END_NAMES,
    QUESTION,
    STRAIGHT,
    Bridge,
    Crossing,
    DiceState,
    Joining,
    Reduction,
    Turn,
    behind,
    built,
    faces,
    income,
    supply,
)
from kursbuch.games.dice.stations import station_price, stock_of
from kursbuch.games.dice.text.panels import FACE_KEYS, Descriptions, Names, panels, summaries

#: Trigger besides the year end: a tile is opened.
TILE = "tile"


class Choices:
    """Prompts and picks."""

    def __init__(self, geography: Geography, names: Names) -> None:
        self.geography = geography
        self.names = names
        self.board = names.board
        self._ = names.words._
        self.ngettext = names.words.ngettext

    # ---- prompts

    def prompt(self, step: Step, state: DiceState) -> str:
        match step:
            case Turn():
                return self._turn(step, state)
            case Bridge(end=end):
                return self._(
                    "Bring end {end} of the line over the water to land.", end=END_NAMES[end]
                )
            case Crossing(end=end):
                return self._(
                    "Choose the new tile on which end {end} of the line continues.",
                    end=END_NAMES[end],
                )
            case Joining(end=end):
                return self._(
                    "Lay a piece on the new tile that joins it to end {end}.", end=END_NAMES[end]
                )
            case Reduction(seat=seat):
                limit = self.board.file.dice.limit_in_front
                return self.ngettext(
                    "Return {n} die to the bank: at most {limit} may stay in front of your screen.",
                    "Return {n} dice to the bank: at most {limit} may stay in front of your screen.",
                    sum(faces(state, seat)) - limit,
                    limit=limit,
                )
        raise TypeError(f"no decision in this step: {step!r}")

    def _turn(self, step: Turn, state: DiceState) -> str:
        straights, curves, shares, questions = faces(state, step.seat)
        money = behind(state, step.seat) + questions
        possible = {
            self._("take income"): not step.income and state.year > 1 and not state.ending,
            self._("roll"): not step.rolled and money,
            self._("buy shares"): shares + questions,
            self._("lay track"): straights + curves + questions,
            self._("build stations"): step.seat in state.directors and money,
        }
        listed = [text for text, is_possible in possible.items() if is_possible]
        if not listed:
            return self._("There is nothing else to do: end the turn.")
        if len(listed) == 1:
            return self._("Still possible: {what}. Then end the turn.", what=listed[0])
        return self._("In any order: {list}. Then end the turn.", list=", ".join(listed))

    # ---- picks

    @singledispatchmethod
    def pick(self, action: Action, state: DiceState) -> Pick | None:
        """The pick of an action whose selection depends on the state."""
        return None

    @pick.register
    def take_income(self, action: TakeIncome, state: DiceState) -> Pick:
        dice, in_front, _ = income(state, self.board, action.seat)
        label = self.ngettext(
            "Take income: {n} die behind the screen",
            "Take income: {n} dice behind the screen",
            dice,
        )
        if in_front:
            label = self.ngettext(
                "Take income: {n} question mark", "Take income: {n} question marks", dice
            )
        return Pick(self._("Income"), ("income",), label)

    @pick.register
    def buy_share(self, action: BuyShare, state: DiceState) -> Pick:
        name = self.names.company(action.company)
        director = state.directors[self.board.company_index[action.company]]
        if action.seller == "bank" or director is None:
            label = self._("Buy a share of {company} from the bank", company=name)
        else:
            label = self._(
                "Buy a share of {company} from {name}",
                company=name,
                name=self.names.words.name(director),
            )
        die = "question" if action.question else "share"
        keys = (f"company:{action.company}", f"buy:{action.seller}:{die}")
        return Pick(self._("Buy shares"), keys, self._with_die(label, action.question))

    @pick.register
    def lay_track(self, action: LayTrack, state: DiceState) -> Pick:
        end, square, side, question = action.end, action.square, action.side, action.question
        curve = self._is_curve(state, action)
        label = self._(
            "End {end}: {piece} on {square} towards the {side}",
            end=end,
            piece=self.names.piece(curve),
            square=square,
            side=self.names.side(side),
        )
        way: tuple[str, ...] = (f"square:{end}:{square}", f"exit:{end}:{square}:{side}")
        straights, curves, _, questions = faces(state, action.seat)
        if questions and (curves if curve else straights):
            # The die is a separate choice.
            face = QUESTION if question else CURVE if curve else STRAIGHT
            way = (*way, f"die:{FACE_KEYS[face]}")
        return Pick(self._("Lay track"), way, self._with_die(label, question))

    @pick.register
    def open_tile(self, action: OpenTile, state: DiceState) -> Pick:
        tile = self.names.tile(action.tile)
        label = self._("New tile: {tile}", tile=tile)
        layout = self.board.layout(self.board.tile_index[action.tile], action.rotation)
        if len(set(layout.sides)) > 1:
            sides = self._mountain_sides(layout)
            label = self._("New tile: {tile} ({sides})", tile=tile, sides=sides)
        return Pick(self._("New tile"), (f"tile:{action.tile}:{action.rotation}",), label)

    @pick.register
    def build_station(self, action: BuildStation, state: DiceState) -> Pick:
        end = END_NAMES.index(action.end)
        stock = stock_of(self.board, action)
        assert stock is not None
        price = station_price(self.geography, state, self.geography.site(state, end), stock)
        label = self.ngettext(
            "Build a station of {company} at end {end} ({terrain}, {n} die)",
            "Build a station of {company} at end {end} ({terrain}, {n} dice)",
            price,
            company=self.names.company(action.company),
            end=action.end,
            terrain=self.names.surroundings(action.terrain),
        )
        # An end points to a single square.
        here = state.ends[end]
        square = self.board.names[self.board.neighbours[here.square][here.front]]
        place = (
            f"company:{action.company}",
            f"square:{action.end}:{square}",
            f"station:{action.terrain}:{action.cost}",
        )
        return Pick(self._("Build a station"), place, label)

    def amount_label(self, action: Action) -> str:
        if isinstance(action, Roll):
            return self._("Dice from behind the screen")
        return self._("Dice paid from behind the screen")

    def _is_curve(self, state: DiceState, action: LayTrack) -> bool:
        """Whether a piece is a curve."""
        here, side = state.ends[END_NAMES.index(action.end)], SIDES.index(action.side)
        if here.front >= 0:
            return side != here.front
        # The line leaves a station.
        square = self.board.square_index[action.square]
        return side != self.board.neighbours[here.square].index(square)

    def _mountain_sides(self, layout: Layout) -> str:
        return ", ".join(
            self.names.side(side)
            for side, terrain in zip(SIDES, layout.sides, strict=True)
            if terrain == "mountain"
        )

    def _with_die(self, label: str, question: bool) -> str:
        return self._("{action}, with a question mark", action=label) if question else label


#: Number of dice in the bank at which the end is announced as near.
NEAR_DICE = 5


class Statistics(Voice[DiceState]):
    """The statistics of the voice."""

    def __init__(self, geography: Geography, words: Words) -> None:
        super().__init__(words)
        self.names = Names(geography.board, words)

    def source(self, event: Payment) -> str:
        """The company whose passengers are paid."""
        if isinstance(event, Corrected):
            return self.words._("Corrections")
        assert isinstance(event, happened.PassengersCarried)
        return self.names.company(event.company)

    def tallied(self, key: Key) -> str:
        kind, *about = key
        company = self.names.company(about[0]) if about and about[0] else ""
        name = self.words.name(int(about[1])) if len(about) > 1 else ""
        match kind:
            case "passengers":
                return self.words._("passengers of {company}", company=company)
            case "dice":
                return self.words._("worth of the dice")
            case "line":
                return self.words._("sites within reach of the line")
            case "stations":
                return self.words._("new stations of {company}", company=company)
            case "chain":
                return self.words._("longest chain of {company}", company=company)
            case "most-shares":
                return self.words._(
                    "{name} with most shares of {company}", company=company, name=name
                )
            case "director":
                return self.words._("{name} as director of {company}", company=company, name=name)
            case "years":
                return self.words._("years still to come")
        return super().tallied(key)

    def accounts(self, state: DiceState, paid: Sequence[Payment]) -> list[Account]:
        """Payments by company, in its colour."""
        keys = {company.name: f"company:{company.id}" for company in self.names.board.companies}
        return [
            msgspec.structs.replace(account, key=keys.get(account.label, ""))
            for account in super().accounts(state, paid)
        ]

    def stretch(self, events: Sequence[Event]) -> str:
        """A year by number."""
        for event in events[:1]:
            if isinstance(event, happened.YearBegun):
                return self.words._("year {number}", number=event.year)
        return self.words._("year {number}", number=1)

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        """Each company's longest chain at the end of each year, and the director paid."""
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
        """Longest chain, and players with most track, stations and tiles."""
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

    def ending(self, state: DiceState, events: Sequence[Event]) -> Ending | None:
        """The cause of the end: a complete company, a stuck line or a broken bank."""
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
        """The last year, dice left in the bank, or companies with one station left."""
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


#: Names of dice faces in corrections.
_SIGNS = {
    "straight": N_("straight"),
    "curve": N_("curve"),
    "share": N_("share"),
    "question": N_("question mark"),
}


class DiceVoice(Statistics):
    """Texts of Railroad Dice for one reader."""

    score_unit = "points"
    corrections = KINDS

    def __init__(self, geography: Geography, words: Words) -> None:
        super().__init__(geography, words)
        self.choices = Choices(geography, self.names)

    def trigger(self, name: str) -> str:
        if name == TILE:
            return self._("a player opens a new tile")
        return self._("the year is over")

    @property
    def speaker(self) -> Names:
        return self.names

    def spoken(self, field: Field, value: str) -> str:
        match field.of:
            case "company":
                return self.names.company(value)
            case "tile":
                return self.names.tile(value)
            case "stock":
                terrain, _, cost = value.partition(" ")
                return f"{self.names.surroundings(terrain)} {cost}"
            case "director" if value == NO_DIRECTOR:
                return self._("no one")
            case "dice" if value != "supply":
                who, _, place = value.rpartition(" ")
                seat = seat_of(who)
                name = "" if seat is None else self.name(seat)
                if place == "behind":
                    return self._("behind the screen of {name}", name=name)
                sign = self._(_SIGNS[place])
                return self._("in front of the screen of {name} ({sign})", name=name, sign=sign)
        if value == "supply":
            return self._("the bank")
        return super().spoken(field, value)

    def prompt(self, state: DiceState, decision: Decision) -> str:
        return self.choices.prompt(state.agenda[-1], state)

    def pick(self, state: DiceState, action: Action) -> Pick:
        return self.choices.pick(action, state) or super().pick(state, action)

    def task(self, state: DiceState, decision: Decision) -> str:
        if isinstance(state.agenda[-1], Reduction):
            return self._("return dice")
        return self._("play this year's turn")

    def amount_label(self, action: Action) -> str:
        return self.choices.amount_label(action)

    def card(self, state: DiceState, key: str) -> Card | None:
        return Descriptions(self.names).card(state, key)

    def outcome(self, events: Sequence[Event]) -> list[str]:
        """The effects of an action, without the action itself."""
        own = (TrackLaid, StationBuilt, ShareBought, IncomeTaken, DiceReturned, TileOpened)
        return [self.describe(event) for event in events if not isinstance(event, own)]

    def panels(self, state: DiceState) -> list[Panel]:
        """Holdings of players, companies and the bank."""
        return panels(state, self.names)

    def summaries(self, state: DiceState) -> list[Summary]:
        """A card per player and company."""
        return summaries(state, self.names)

    def score_value(self, score: int) -> int:
        """Passengers instead of counters."""
        return score * self.names.board.economy.passengers_per_station
