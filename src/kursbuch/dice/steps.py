"""The rules of Railroad Dice in the order of play. Ids in brackets are those of rules.toml.

Laying track stands in building.py, the year change and the end in years.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import StepRules
from kursbuch.dice import events as happened
from kursbuch.dice.actions import (
    BuildStation,
    BuyShare,
    EndTurn,
    LayTrack,
    ReturnDice,
    Roll,
    TakeIncome,
)
from kursbuch.dice.building import (
    build_station,
    check_station,
    check_track,
    lay_track,
    station_choices,
    track_choices,
)
from kursbuch.dice.components import FACES
from kursbuch.dice.geography import Geography
from kursbuch.dice.holdings import (
    DicePlay,
    bank_pays,
    behind,
    faces,
    front,
    held_shares,
    income,
    players_sell,
    supply,
)
from kursbuch.dice.state import (
    BEHIND,
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


class TurnRules(StepRules[DiceState, Turn]):
    """Income, rolling, buying shares, laying track and building stations in any order [turn-2]."""

    def __init__(self, geography: Geography) -> None:
        self.geography = geography
        self.board = geography.board

    def deciders(self, state: DiceState, step: Turn) -> Sequence[int]:
        return (step.seat,)

    # The choices and the checks below use the same conditions; a test holds them against each other.

    def choices(self, state: DiceState, step: Turn, seat: int) -> list[Choice]:
        found: list[Choice] = []
        if not step.income and state.year > 1 and not state.ending:
            found.append(Choice(TakeIncome(seat)))
        if not step.rolled:
            found += self._roll_choices(state, seat)
        found += self._share_choices(state, seat)
        for end in (0, 1):
            found += track_choices(self.geography, state, step, end)
        found += station_choices(self.geography, state, step)
        found.append(Choice(EndTurn(seat)))
        return found

    def _roll_choices(self, state: DiceState, seat: int) -> list[Choice]:
        """Any number of dice from behind the screen and of question marks, together at least one
        [roll-2]."""
        most = behind(state, seat)
        found = []
        for questions in range(front(state, seat, QUESTION) + 1):
            least = 0 if questions else 1
            if most > least:
                found.append(Choice(Roll(seat, least, questions), Range(least, most)))
            elif most == least:
                found.append(Choice(Roll(seat, least, questions)))
        return found

    def _share_choices(self, state: DiceState, seat: int) -> list[Choice]:
        board = self.board
        dice = [
            question
            for question in (False, True)
            if front(state, seat, QUESTION if question else SHARE)
        ]
        if not dice:
            return []
        found = []
        trade = players_sell(state, board)
        for index, company in enumerate(board.companies):
            row = state.ledger.items[share(company.id)]
            director = state.directors[index]
            if row.get("supply"):
                found += [Choice(BuyShare(seat, company.id, "bank", q)) for q in dice]
            if trade and director not in (-1, seat) and row.get(SEATS[director]):
                found += [Choice(BuyShare(seat, company.id, "director", q)) for q in dice]
        return found

    def check(self, state: DiceState, step: Turn, action: Action) -> None:
        match action:
            case TakeIncome():
                self._check_income(state, step)
            case Roll():
                self._check_roll(state, step, action)
            case BuyShare():
                self._check_share(state, action)
            case LayTrack():
                check_track(self.geography, state, step, action)
            case BuildStation():
                check_station(self.geography, state, step, action)
            case EndTurn():
                pass
            case _:
                raise IllegalAction(
                    "turn-2",
                    "In your turn you take income, roll, buy shares, lay track, build stations or "
                    "end the turn.",
                )

    def _check_income(self, state: DiceState, step: Turn) -> None:
        if step.income:
            raise IllegalAction("income-2", "You have already taken your income in this turn.")
        if state.year == 1:
            raise IllegalAction("income-1", "There is no income in the first year.")
        if state.ending:
            raise IllegalAction("end-5", "The bank pays nothing any more.")

    def _check_roll(self, state: DiceState, step: Turn, action: Roll) -> None:
        if step.rolled:
            raise IllegalAction("roll-1", "You have already rolled in this turn.")
        if not 0 <= action.behind <= behind(state, action.seat):
            raise IllegalAction("roll-2", "You do not have so many dice behind your screen.")
        if not 0 <= action.questions <= front(state, action.seat, QUESTION):
            raise IllegalAction(
                "roll-2", "You do not have so many question marks in front of your screen."
            )
        if not action.behind + action.questions:
            raise IllegalAction("roll-2", "Choose at least one die to roll.")

    def _check_share(self, state: DiceState, action: BuyShare) -> None:
        board, seat = self.board, action.seat
        if action.company not in board.company_index:
            raise IllegalAction("share-2", "There is no company {company}.", company=action.company)
        index = board.company_index[action.company]
        name = board.companies[index].name
        if not front(state, seat, QUESTION if action.question else SHARE):
            raise IllegalAction(
                "share-4",
                "A share is paid with a die in front of your screen that shows a share or a "
                "question mark.",
            )
        if action.seller == "bank":
            if not state.ledger.held(share(action.company), "supply"):
                raise IllegalAction(
                    "share-2", "The bank has no share of {company} left.", company=name
                )
            return
        if not players_sell(state, board):
            raise IllegalAction(
                "share-5",
                "Shares can be bought from directors once the bank has sold all shares of "
                "{count} companies.",
                count=board.sold_out[state.seats],
            )
        director = state.directors[index]
        if director < 0:
            raise IllegalAction("share-7", "{company} has no director.", company=name)
        if director == seat:
            raise IllegalAction(
                "share-8", "You are the director of {company} yourself.", company=name
            )
        if not held_shares(state, board, index)[director]:
            raise IllegalAction(
                "share-7", "The director of {company} has no share of it left.", company=name
            )

    def perform(self, state: DiceState, step: Turn, action: Action, play: DicePlay) -> None:
        match action:
            case TakeIncome(seat):
                self._take_income(state, step, seat, play)
            case Roll():
                self._roll(state, step, action, play)
            case BuyShare():
                self._buy_share(state, action, play)
            case LayTrack():
                lay_track(self.geography, state, step, action, play)
            case BuildStation():
                build_station(self.geography, state, step, action, play)
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
        if action.seller == "bank":
            seller = -1
            state.ledger.move("die", die, "supply")
            state.ledger.move(share(action.company), "supply", SEATS[seat])
        else:
            seller = state.directors[self.board.company_index[action.company]]
            state.ledger.move("die", die, BEHIND[seller])
            state.ledger.move(share(action.company), SEATS[seller], SEATS[seat])
        play.emit(
            happened.ShareBought(
                rule="share-2" if seller < 0 else "share-3",
                seat=seat,
                company=action.company,
                seller=seller,
                question=action.question,
            )
        )


class ReductionRules(StepRules[DiceState, Reduction]):
    """At most five dice may stay in front of the screen [reduce-1]."""

    def __init__(self, geography: Geography) -> None:
        self.limit = geography.board.file.dice.limit_in_front

    def deciders(self, state: DiceState, step: Reduction) -> Sequence[int]:
        return (step.seat,)

    def choices(self, state: DiceState, step: Reduction, seat: int) -> list[Choice]:
        has = faces(state, seat)
        surplus = sum(has) - self.limit
        found = []
        for straights in range(min(has[0], surplus) + 1):
            for curves in range(min(has[1], surplus - straights) + 1):
                for shares in range(min(has[2], surplus - straights - curves) + 1):
                    questions = surplus - straights - curves - shares
                    if questions <= has[3]:
                        found.append(Choice(ReturnDice(seat, straights, curves, shares, questions)))
        return found

    def check(self, state: DiceState, step: Reduction, action: Action) -> None:
        has = faces(state, step.seat)
        surplus = sum(has) - self.limit
        if not isinstance(action, ReturnDice):
            raise IllegalAction("reduce-1", "Return surplus dice until {n} are left.", n=self.limit)
        counts = _counts(action)
        if any(not 0 <= count <= held for count, held in zip(counts, has, strict=True)):
            raise IllegalAction("reduce-1", "You do not have these dice in front of your screen.")
        if sum(counts) != surplus:
            raise IllegalAction("reduce-1", "Exactly {count} dice must be returned.", count=surplus)

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
