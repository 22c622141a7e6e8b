"""What is asked of a player, and how the answers are pointed at."""

from __future__ import annotations

from functools import singledispatchmethod

from kursbuch.core.actions import Action
from kursbuch.core.state import Step
from kursbuch.core.voice import Pick
from kursbuch.games.dice.actions import (
    BuildStation,
    BuyShare,
    LayTrack,
    OpenTile,
    Roll,
    TakeIncome,
)
from kursbuch.games.dice.components import SIDES, Layout
from kursbuch.games.dice.geography import Geography
from kursbuch.games.dice.holdings import behind, faces, income
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
)
from kursbuch.games.dice.stations import station_price, stock_of
from kursbuch.games.dice.text.names import FACE_KEYS, Names


class Choices:
    """Prompts and picks, for one reader."""

    def __init__(self, geography: Geography, names: Names) -> None:
        self.geography = geography
        self.names = names
        self.board = names.board
        self._ = names.words._
        self.ngettext = names.words.ngettext

    # ---- what is asked

    @singledispatchmethod
    def prompt(self, step: Step, state: DiceState) -> str:
        """What has to be decided in a step."""
        raise TypeError(f"nobody decides in this step: {step!r}")

    @prompt.register
    def turn(self, step: Turn, state: DiceState) -> str:
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
            return self._("What you may still do: {what}. Then end the turn.", what=listed[0])
        return self._("In any order: {list}. Then end the turn.", list=", ".join(listed))

    @prompt.register
    def bridge(self, step: Bridge, state: DiceState) -> str:
        end = END_NAMES[step.end]
        return self._("Bring end {end} of the line over the water to land.", end=end)

    @prompt.register
    def crossing(self, step: Crossing, state: DiceState) -> str:
        end = END_NAMES[step.end]
        return self._("Choose the new tile on which end {end} of the line goes on.", end=end)

    @prompt.register
    def joining(self, step: Joining, state: DiceState) -> str:
        end = END_NAMES[step.end]
        return self._("Lay a piece on the new tile that joins it to end {end}.", end=end)

    @prompt.register
    def reduction(self, step: Reduction, state: DiceState) -> str:
        limit = self.board.file.dice.limit_in_front
        return self.ngettext(
            "Return {n} die to the bank: at most {limit} may stay in front of your screen.",
            "Return {n} dice to the bank: at most {limit} may stay in front of your screen.",
            sum(faces(state, step.seat)) - limit,
            limit=limit,
        )

    # ---- how answers are pointed at

    @singledispatchmethod
    def pick(self, action: Action, state: DiceState) -> Pick | None:
        """How an action is pointed at on the board where that depends on the state, and its text."""
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
            # Which die is to be used is a choice of its own.
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
        # The square is the only one the end points to.
        here = state.ends[end]
        square = self.board.names[self.board.neighbours[here.square][here.front]]
        place = (
            f"company:{action.company}",
            f"square:{action.end}:{square}",
            f"station:{action.terrain}:{action.cost}",
        )
        return Pick(self._("Build a station"), place, label)

    def amount_label(self, action: Action) -> str:
        """What the amount that goes with an action counts."""
        if isinstance(action, Roll):
            return self._("Dice from behind the screen")
        return self._("Of the dice to be paid, from behind the screen")

    def _is_curve(self, state: DiceState, action: LayTrack) -> bool:
        """Whether a piece that can be laid is a curve."""
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
