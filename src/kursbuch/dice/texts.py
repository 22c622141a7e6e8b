"""The sentences of Railroad Dice: log lines, prompts, choices, holdings."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.state import Decision
from kursbuch.core.voice import Panel, Pick, Row, Voice
from kursbuch.core.words import N_, Words
from kursbuch.dice import events as happened
from kursbuch.dice.actions import (
    BuildStation,
    BuyShare,
    EndTurn,
    LayTrack,
    OpenTile,
    ReturnDice,
    Roll,
    TakeIncome,
)
from kursbuch.dice.components import SIDES, Board
from kursbuch.dice.holdings import behind, built, faces, held_shares, income, supply
from kursbuch.dice.landscape import chains, station_places
from kursbuch.dice.state import (
    BEHIND,
    CURVE,
    END_NAMES,
    QUESTION,
    SEATS,
    STRAIGHT,
    Bridge,
    Crossing,
    DiceState,
    Joining,
    Reduction,
    Turn,
    share,
    small,
)

TILE_NAMES = {
    "meadow": N_("meadow"),
    "lake": N_("lake"),
    "mountain2": N_("mountain on two sides"),
    "mountain3": N_("mountain on three sides"),
}
TERRAIN_NAMES = {
    "meadow": N_("meadow"),
    "lake": N_("lake"),
    "mountain": N_("mountain"),
}
SIDE_NAMES = {"N": N_("north"), "E": N_("east"), "S": N_("south"), "W": N_("west")}
#: The faces of dice in keys of the board.
FACE_KEYS = ("straight", "curve", "share", "question")


def tile_name(tile: str, words: Words) -> str:
    """The name of a type of tile."""
    return words._(TILE_NAMES[tile]) if tile in TILE_NAMES else tile


def terrain_name(terrain: str, words: Words) -> str:
    """The name of a kind of surroundings."""
    return words._(TERRAIN_NAMES[terrain]) if terrain in TERRAIN_NAMES else terrain


def company_name(board: Board, company: str) -> str:
    """The name of a company."""
    return board.companies[board.company_index[company]].name


def dice_list(counts: Sequence[int], words: Words) -> str:
    """Dice by their faces, in words."""
    straights, curves, shares, questions = counts
    parts = [
        words.ngettext("{n} straight", "{n} straights", straights) if straights else "",
        words.ngettext("{n} curve", "{n} curves", curves) if curves else "",
        words.ngettext("{n} share", "{n} shares", shares) if shares else "",
        words.ngettext("{n} question mark", "{n} question marks", questions) if questions else "",
    ]
    return words.join([part for part in parts if part])


class DiceVoice(Voice[DiceState]):
    """What is said about Railroad Dice to one reader."""

    score_unit = "points"

    def __init__(self, board: Board, words: Words) -> None:
        super().__init__(words)
        self.board = board

    # ---- log

    def describe(self, event: Event) -> str:
        """The log line of an event."""
        match event:
            case happened.StartPlayerDrawn(seat=seat):
                return self._("{name} is drawn as start player.", name=self.name(seat))
            case happened.IncomeTaken(seat=seat, dice=dice, front=front):
                if front:
                    return self.ngettext(
                        "{name} lost the last directorship and takes {n} question mark as income.",
                        "{name} lost the last directorship and takes {n} question marks as income.",
                        dice,
                        name=self.name(seat),
                    )
                return self.ngettext(
                    "{name} takes {n} die as income.",
                    "{name} takes {n} dice as income.",
                    dice,
                    name=self.name(seat),
                )
            case happened.Rolled():
                return self._rolled(event)
            case happened.ShareBought(seat=seat, company=company, seller=seller):
                name, company = self.name(seat), company_name(self.board, company)
                if seller < 0:
                    return self._(
                        "{name} buys a share of {company} from the bank.",
                        name=name,
                        company=company,
                    )
                return self._(
                    "{name} buys a share of {company} from {other}.",
                    name=name,
                    company=company,
                    other=self.name(seller),
                )
            case happened.SurchargePaid(seat=seat, lake=lake, dice=dice):
                if lake:
                    return self.ngettext(
                        "{name} pays {n} die for a bridge.",
                        "{name} pays {n} dice for a bridge.",
                        dice,
                        name=self.name(seat),
                    )
                return self.ngettext(
                    "{name} pays {n} die for building on the mountain.",
                    "{name} pays {n} dice for building on the mountain.",
                    dice,
                    name=self.name(seat),
                )
            case happened.TrackLaid(seat=seat, end=end, square=square, curve=curve):
                name = self.name(seat)
                if curve:
                    return self._(
                        "{name} lays a curve on {square} at end {end}.",
                        name=name,
                        square=square,
                        end=end,
                    )
                return self._(
                    "{name} lays a straight on {square} at end {end}.",
                    name=name,
                    square=square,
                    end=end,
                )
            case happened.TileOpened(seat=seat, end=end, tile=tile):
                return self._(
                    "{name} chooses a new tile at end {end}: {tile}.",
                    name=self.name(seat),
                    end=end,
                    tile=tile_name(tile, self.words),
                )
            case happened.TileConnected(end=end, tile=tile):
                return self._(
                    "The new tile is connected to end {end}: {tile}.",
                    end=end,
                    tile=tile_name(tile, self.words),
                )
            case happened.TileCleared(dice=dice, companies=companies):
                return self._cleared(dice, companies)
            case happened.PremiumTaken(seat=seat, dice=dice):
                return self.ngettext(
                    "{name} receives {n} question mark as a premium.",
                    "{name} receives {n} question marks as a premium.",
                    dice,
                    name=self.name(seat),
                )
            case happened.StationBuilt():
                return self.ngettext(
                    "{name} builds a station of {company} on {square} at end {end} for {n} die "
                    "({terrain}).",
                    "{name} builds a station of {company} on {square} at end {end} for {n} dice "
                    "({terrain}).",
                    event.cost,
                    name=self.name(event.seat),
                    company=company_name(self.board, event.company),
                    square=event.square,
                    end=event.end,
                    terrain=terrain_name(event.terrain, self.words),
                )
            case happened.DiceReturned(seat=seat, faces=counts):
                return self._(
                    "{name} returns {dice}.",
                    name=self.name(seat),
                    dice=dice_list(counts, self.words),
                )
            case happened.TurnEnded(seat=seat):
                return self._("{name} ends the turn.", name=self.name(seat))
            case happened.ChainCounted():
                return self._chain(event)
            case happened.PassengersCarried(
                amounts=amounts, company=company, seat=seat, total=total
            ):
                return self._(
                    "{name} now has {total} passengers, {amount} of them new, from {company}.",
                    name=self.name(seat),
                    company=company_name(self.board, company),
                    total=self.written_score(total),
                    amount=self.written_score(amounts[seat]),
                )
            case happened.DirectorAppointed(company=company, seat=seat):
                if seat < 0:
                    return self._(
                        "{company} has no director any more.",
                        company=company_name(self.board, company),
                    )
                return self._(
                    "{name} becomes director of {company}.",
                    name=self.name(seat),
                    company=company_name(self.board, company),
                )
            case happened.YearBegun(year=year, seat=seat):
                return self._(
                    "Year {year} begins; {name} starts.",
                    year=self.words.number(year),
                    name=self.name(seat),
                )
            case happened.EndCaused(company=company):
                if company:
                    return self._(
                        "{company} has built its last station: this is the last year, and the bank "
                        "pays nothing any more.",
                        company=company_name(self.board, company),
                    )
                return self._(
                    "Neither end of the line can leave its tile: this is the last year, and the bank "
                    "pays nothing any more."
                )
            case happened.BankBroken(seat=seat, due=due, left=left):
                return self.ngettext(
                    "{name} should receive {due} dice, but the bank has only {n}: the bank is broken "
                    "and the game ends at once.",
                    "{name} should receive {due} dice, but the bank has only {n}: the bank is broken "
                    "and the game ends at once.",
                    left,
                    name=self.name(seat),
                    due=due,
                )
            case happened.ScreensLifted(passengers=passengers):
                return self._(
                    "The screens are lifted: {list}.",
                    list=", ".join(
                        f"{self.name(seat)} {self.written_score(count)}"
                        for seat, count in enumerate(passengers)
                    ),
                )
        raise TypeError(f"not an event of this game: {event!r}")

    def _rolled(self, event: happened.Rolled) -> str:
        result = dice_list(event.faces, self.words)
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

    def _cleared(self, dice: int, companies: Sequence[str]) -> str:
        if not companies:
            return self.ngettext(
                "The tile left behind is cleared: {n} die goes to the bank.",
                "The tile left behind is cleared: {n} dice go to the bank.",
                dice,
            )
        return self.ngettext(
            "The tile left behind is cleared: {n} die goes to the bank, the stations of {companies} "
            "stay in the landscape.",
            "The tile left behind is cleared: {n} dice go to the bank, the stations of {companies} "
            "stay in the landscape.",
            dice,
            companies=self.words.join([company_name(self.board, company) for company in companies]),
        )

    def _chain(self, event: happened.ChainCounted) -> str:
        company = company_name(self.board, event.company)
        if event.seat < 0:
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

    # ---- decisions

    def prompt(self, state: DiceState, decision: Decision) -> str:
        """What the seat has to decide now."""
        match state.agenda[-1]:
            case Turn(seat=seat, income=taken, rolled=rolled):
                straights, curves, shares, questions = faces(state, seat)
                hidden = behind(state, seat)
                parts = [
                    self._("take income")
                    if not taken and state.year > 1 and not state.ending
                    else "",
                    self._("roll") if not rolled and hidden + questions else "",
                    self._("buy shares") if shares + questions else "",
                    self._("lay track") if straights + curves + questions else "",
                    self._("build stations")
                    if seat in state.directors and hidden + questions
                    else "",
                ]
                if not any(parts):
                    return self._("There is nothing else to do: end the turn.")
                listed = ", ".join(part for part in parts if part)
                return self._("In any order: {list}. Then end the turn.", list=listed)
            case Bridge(end=end):
                return self._(
                    "Bring end {end} of the line over the water to land.", end=END_NAMES[end]
                )
            case Crossing(end=end):
                return self._(
                    "Choose the new tile on which end {end} of the line goes on.",
                    end=END_NAMES[end],
                )
            case Joining(end=end):
                return self._(
                    "Lay a piece on the new tile that joins it to end {end}.", end=END_NAMES[end]
                )
            case Reduction(seat=seat):
                surplus = sum(faces(state, seat)) - self.board.file.dice.limit_in_front
                return self.ngettext(
                    "Return {n} die to the bank: at most {limit} may stay in front of your screen.",
                    "Return {n} dice to the bank: at most {limit} may stay in front of your screen.",
                    surplus,
                    limit=self.board.file.dice.limit_in_front,
                )
        return ""

    def pick(self, state: DiceState, action: Action) -> Pick:
        """How an action is pointed at on the board, and its text."""
        match action:
            case TakeIncome():
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
            case Roll(_, _, questions):
                label = (
                    self.ngettext(
                        "Roll with {n} question mark", "Roll with {n} question marks", questions
                    )
                    if questions
                    else self._("Roll dice from behind the screen")
                )
                return Pick(self._("Roll"), ("roll", f"roll:{questions}"), label)
            case BuyShare(_, company, seller, question):
                name = company_name(self.board, company)
                if seller == "bank":
                    label = self._("Buy a share of {company} from the bank", company=name)
                else:
                    director = state.directors[self.board.company_index[company]]
                    label = self._(
                        "Buy a share of {company} from {name}",
                        company=name,
                        name=self.name(director),
                    )
                keys = (f"company:{company}", f"buy:{seller}:{'question' if question else 'share'}")
                return Pick(self._("Buy shares"), keys, self._with_die(label, question))
            case LayTrack(_, end, square, side, question, _):
                curve = self._is_curve(state, action)
                label = self._(
                    "End {end}: {piece} on {square} towards the {side}",
                    end=end,
                    piece=self._("curve") if curve else self._("straight"),
                    square=square,
                    side=self._(SIDE_NAMES[side]),
                )
                way: tuple[str, ...] = (f"square:{end}:{square}", f"exit:{end}:{square}:{side}")
                straights, curves, _, questions = faces(state, action.seat)
                if questions and (curves if curve else straights):
                    # Which die is to be used is a choice of its own.
                    face = QUESTION if question else CURVE if curve else STRAIGHT
                    way = (*way, f"die:{FACE_KEYS[face]}")
                return Pick(self._("Lay track"), way, self._with_die(label, question))
            case OpenTile(_, tile, rotation):
                label = self._("New tile: {tile}", tile=tile_name(tile, self.words))
                layout = self.board.layout(self.board.tile_index[tile], rotation)
                if len(set(layout.sides)) > 1:
                    mountains = [
                        self._(SIDE_NAMES[side])
                        for side, terrain in zip(SIDES, layout.sides, strict=True)
                        if terrain == "mountain"
                    ]
                    label = self._(
                        "New tile: {tile} ({sides})",
                        tile=tile_name(tile, self.words),
                        sides=", ".join(mountains),
                    )
                return Pick(self._("New tile"), (f"tile:{tile}:{rotation}",), label)
            case BuildStation(_, company, terrain, cost, end, _):
                label = self.ngettext(
                    "Build a station of {company} at end {end} ({terrain}, {n} die)",
                    "Build a station of {company} at end {end} ({terrain}, {n} dice)",
                    cost,
                    company=company_name(self.board, company),
                    end=end,
                    terrain=terrain_name(terrain, self.words),
                )
                # The square is the only one the end points to.
                here = state.ends[END_NAMES.index(end)]
                square = self.board.names[self.board.neighbours[here.square][here.front]]
                place = (
                    f"company:{company}",
                    f"square:{end}:{square}",
                    f"station:{terrain}:{cost}",
                )
                return Pick(self._("Build a station"), place, label)
            case ReturnDice(_, straights, curves, shares, questions):
                counts = (straights, curves, shares, questions)
                return Pick(
                    self._("Return dice"),
                    tuple(
                        f"die:{name}"
                        for name, count in zip(FACE_KEYS, counts, strict=True)
                        for _ in range(count)
                    ),
                    self._("Return {dice}", dice=dice_list(counts, self.words)),
                    several=True,
                )
            case EndTurn():
                return Pick(self._("End the turn"), ("end-turn",), self._("End the turn"))
        raise TypeError(f"not an action of this game: {action!r}")

    def _is_curve(self, state: DiceState, action: LayTrack) -> bool:
        """Whether a piece that can be laid is a curve."""
        here, side = state.ends[END_NAMES.index(action.end)], SIDES.index(action.side)
        if here.front >= 0:
            return side != here.front
        # The line leaves a station.
        return side != self.board.neighbours[here.square].index(
            self.board.square_index[action.square]
        )

    def amount_label(self, action: Action) -> str:
        """What the amount that goes with an action counts."""
        if isinstance(action, Roll):
            return self._("Dice from behind the screen")
        return self._("Of the dice to be paid, from behind the screen")

    def _with_die(self, label: str, question: bool) -> str:
        return self._("{action}, with a question mark", action=label) if question else label

    # ---- holdings

    def panels(self, state: DiceState) -> list[Panel]:
        """What every player holds, the companies, and the bank."""
        found = [self._player_panel(state, seat) for seat in range(state.seats)]
        return [*found, self._companies_panel(state), self._bank_panel(state)]

    def _player_panel(self, state: DiceState, seat: int) -> Panel:
        hidden = seat in state.screened
        count = (
            state.ledger.held("passengers", SEATS[seat]) * self.board.economy.passengers_per_station
        )
        in_front = faces(state, seat)
        rows = [
            Row(self._("Passengers"), "–" if hidden else self.words.number(count)),
            Row(
                self._("Dice behind the screen"),
                "–" if hidden else str(state.ledger.held("die", BEHIND[seat])),
            ),
            Row(
                self._("Dice in front"),
                str(sum(in_front)),
                "",
                dice_list(in_front, self.words) if any(in_front) else "",
            ),
        ]
        for index, company in enumerate(self.board.companies):
            held = held_shares(state, self.board, index)[seat]
            director = state.directors[index] == seat
            if held or director:
                note = self._("director") if director else ""
                label = self._("Shares of {company}", company=company.name)
                rows.append(Row(label, str(held), f"company:{company.id}", note))
        if state.start == seat and state.agenda:
            rows.append(Row(self._("Start player"), self._("this year")))
        return Panel(self.name(seat), seat, tuple(rows))

    def _companies_panel(self, state: DiceState) -> Panel:
        places = station_places(state)
        rows = []
        for index, company in enumerate(self.board.companies):
            left = state.ledger.held(share(company.id), "supply")
            director = state.directors[index]
            parts = [
                self._("director {name}", name=self.name(director))
                if director >= 0
                else self._("no director"),
                self._(
                    "{built} of {all} stations built",
                    built=built(state, self.board, index),
                    all=self.board.totals[index],
                ),
            ]
            stations = [
                f"{terrain_name(self.board.surroundings[stock.terrain].terrain, self.words)} "
                f"{count} × {stock.cost}"
                for stock in self.board.stocks_of[index]
                if (count := state.ledger.held(stock.item, "card"))
            ]
            if stations:
                parts.append(self._("left: {list}", list=", ".join(stations)))
            chain = chains(places, index)
            if chain:
                parts.append(self._("longest chain {n}", n=chain))
            rows.append(
                Row(
                    company.name,
                    self.ngettext("{n} share in the bank", "{n} shares in the bank", left),
                    f"company:{company.id}",
                    "; ".join(parts),
                )
            )
        return Panel(self._("Companies"), None, tuple(rows))

    def _bank_panel(self, state: DiceState) -> Panel:
        rows = [Row(self._("Year"), self.words.number(state.year))]
        rows.append(Row(self._("Dice in the bank"), str(supply(state))))
        for tile in self.board.tiles:
            rows.append(
                Row(
                    self._("Small tiles: {tile}", tile=tile_name(tile.id, self.words)),
                    str(state.ledger.held(small(tile.id), "supply")),
                    f"stock:{tile.id}",
                )
            )
        return Panel(self._("Bank"), None, tuple(rows))

    def written_score(self, score: int) -> str:
        """In passengers, as everywhere else, and not in counters."""
        return self.words.number(score * self.board.economy.passengers_per_station)
