"""The rules of Railroad Dice in the order of play. Ids in brackets are those of rules.toml.

Laying track stands in track.py, what must follow a piece in crossing.py, stations in stations.py, the
year change and the end in years.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import StepRules
from kursbuch.core.words import N_
from kursbuch.games.dice import bans
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import (
    BuildStation,
    BuyShare,
    EndTurn,
    LayTrack,
    OpenTile,
    ReturnDice,
    Roll,
    Seller,
    TakeIncome,
)
from kursbuch.games.dice.components import FACES, Board
from kursbuch.games.dice.holdings import (
    DicePlay,
    bank_pays,
    behind,
    choice_of,
    faces,
    front,
    held_shares,
    income,
    players_sell,
    shares_left,
    supply,
)
from kursbuch.games.dice.state import (
    BEHIND,
    END_NAMES,
    FRONT,
    QUESTION,
    SEATS,
    SHARE,
    DiceState,
    Opening,
    Reduction,
    Turn,
    YearChange,
    share,
)
from kursbuch.games.dice.stations import build_station, station_choices, station_problem
from kursbuch.games.dice.track import BuildingRules


class OpeningRules(StepRules[DiceState, Opening]):
    """The start player is drawn by lot [setup-7]."""

    def run(self, state: DiceState, step: Opening, play: DicePlay) -> None:
        play.done()
        state.start = play.draw(state.seats)
        play.emit(happened.StartPlayerDrawn(rule="setup-7", seat=state.start))
        play.push(Turn(state.start))


def end_turn(state: DiceState, seat: int, play: DicePlay) -> None:
    """The next player's turn, or the year change after the last one [turn-1, turn-4]."""
    play.done()
    state.turns += 1
    play.emit(happened.TurnEnded(rule="turn-3", seat=seat))
    if state.turns < state.seats:
        play.push(Turn((seat + 1) % state.seats))
    else:
        play.push(YearChange())


class TurnRules(BuildingRules[Turn]):
    """Income, rolling, buying shares, laying track and building stations in any order [turn-2]."""

    asks = (
        "turn-2",
        N_(
            "In your turn you take income, roll, buy shares, lay track and build stations, in any "
            "order."
        ),
    )

    def choices(self, state: DiceState, step: Turn, seat: int) -> list[Choice]:
        found: list[Choice] = []
        if self._income_problem(state, step) is None:
            found.append(Choice(TakeIncome(seat)))
        found += self._roll_choices(state, step, seat)
        found += self._share_choices(state, seat)
        for end in (0, 1):
            found += self.layer.choices(state, end)
        found += station_choices(self.geography, state, seat, (0, 1))
        found.append(Choice(EndTurn(seat)))
        return found

    def _roll_choices(self, state: DiceState, step: Turn, seat: int) -> list[Choice]:
        """Any number of dice from behind the screen and of question marks, together at least one
        [roll-2]."""
        found = []
        for questions in range(front(state, seat, QUESTION) + 1):
            amounts = range(0 if questions else 1, behind(state, seat) + 1)
            least = Roll(seat, amounts.start, questions)
            if amounts and self._roll_problem(state, step, least) is None:
                found.append(choice_of(least, amounts))
        return found

    def _share_choices(self, state: DiceState, seat: int) -> list[Choice]:
        """Whatever can be bought can be bought with every die that shows a share or a question mark."""
        sellers: tuple[Seller, ...] = ("bank", "director")
        dice = [
            question
            for question in (False, True)
            if front(state, seat, QUESTION if question else SHARE)
        ]
        return [
            Choice(BuyShare(seat, company.id, seller, question))
            for company in (self.board.companies if dice else ())
            for seller in sellers
            if not self._share_problem(state, BuyShare(seat, company.id, seller, dice[0]))
            for question in dice
        ]

    def attempts(
        self, state: DiceState, step: Turn, seat: int, keys: Sequence[str]
    ) -> Iterator[Action]:
        if keys[0].startswith("company:"):
            yield from self._of_company(state, seat, keys)
        else:
            yield from super().attempts(state, step, seat, keys)

    def _of_company(self, state: DiceState, seat: int, keys: Sequence[str]) -> Iterator[Action]:
        """Buying a share, or building one of the stations at an end, both if none is pointed at."""
        name = keys[0].partition(":")[2]
        if name not in self.board.company_index:
            return
        ends = [end for end in END_NAMES if keys[-1].startswith(f"square:{end}:")]
        sellers: tuple[Seller, ...] = ("bank", "director")
        if len(keys) == 1:
            yield from (BuyShare(seat, name, seller) for seller in sellers)
        for stock in self.board.stocks_of[self.board.company_index[name]]:
            kind = self.board.surroundings[stock.terrain].terrain
            for end in ends or END_NAMES:
                yield BuildStation(seat, name, kind, stock.cost, end)

    def problem(self, state: DiceState, step: Turn, action: Action) -> IllegalAction | None:
        match action:
            case TakeIncome():
                return self._income_problem(state, step)
            case Roll():
                return self._roll_problem(state, step, action)
            case BuyShare():
                return self._share_problem(state, action)
            case LayTrack():
                begun = self.layer.outlook(state, END_NAMES.index(action.end))
                return self.layer.problem(state, begun, begun.site, action)
            case BuildStation():
                return station_problem(self.geography, state, action)
            case EndTurn():
                return None
            case OpenTile():
                return IllegalAction(
                    "tile-1",
                    "A new tile is chosen when a piece leads against the edge of its tile.",
                )
            case ReturnDice():
                return IllegalAction(
                    "reduce-1", "Dice are returned at the end of the turn, and only surplus ones."
                )
        return super().problem(state, step, action)

    def _income_problem(self, state: DiceState, step: Turn) -> IllegalAction | None:
        if step.income:
            return IllegalAction("income-2", "You have already taken your income in this turn.")
        if state.year == 1:
            return IllegalAction("income-1", "There is no income in the first year.")
        if state.ending:
            return IllegalAction("end-5", "The bank pays nothing any more.")
        return None

    def _roll_problem(self, state: DiceState, step: Turn, action: Roll) -> IllegalAction | None:
        if step.rolled:
            return IllegalAction("roll-1", "You have already rolled in this turn.")
        if not 0 <= action.behind <= behind(state, action.seat):
            return IllegalAction("roll-2", "You do not have so many dice behind your screen.")
        if not 0 <= action.questions <= front(state, action.seat, QUESTION):
            return IllegalAction(
                "roll-2", "You do not have so many question marks in front of your screen."
            )
        if not action.behind + action.questions:
            return IllegalAction("roll-2", "Choose at least one die to roll.")
        return None

    def _share_problem(self, state: DiceState, action: BuyShare) -> IllegalAction | None:
        board, seat = self.board, action.seat
        index = board.company_index.get(action.company)
        if index is None:
            return IllegalAction(
                "share-2", "There is no company {company}.", company=action.company
            )
        name = board.companies[index].name
        if not front(state, seat, QUESTION if action.question else SHARE):
            ban = bans.NO_QUESTION_TO_PAY if action.question else bans.NO_SHARE_DIE
            return IllegalAction(ban.rule, ban.sentence)
        if action.seller == "bank":
            if not shares_left(state, action.company):
                return IllegalAction(
                    "share-2", "The bank has no share of {company} left.", company=name
                )
            return None
        director = state.directors[index]
        if director == seat:
            return IllegalAction(
                "share-8",
                "You direct {company} yourself: you can buy its shares only from the bank.",
                company=name,
            )
        if not players_sell(state, board):
            return IllegalAction(
                "share-5",
                "Shares can be bought from directors once the bank has sold all shares of "
                "{count} companies.",
                count=board.sold_out[state.seats],
            )
        if director is None:
            return IllegalAction("share-7", "{company} has no director.", company=name)
        if not held_shares(state, board, index)[director]:
            return IllegalAction(
                "share-7", "The director of {company} has no share of it left.", company=name
            )
        return None

    def perform(self, state: DiceState, step: Turn, action: Action, play: DicePlay) -> None:
        match action:
            case TakeIncome(seat):
                self._take_income(state, step, seat, play)
            case Roll():
                self._roll(state, step, action, play)
            case BuyShare():
                self._buy_share(state, action, play)
            case LayTrack():
                self.layer.lay(state, action, play)
            case BuildStation():
                build_station(self.geography, state, action, play)
            case EndTurn(seat):
                surplus = sum(faces(state, seat)) - self.board.file.dice.limit_in_front
                if surplus > 0:
                    play.push(Reduction(seat))
                else:
                    end_turn(state, seat, play)

    def _take_income(self, state: DiceState, step: Turn, seat: int, play: DicePlay) -> None:
        step.income = True
        dice, in_front, rule = income(state, self.board, seat)
        if bank_pays(play, seat, dice, FRONT[seat][QUESTION] if in_front else BEHIND[seat]):
            play.emit(happened.IncomeTaken(rule=rule, seat=seat, dice=dice, front=in_front))

    def _roll(self, state: DiceState, step: Turn, action: Roll, play: DicePlay) -> None:
        """All dice end in front of the screen with the faces rolled [roll-3]."""
        seat = action.seat
        bonus = 0 if state.ending else action.questions
        if bonus > supply(state):
            # The roll does not take place [end-4].
            bank_pays(play, seat, bonus, BEHIND[seat])
            return
        step.rolled = True
        rolled = [0, 0, 0, 0]
        for _ in range(action.behind + action.questions + bonus):
            face = self.board.faces[play.draw(len(self.board.faces))]
            rolled[FACES.index(face)] += 1
        ledger = state.ledger
        ledger.move("die", BEHIND[seat], "rolling", action.behind)
        ledger.move("die", FRONT[seat][QUESTION], "rolling", action.questions)
        ledger.move("die", "supply", "rolling", bonus)
        for face_index, count in enumerate(rolled):
            ledger.move("die", "rolling", FRONT[seat][face_index], count)
        straights, curves, shares, questions = rolled
        play.emit(
            happened.Rolled(
                rule="roll-3",
                seat=seat,
                behind=action.behind,
                questions=action.questions,
                bonus=bonus,
                faces=(straights, curves, shares, questions),
            )
        )

    def _buy_share(self, state: DiceState, action: BuyShare, play: DicePlay) -> None:
        """The die goes to the bank, or behind the screen of the director [share-2, share-3]."""
        seat = action.seat
        die = FRONT[seat][QUESTION if action.question else SHARE]
        director = state.directors[self.board.company_index[action.company]]
        seller = director if action.seller == "director" else None
        if seller is None:
            state.ledger.move("die", die, "supply")
            state.ledger.move(share(action.company), "supply", SEATS[seat])
        else:
            state.ledger.move("die", die, BEHIND[seller])
            state.ledger.move(share(action.company), SEATS[seller], SEATS[seat])
        play.emit(
            happened.ShareBought(
                rule="share-2" if seller is None else "share-3",
                seat=seat,
                company=action.company,
                seller=seller,
                question=action.question,
            )
        )


class ReductionRules(StepRules[DiceState, Reduction]):
    """At most five dice may stay in front of the screen [reduce-1]."""

    def __init__(self, board: Board) -> None:
        self.limit = board.file.dice.limit_in_front

    def surplus(self, state: DiceState, seat: int) -> int:
        """How many dice in front of a screen are too many."""
        return sum(faces(state, seat)) - self.limit

    def deciders(self, state: DiceState, step: Reduction) -> Sequence[int]:
        return (step.seat,) if self.surplus(state, step.seat) > 0 else ()

    def run(self, state: DiceState, step: Reduction, play: DicePlay) -> None:
        """The surplus has been taken away by a correction."""
        play.done()
        end_turn(state, step.seat, play)

    def candidates(self, state: DiceState, step: Reduction, seat: int) -> Iterator[Choice]:
        has, surplus = faces(state, seat), self.surplus(state, seat)
        for straights, curves, shares in product(*(range(count + 1) for count in has[:3])):
            questions = surplus - straights - curves - shares
            if questions >= 0:
                yield Choice(ReturnDice(seat, straights, curves, shares, questions))

    def problem(self, state: DiceState, step: Reduction, action: Action) -> IllegalAction | None:
        has, surplus = faces(state, step.seat), self.surplus(state, step.seat)
        if not isinstance(action, ReturnDice):
            return IllegalAction(
                "reduce-1",
                "Your turn is over: first return dice until {n} are left in front of your screen.",
                n=self.limit,
            )
        counts = _counts(action)
        if any(not 0 <= count <= held for count, held in zip(counts, has, strict=True)):
            return IllegalAction("reduce-1", "You do not have these dice in front of your screen.")
        if sum(counts) > surplus:
            return IllegalAction(
                "reduce-1",
                "Only surplus dice are returned: {n} stay in front of your screen.",
                n=self.limit,
            )
        if sum(counts) < surplus:
            return IllegalAction(
                "reduce-1", "At most {n} dice may stay in front of your screen.", n=self.limit
            )
        return None

    def perform(self, state: DiceState, step: Reduction, action: Action, play: DicePlay) -> None:
        assert isinstance(action, ReturnDice)
        counts = _counts(action)
        for face, count in enumerate(counts):
            state.ledger.move("die", FRONT[step.seat][face], "supply", count)
        play.emit(happened.DiceReturned(rule="reduce-1", seat=step.seat, faces=counts))
        play.done()
        end_turn(state, step.seat, play)


def _counts(action: ReturnDice) -> tuple[int, int, int, int]:
    return action.straights, action.curves, action.shares, action.questions
