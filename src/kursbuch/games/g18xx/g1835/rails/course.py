"""A game of ours that is played along the actions of Rails-18xx: what has been taken over, and how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.events import Event
from kursbuch.core.game import Game
from kursbuch.core.registry import Remark
from kursbuch.core.state import tag_of
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import BuyTrain, Dividend, Done, LayTile, PlaceStation, SellShares
from kursbuch.games.g18xx.events import Passed, PriceMoved, RunEvent, StockRoundBegan, TurnBegan
from kursbuch.games.g18xx.g1835.rails import deviations, options
from kursbuch.games.g18xx.g1835.rails.deviations import Doubt
from kursbuch.games.g18xx.g1835.rails.terms import Terms
from kursbuch.games.g18xx.g1835.state import State1835
from kursbuch.games.g18xx.g1835.variants import SAME_PRICE
from kursbuch.games.g18xx.rails.save import Act
from kursbuch.games.g18xx.rails.search import DoesNotFit, Needs, Picks, Point
from kursbuch.games.g18xx.state import RaiseMoney, StockTurn, Swap

#: What is done in the turn of a company, beside what ends it.
COMPANY_KINDS = {"LayTile", "LayBaseToken", "SetDividend", "BuyTrain"}

#: Passing that often in a row means that the next action never comes.
MOST_IDLE_MOVES = 80


#: What can be taken over against a rule.
OVERRULED = (BuyTrain, LayTile, PlaceStation, SellShares)


class Remarks(list[Remark]):
    """Remarks. A copy has the same ones."""

    def __deepcopy__(self, memo: object) -> Remarks:
        return Remarks(self)


@dataclass
class Memory:
    """What is known on the way.

    `used` says of every action whether it is taken over, `head` is the place of the first that is not,
    `idle` how many moves have been made since one was. `open` are the companies whose turns have begun
    and are not ended in the file, `earned` what companies have earned by themselves, without a
    question; `sold` the companies whose shares have been sold in this turn; `also` papers exchanged in
    the same action that opens Prussia; `passed` players who were passed over in a stock round. `noted`
    are the numbers of the actions that only an option allows, `revenues` what is said about revenues
    that are not the highest; `corrected` the numbers of corrections; `reached` and `ahead` as in
    `Imported`. `trains` and `turned` belong to `Terms`.

    `selling` is the last sale: its action, and how many shares it sold. `doubts` are prices that may have
    moved otherwise there, `prices` those that have and are not corrected yet, `habits` the rules that this
    version is known to break. `aside` are trains that are out of the game for the moment. `buyer` is the
    last player who bought in a way that moves the priority deal in every version; `fresh` as long as
    nothing has been done in a stock round. `pass_asked` is the last pass of which it is an open point
    whether it decides anything. `audit` is what is said about rules that were broken.
    """

    used: list[bool]
    head: int = 0
    idle: int = 0
    open: list[str] = field(default_factory=list)
    earned: dict[str, int] = field(default_factory=dict)
    sold: set[str] = field(default_factory=set)
    also: list[str] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    noted: dict[str, list[int]] = field(default_factory=dict)
    revenues: Remarks = field(default_factory=Remarks)
    corrected: list[int] = field(default_factory=list)
    reached: dict[int, int] = field(default_factory=dict)
    ahead: set[int] = field(default_factory=set)
    trains: dict[str, str] = field(default_factory=dict)
    turned: dict[str, int] = field(default_factory=dict)
    selling: tuple[Act, int] | None = None
    doubts: list[Doubt] = field(default_factory=list)
    prices: dict[str, Doubt] = field(default_factory=dict)
    habits: set[str] = field(default_factory=set)
    aside: list[tuple[str, str]] = field(default_factory=list)
    buyer: int | None = None
    fresh: bool = False
    pass_asked: int = -1
    audit: Remarks = field(default_factory=Remarks)


class Fork(NamedTuple):
    """Where a game can be taken up again: after how many moves, and what was known then."""

    moves: int
    memory: Memory


class Course:
    """One attempt to play a game along that program's actions, with `may` the options that may be set
    if an action needs them, and `picks` the answers at open points."""

    def __init__(
        self, game: Game, actions: Sequence[Act], may: Sequence[str], picks: Picks | None = None
    ) -> None:
        self.game = game
        self.actions = actions
        self.may = may
        self.picks: Picks = dict(picks or {})
        #: The numbers of the actions that are taken over against a rule.
        self.overruled: frozenset[int] = frozenset()
        self.terms = Terms(game)
        self.book = self.terms.book
        self.points: list[Point] = []
        self._forks: list[Fork] = []
        self._remember(Memory([False] * len(actions)))
        self._watch(game.opening)

    def _remember(self, memory: Memory) -> None:
        self.memory = memory
        self.terms.trains, self.terms.turned = memory.trains, memory.turned

    # ---- what is next

    @property
    def state(self) -> State1835:
        """The state of our game as it is now."""
        state: State1835 = self.game.state
        return state

    @property
    def head(self) -> int:
        """The place of the first action not taken over."""
        return self.memory.head

    @property
    def about(self) -> str:
        """The company the next action is about."""
        return self.terms.names.get(self.next().company, "")

    def next(self) -> Act:
        """The first action not taken over, or the last of all."""
        return self.actions[min(self.head, len(self.actions) - 1)]

    def rest(self) -> Iterator[int]:
        """The places of the actions not yet taken over."""
        for place in range(self.head, len(self.actions)):
            if not self.memory.used[place]:
                yield place

    def own(self, company: str) -> list[int]:
        """The places of what is left of the turn of a company."""
        found = []
        for place in self.rest():
            act = self.actions[place]
            if (act.kind in COMPANY_KINDS and self.terms.names.get(act.company) == company) or (
                act.kind == "NullAction" and act.mode == "SKIP"
            ):
                found.append(place)
            elif act.kind not in ("DiscardTrain", "FoldIntoPrussian", "SellShares"):
                break
        return found

    def turn(self) -> str:
        """The company that has its turn in our game, empty if none has."""
        return str(getattr(self.state.agenda[-1], "company", ""))

    def decider(self) -> int:
        """Who has to decide in our game."""
        return self.game.pending[0].seat

    # ---- taking actions

    def take(self, places: Iterable[int], *actions: Action) -> None:
        """Take over actions of the file by these of ours; none if ours has done it already."""
        memory, taken = self.memory, list(places)
        before = set(memory.reached)
        self.reach()
        if not actions:
            memory.ahead.update(set(memory.reached) - before)
        for action in actions:
            self._apply(action, self.actions[taken[0]])
        for place in taken:
            memory.used[place] = True
            if self.actions[place].kind in ("BuyCertificate", "BuyStartItem"):
                memory.buyer = self.actions[place].seat
        while memory.head < len(self.actions) and memory.used[memory.head]:
            memory.head += 1
        memory.idle = 0

    def insert(self, action: Action) -> None:
        """An action that is none in the file."""
        if self.memory.idle >= MOST_IDLE_MOVES:
            raise self.cannot("Action {number} ({kind}) does not fit: nobody can do this now.")
        self._apply(action, self.next())
        self.memory.idle += 1

    def done(self) -> None:
        """The turn or step is over."""
        self.insert(Done(self.decider()))

    def choose(self, about: str, answers: Sequence[Action]) -> None:
        """Give an answer that is not in the file, the first if nothing is known. `about` is the
        company it concerns."""
        self.insert(answers[self.pick(about, len(answers))])

    def pick(self, about: str, answers: int) -> int:
        """Which of so many answers is taken, the first if nothing is known: an open point. The game is
        taken up here again with another."""
        if answers < 2:
            return 0
        count = sum(key[:2] == (self.head, about) for key, _, _ in self.points)
        key = (self.head, about, count)
        taken = min(self.picks.get(key, 0), answers - 1)
        self.points.append(Point(key, answers, taken))
        self._forks.append(Fork(len(self.game.moves), deepcopy(self.memory)))
        return taken

    def again(self, picks: Picks) -> Self:
        """The same up to the first of these points, with these answers."""
        first = next(n for n, point in enumerate(self.points) if point.key in picks)
        fork = self._forks[first]
        game = self.game.branch(fork.moves)
        course = type(self)(game, self.actions, self.may, {**self.picks, **picks})
        course.overruled = self.overruled
        course._remember(deepcopy(fork.memory))
        course.points, course._forks = self.points[:first], self._forks[:first]
        return course

    def overrule(self) -> Self:
        """The same, where the next action is taken over even against a rule, or passed over if it is empty: in a
        game from the beginning, since this one has gone on without it."""
        act, course = self.next(), self
        if act.kind == "NullAction":
            game = self.game
            anew = Game(game.title, game.names, game.options, seed=game.seed)
            course = type(self)(anew, self.actions, self.may, self.picks)
        course.overruled = self.overruled | {act.number}
        return course

    def correct(self, action: Action) -> None:
        """A correction, or what belongs to it."""
        self._watch(self.game.apply(action))

    def _apply(self, action: Action, act: Act) -> None:
        deviations.check_price(self, action, act)
        self._note_sale(action, act)
        try:
            self.game.position.check(action)
        except IllegalAction as error:
            option = options.helpful(self.game, self.may, action)
            if option:
                raise Needs(option) from None
            self.overruling(action, act, error.reference, error)
            return
        for option in options.used(self.game, self.may, action):
            self.memory.noted.setdefault(option, []).append(act.number)
        company = self.turn()
        if isinstance(action, SellShares):
            self.memory.selling = act, int(act["number"] or 1)
        events = self.game.apply(action)
        if isinstance(action, Dividend):
            self.memory.earned.pop(company, None)
        self._watch(events)

    def overruling(self, action: Action, act: Act, rule: str, why: KursbuchError) -> None:
        """Take an action over against a rule, if that is the way left; otherwise it is refused."""
        if act.number in self.overruled and deviations.carry_out(self, action, act):
            params = {"rule": rule, "why": why}
            self.memory.audit.append(Remark((act.number,), deviations.OVERRULED, params))
            return
        said = N_("Action {number} ({kind}) does not fit: {why}")
        if rule:
            said = N_("Action {number} ({kind}) breaks rule {rule}: {why}")
        refusal = self.cannot(said, act, rule=rule, why=why)
        if isinstance(action, OVERRULED):
            refusal.broken = rule
        raise refusal from None

    def not_whole(self, act: Act) -> DoesNotFit:
        """The refusal of a sale for which there are no whole certificates of its size [2.6.3.2b]."""
        _, percent = self.terms.percent(act)
        refusal = self.cannot(
            "Action {number} ({kind}) breaks rule {rule}: {percent} percent of {company} are sold, for which "
            "there are no whole certificates of this size.",
            act,
            rule=deviations.WHOLE_CERTIFICATES,
            percent=percent,
            company=self.terms.company(act),
        )
        refusal.broken, refusal.near = deviations.WHOLE_CERTIFICATES, True
        return refusal

    def overruling_sale(self, act: Act, seat: int) -> None:
        """Take over a sale of what the seller does not have, if that is the way left."""
        if act.number not in self.overruled or not deviations.sell_what_there_is(self, act, seat):
            raise self.not_whole(act)
        self.take([self.head])

    def possible(self, action: Action) -> bool:
        """Whether an action is allowed, with another option if need be."""
        problem = self.game.position.problem(action)
        return problem is None or bool(options.helpful(self.game, self.may, action))

    def _watch(self, events: Iterable[Event]) -> None:
        """Note what our game has done by itself."""
        memory = self.memory
        for event in events:
            match event:
                case StockRoundBegan():
                    memory.fresh = True
                case PriceMoved(company=company, before=before, why="sold") if memory.selling:
                    act, number = memory.selling
                    self._doubt(deviations.sale(self, company, before, number, act))
                case PriceMoved(company=company, before=before, why="sold-out"):
                    self._doubt(deviations.risen(self, company, before, self.next()))
                case TurnBegan(company=company):
                    memory.open.append(company)
                    memory.earned.pop(company, None)
                case Passed(rule="2.6.1.4", seat=seat, able=False):
                    memory.passed.append(seat)
                case RunEvent(company=company, revenue=revenue):
                    memory.earned[company] = revenue
                case _:
                    pass

    def _doubt(self, doubt: Doubt | None) -> None:
        if doubt is not None:
            self.memory.doubts.append(doubt)

    def _note_sale(self, action: Action, act: Act) -> None:
        """Whether the same company is sold a second time in one turn."""
        memory, state = self.memory, self.state
        step = state.agenda[-1]
        if (isinstance(step, StockTurn) and not step.acted) or not isinstance(
            step, StockTurn | RaiseMoney | Swap
        ):
            memory.sold.clear()
        if not isinstance(action, SellShares):
            return
        if action.company in memory.sold and SAME_PRICE in self.may:
            price = (
                self.book.market.price(state, action.company) * int(act["shareUnit"] or 10) // 10
            )
            if state.house.one_sale_price:
                memory.noted.setdefault(SAME_PRICE, []).append(act.number)
            elif act["price"] != price:
                raise Needs(SAME_PRICE)
        memory.sold.add(action.company)

    # ---- what cannot be taken over

    def cannot(self, template: str, act: Act | None = None, **params: object) -> DoesNotFit:
        """The refusal of an action, the next if none is named."""
        act = act or self.next()
        refusal = DoesNotFit(template, number=act.number, kind=act.kind, **params)
        refusal.perhaps = options.perhaps(self.game, act.kind)
        refusal.empty = act.kind == "NullAction"
        return refusal

    def unfit(self, act: Act) -> DoesNotFit:
        """The refusal of an action that does not fit what our game asks now."""
        return self.cannot(
            "Action {number} ({kind}) does not fit the situation ({step}).",
            act,
            step=tag_of(self.state.agenda[-1]),
        )

    # ---- what was found

    def reach(self) -> None:
        """Note that our game stands where theirs did after all actions taken over so far."""
        memory = self.memory
        for place in range(len(memory.reached), memory.head):
            number = self.actions[place].number
            memory.reached[number] = len(self.game.moves)
            if place < memory.head - 1 or any(memory.used[memory.head :]):
                memory.ahead.add(number)

    def count(self) -> int:
        """How many actions of the file have been carried out."""
        if self.head < len(self.actions):
            return self.actions[self.head].number
        return self.actions[-1].number + 1 if self.actions else 0

    def remarks(self) -> list[Remark]:
        """What deviates from the book, and where."""
        noted = [
            Remark(
                tuple(sorted(set(numbers))),
                options.SENTENCES.get(option, options.ALLOWED_ONLY),
                {"option": option},
            )
            for option, numbers in self.memory.noted.items()
        ]
        return [*noted, *self.memory.revenues, *self.memory.audit]
