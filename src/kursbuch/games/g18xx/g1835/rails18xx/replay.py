"""Replay of a Rails-18xx game, with its deviations from the rules.

Some versions of Rails move prices differently, without the file naming the version. Each such case
is an open point (`Doubt`), settled by the order of companies and by prices in later actions. An
action that breaks a rule is carried out by corrections (`carry_out`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from kursbuch.core.actions import Action
from kursbuch.core.corrections import NOBODY, Correct, player
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.events import Event
from kursbuch.core.game import Game
from kursbuch.core.registry import Remark
from kursbuch.core.state import tag_of
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import (
    BuyShare,
    BuyTrain,
    Dividend,
    Done,
    LayTile,
    Nationalise,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.components import (
    BANK,
    BOX,
    EXCHANGE_SHARES,
    PERCENT,
    POOL,
    STACK,
    train_item,
)
from kursbuch.games.g18xx.events import Passed, PriceMoved, RunEvent, StockRoundBegan, TurnBegan
from kursbuch.games.g18xx.g1835.rails18xx import terms
from kursbuch.games.g18xx.g1835.rails18xx.terms import Terms
from kursbuch.games.g18xx.g1835.ruleset import PRUSSIA
from kursbuch.games.g18xx.g1835.state import SAME_PRICE, State1835
from kursbuch.games.g18xx.rails18xx import Act, DoesNotFit, Needs, Picks, Point
from kursbuch.games.g18xx.state import RaiseMoney, StockTurn, Swap

#: Rules whose breach is taken over.
PRIORITY, SALE_MOVES_ONCE, SOLD_OUT = "1835:2.3b", "1835:2.6.3.3", "1835:2.6.3.4"
WHOLE_CERTIFICATES = "1835:2.6.3.2b"
EVERY_SHARE = N_(
    "In action {actions} Rails-18xx moves the price of {company} one row for every share, to {cell}; by rule "
    "{rule} the whole sale moves it once. The price is corrected."
)
NOT_SOLD_OUT = N_(
    "Before action {actions} Rails-18xx leaves the price of {company} on {cell}, because exchange shares are "
    "still unsold there; by rule {rule} it rises. The price is corrected."
)
OTHER_BEGINS = N_(
    "Before action {actions} Rails-18xx does not count the purchase of a director's certificate for the "
    "priority deal: {there} begins, by rule {rule} it would be {here}. The turn is corrected."
)
OTHER_PRICE = N_(
    "In action {actions} the price of {company} is {there}, by the rules it would be {here}. It is corrected; what "
    "moved it the file does not say."
)
PAID_FOR_MORE = N_(
    "In action {actions} {percent} percent of {company} are paid for, but only {moved} percent change hands; by "
    "rule {rule} only whole certificates are sold. What Rails-18xx made of it is taken over by corrections."
)
EMPTY = N_("Action {actions} decides nothing; it is passed over.")
RULE_BROKEN = N_(
    "Action {actions} breaks rule {rule}: {why} What Rails-18xx made of it is taken over by corrections."
)


class Doubt(NamedTuple):
    """A price that some versions move differently: the rule and action that moved it here, and its
    cell there."""

    company: str
    rule: str
    number: int
    cell: str


def sale(replay: Replay, company: str, before: str, number: int, act: Act) -> Doubt | None:
    """The doubt whether a sale of several shares moved the price once per share."""
    cell = before
    for _ in range(number):
        cell = replay.ruleset.chart.down[cell]
    here = replay.state.companies[company].cell
    return Doubt(company, SALE_MOVES_ONCE, act.number, cell) if cell != here else None


def risen(replay: Replay, company: str, before: str, act: Act) -> Doubt | None:
    """The doubt whether a sold-out company stayed: Prussia, while papers wait for its shares."""
    if company != PRUSSIA or not replay.ruleset.percent(replay.state, EXCHANGE_SHARES, PRUSSIA):
        return None
    return Doubt(company, SOLD_OUT, act.number, before)


def settle(replay: Replay) -> None:
    """Decide open doubts, and correct prices as soon as possible."""
    memory = replay.memory
    while memory.doubts:
        doubt = memory.doubts[0]
        # A version keeps its habit.
        again = doubt.rule in memory.habits
        taken = replay.pick(doubt.company, 2)
        memory.doubts.pop(0)
        if bool(taken) != again:
            memory.habits.add(doubt.rule)
            memory.prices[doubt.company] = doubt
    if replay.game.over or not correctable(replay, "price"):
        return
    for train, place in memory.aside:
        if not _rusted(replay, train):
            replay.correct(Correct(NOBODY, "train", (train, BOX, place)))
    memory.aside.clear()
    for company, doubt in list(memory.prices.items()):
        del memory.prices[company]
        template = EVERY_SHARE if doubt.rule == SALE_MOVES_ONCE else NOT_SOLD_OUT
        params = {"company": company, "cell": doubt.cell, "rule": doubt.rule}
        move_price(replay, company, doubt.cell)
        replay.memory.audit.append(Remark((doubt.number,), template, params))


def correctable(replay: Replay, kind: str) -> bool:
    """Whether a kind of correction is possible now."""
    title = replay.game.title
    return title.uncorrectable(replay.state, kind) is None


def move_price(replay: Replay, company: str, cell: str) -> None:
    """Correct a price that differs."""
    if replay.state.companies[company].cell not in ("", cell):
        replay.correct(Correct(NOBODY, "price", (company, cell)))


def check_price(replay: Replay, action: Action, act: Act) -> None:
    """Raise if an action names another price than ours, or take it over."""
    named = act["price"]
    if not isinstance(named, int) or not named:
        return
    company, here = "", 0
    match action:
        case SellShares(company=company):
            step = replay.state.agenda[-1]
            prices = step.prices if isinstance(step, StockTurn | RaiseMoney) else None
            here = replay.ruleset.shares.sale_price(replay.state, company, prices)
            if company in replay.memory.sold:
                return  # covered by the option about a second sale
        case BuyShare(company=company, source="pool") | Nationalise(company=company):
            here = replay.ruleset.market.price(replay.state, company)
        case _:
            return
    factor = 3 if isinstance(action, Nationalise) else 2
    unit = 5 if company == PRUSSIA else 10
    percent = PERCENT[action.certificate] if not isinstance(action, SellShares) else unit
    # Versions name the price of a unit or of the certificate, with halves rounded up or down.
    near = (abs(2 * named - factor * here * size / 10) for size in (unit, percent))
    if company in replay.memory.prices or any(difference < 2 for difference in near):
        return
    there = round(2 * named / factor * 10 / unit)
    chart = replay.ruleset.chart
    cells = [cell for cell, price in chart.price.items() if price == there]
    known = bool(cells) and correctable(replay, "price")
    if known and act.number in replay.overruled:
        own = replay.state.companies[company].cell
        cells.sort(key=lambda cell: cell[:1] != own[:1])
        move_price(replay, company, cells[0])
        params = {"company": company, "there": there, "here": here}
        replay.memory.audit.append(Remark((act.number,), OTHER_PRICE, params))
        return
    refusal = replay.cannot(
        "In action {number} ({kind}) the price of {company} is {there}, by the rules it would be {here}.",
        act,
        company=company,
        there=there,
        here=here,
    )
    refusal.broken = SALE_MOVES_ONCE if known else ""
    raise refusal


def other_begins(replay: Replay, step: StockTurn) -> bool:
    """Let another player begin a stock round if Rails did, because it did not count the purchase of
    a director's certificate."""
    memory, act = replay.memory, replay.next()
    buyer = memory.buyer
    if buyer is None or act.seat == step.seat or replay.state.priority == act.seat:
        return False
    if replay.ruleset.left_of(replay.state, buyer) != act.seat:
        return False
    names = replay.game.names
    params = {"there": names[act.seat], "here": names[replay.state.priority], "rule": PRIORITY}
    replay.correct(Correct(NOBODY, "priority", (player(act.seat),)))
    number = str(replay.state.round.number)
    replay.correct(Correct(NOBODY, "stock-round", (player(act.seat), number)))
    memory.audit.append(Remark((act.number,), OTHER_BEGINS, params))
    return True


def empty(replay: Replay) -> bool:
    """Skip an action without effect."""
    act = replay.next()
    if act.kind != "NullAction" or act.number not in replay.overruled:
        return False
    replay.take([replay.head])
    replay.memory.audit.append(Remark((act.number,), EMPTY, {}))
    return True


def sell(replay: Replay, act: Act, seat: int, certificates: Mapping[str, int]) -> bool:
    """Sell these certificates by corrections, paying what the action says; return whether it
    worked."""
    return bool(certificates) and _made(replay, list(_sale(replay, act, seat, certificates)))


def sell_short(replay: Replay, act: Act, seat: int) -> None:
    """Sell the available certificates of the named size, but pay for all."""
    if not _sell_less(replay, act, seat, replay.terms.short(act, seat)):
        raise replay.not_whole(act)
    replay.take([replay.head])


def sell_what_there_is(replay: Replay, act: Act, seat: int) -> bool:
    """Sell as much as available, but pay for all; return whether it worked."""
    return _sell_less(replay, act, seat, replay.terms.most(act, seat))


def _sell_less(replay: Replay, act: Act, seat: int, certificates: Mapping[str, int]) -> bool:
    company, (_, percent) = replay.terms.company(act), replay.terms.percent(act)
    if not sell(replay, act, seat, certificates):
        return False
    moved = sum(PERCENT[name] * count for name, count in certificates.items())
    params = {"company": company, "percent": percent, "moved": moved, "rule": WHOLE_CERTIFICATES}
    replay.memory.audit.append(Remark((act.number,), PAID_FOR_MORE, params))
    return True


def carry_out(replay: Replay, action: Action, act: Act) -> bool:
    """Carry out an action by corrections; return whether it worked."""
    if isinstance(action, SellShares):
        return sell(replay, act, action.seat, replay.terms.most(act, action.seat))
    return _made(replay, list(_corrections(replay, action)))


def _made(replay: Replay, steps: list[Action]) -> bool:
    """Make corrections; return whether all were possible."""
    step, moves = replay.state.agenda[-1], len(replay.game.moves)
    if steps and isinstance(step, RaiseMoney):
        # Restart the purchase once the money is there.
        again = BuyTrain(replay.decider(), step.train, step.source)
        steps = [Correct(NOBODY, "skip", ()), *steps, again]
    for found in steps:
        if replay.game.position.problem(found) is not None:
            replay.game.rewind(moves)
            replay.memory.aside.clear()
            return False
        replay.correct(found)
    return bool(steps)


def _rusted(replay: Replay, train: str) -> bool:
    """Whether trains of a type have rusted."""
    components = replay.ruleset.components
    last = components.train_records[train].scrapped_by
    return last is not None and components.phase_row[last] <= replay.state.phase


def _sale(replay: Replay, act: Act, seat: int, certificates: Mapping[str, int]) -> Iterator[Action]:
    """Corrections that amount to a sale."""
    company, (_, percent) = replay.terms.company(act), replay.terms.percent(act)
    unit = int(act["shareUnit"] or 10)
    price = int(act["price"] or replay.ruleset.market.price(replay.state, company) * unit // 10)
    for name, count in certificates.items():
        yield Correct(NOBODY, "share", (company, name, player(seat), POOL, str(count)))
    yield _money(BANK, player(seat), price * percent // unit)
    cell = replay.state.companies[company].cell
    if replay.ruleset.chart.down[cell] != cell:
        yield Correct(NOBODY, "price", (company, replay.ruleset.chart.down[cell]))


def _corrections(replay: Replay, action: Action) -> Iterator[Action]:
    """Corrections that amount to an action."""
    state, ruleset = replay.state, replay.ruleset
    match action:
        case PlaceStation(hex=hex, stop=stop):
            company = replay.turn()
            if not action.private and (cost := ruleset.builder.station_cost(state, company, hex)):
                yield _money(company, BANK, cost)
            yield Correct(NOBODY, "station", (company, hex, str(stop + 1)))
        case LayTile(hex=hex, tile=tile, rotation=rotation):
            company = replay.turn()
            if not action.private and (cost := ruleset.builder.cost(state, company, hex, tile)):
                yield _money(company, BANK, cost)
            yield Correct(NOBODY, "tile", (hex, tile, str(rotation)))
        case BuyTrain(train=train, source=source):
            # Cheaper trains are set aside for the purchase; `settle` returns them.
            price = ruleset.depot.price(train)
            company = replay.turn()
            for offer in ruleset.depot.offers(state, company):
                place = POOL if offer.source == POOL else STACK
                for _ in range(state.ledger.held(train_item(offer.train), place)):
                    if offer.price < price:
                        replay.memory.aside.append((offer.train, offer.source))
                        yield Correct(NOBODY, "train", (offer.train, offer.source, BOX))
            yield BuyTrain(action.seat, train, source)
        case _:
            return


def _money(source: str, target: str, amount: int) -> Correct:
    return Correct(NOBODY, "money", (source, target, str(amount)))


#: Kinds of actions in a company's turn, except for its end.
COMPANY_KINDS = {"LayTile", "LayBaseToken", "SetDividend", "BuyTrain"}

#: Maximum number of passes in a row before giving up on the next action.
MAX_IDLE_MOVES = 80

#: Actions that may be taken over against a rule.
OVERRULED = (BuyTrain, LayTile, PlaceStation, SellShares)


class Remarks(list[Remark]):
    """Remarks, copied shallowly."""

    def __deepcopy__(self, memo: object) -> Remarks:
        return Remarks(self)


@dataclass
class Memory:
    """State of a replay.

    `used` tells which actions have been taken over, `head` is the index of the first that has not,
    `idle` the number of moves since one was. `open` are companies whose turns have begun but not
    ended in the file, `earned` revenues booked without a question; `sold` the companies sold in
    this turn; `also` papers exchanged in the action that opens Prussia; `passed` players passed
    over in a stock round. `noted` are numbers of actions by the option they need, `revenues`
    remarks about revenues that are not the highest; `corrected` the numbers of corrections;
    `reached` and `ahead` as in `Imported`. `trains` and `turned` belong to `Terms`.

    `selling` is the last sale: its action and number of shares. `doubts` are open doubts, `prices`
    confirmed but uncorrected ones, `habits` the rules this version is known to break. `aside` are
    trains temporarily out of the game. `buyer` is the last player whose purchase moves the priority
    deal in every version; `fresh` holds until the first action of a stock round. `pass_asked` is
    the last pass made an open point. `audit` are remarks about broken rules.
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
    """A point to resume from: number of moves, and the memory at that time."""

    moves: int
    memory: Memory


class Replay:
    """One attempt to replay the actions. `may` are the options that may be set if needed, `picks`
    the answers at open points."""

    def __init__(
        self, game: Game, actions: Sequence[Act], may: Sequence[str], picks: Picks | None = None
    ) -> None:
        self.game = game
        self.actions = actions
        self.may = may
        self.picks: Picks = dict(picks or {})
        #: Numbers of actions taken over against a rule.
        self.overruled: frozenset[int] = frozenset()
        self.terms = Terms(game)
        self.ruleset = self.terms.ruleset
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
        """Current state of our game."""
        state: State1835 = self.game.state
        return state

    @property
    def head(self) -> int:
        """Index of the first action not taken over."""
        return self.memory.head

    @property
    def about(self) -> str:
        """Company of the next action."""
        return self.terms.names.get(self.next().company, "")

    def next(self) -> Act:
        """The first action not taken over, or else the last action."""
        return self.actions[min(self.head, len(self.actions) - 1)]

    def rest(self) -> Iterator[int]:
        """Indices of the actions not yet taken over."""
        for place in range(self.head, len(self.actions)):
            if not self.memory.used[place]:
                yield place

    def own(self, company: str) -> list[int]:
        """Indices of the remaining actions of a company's turn."""
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
        """Company whose turn it is in our game, or empty."""
        return str(getattr(self.state.agenda[-1], "company", ""))

    def decider(self) -> int:
        """Seat that has to decide in our game."""
        return self.game.pending[0].seat

    # ---- taking actions

    def take(self, places: Iterable[int], *actions: Action) -> None:
        """Take over actions of the file as these moves; none if our game has done it already."""
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
        """Make a move that is not in the file."""
        if self.memory.idle >= MAX_IDLE_MOVES:
            raise self.cannot("Action {number} ({kind}) does not fit: no player can do this now.")
        self._apply(action, self.next())
        self.memory.idle += 1

    def done(self) -> None:
        """End the turn or step."""
        self.insert(Done(self.decider()))

    def choose(self, about: str, answers: Sequence[Action]) -> None:
        """Make a move the file does not tell, by default the first. `about` is the company
        concerned."""
        self.insert(answers[self.pick(about, len(answers))])

    def pick(self, about: str, answers: int) -> int:
        """Choose one of several answers at an open point, by default the first. The game can resume
        here with another."""
        if answers < 2:
            return 0
        count = sum(key[:2] == (self.head, about) for key, _, _ in self.points)
        key = (self.head, about, count)
        taken = min(self.picks.get(key, 0), answers - 1)
        self.points.append(Point(key, answers, taken))
        self._forks.append(Fork(len(self.game.moves), deepcopy(self.memory)))
        return taken

    def again(self, picks: Picks) -> Self:
        """Resume at the first of these points, with these answers."""
        first = next(n for n, point in enumerate(self.points) if point.key in picks)
        fork = self._forks[first]
        game = self.game.branch(fork.moves)
        replay = type(self)(game, self.actions, self.may, {**self.picks, **picks})
        replay.overruled = self.overruled
        replay._remember(deepcopy(fork.memory))
        replay.points, replay._forks = self.points[:first], self._forks[:first]
        return replay

    def overrule(self) -> Self:
        """Retry, taking over the next action against a rule, or skipping it if it is empty; then
        from the start, since this game has gone on without it."""
        act, replay = self.next(), self
        if act.kind == "NullAction":
            game = self.game
            fresh = Game(game.title, game.names, game.options, seed=game.seed)
            replay = type(self)(fresh, self.actions, self.may, self.picks)
        replay.overruled = self.overruled | {act.number}
        return replay

    def correct(self, action: Action) -> None:
        """Make a correction, or a move that belongs to it."""
        self._watch(self.game.apply(action))

    def _apply(self, action: Action, act: Act) -> None:
        check_price(self, action, act)
        self._note_sale(action, act)
        try:
            self.game.position.check(action)
        except IllegalAction as error:
            option = terms.helpful(self.game, self.may, action)
            if option:
                raise Needs(option) from None
            self.overruling(action, act, error.reference, error)
            return
        for option in terms.used(self.game, self.may, action):
            self.memory.noted.setdefault(option, []).append(act.number)
        company = self.turn()
        if isinstance(action, SellShares):
            self.memory.selling = act, int(act["number"] or 1)
        events = self.game.apply(action)
        if isinstance(action, Dividend):
            self.memory.earned.pop(company, None)
        self._watch(events)

    def overruling(self, action: Action, act: Act, rule: str, why: KursbuchError) -> None:
        """Take over an action against a rule as a last resort; otherwise refuse it."""
        if act.number in self.overruled and carry_out(self, action, act):
            params = {"rule": rule, "why": why}
            self.memory.audit.append(Remark((act.number,), RULE_BROKEN, params))
            return
        said = N_("Action {number} ({kind}) does not fit: {why}")
        if rule:
            said = N_("Action {number} ({kind}) breaks rule {rule}: {why}")
        refusal = self.cannot(said, act, rule=rule, why=why)
        if isinstance(action, OVERRULED):
            refusal.broken = rule
        raise refusal from None

    def not_whole(self, act: Act) -> DoesNotFit:
        """Refusal of a sale for which no whole certificates of its size exist [2.6.3.2b]."""
        _, percent = self.terms.percent(act)
        refusal = self.cannot(
            "Action {number} ({kind}) breaks rule {rule}: {percent} percent of {company} are sold, for which "
            "there are no whole certificates of this size.",
            act,
            rule=WHOLE_CERTIFICATES,
            percent=percent,
            company=self.terms.company(act),
        )
        refusal.broken, refusal.near = WHOLE_CERTIFICATES, True
        return refusal

    def overruling_sale(self, act: Act, seat: int) -> None:
        """Take over a sale of missing shares as a last resort."""
        if act.number not in self.overruled or not sell_what_there_is(self, act, seat):
            raise self.not_whole(act)
        self.take([self.head])

    def possible(self, action: Action) -> bool:
        """Whether an action is legal, if need be with another option."""
        problem = self.game.position.problem(action)
        return problem is None or bool(terms.helpful(self.game, self.may, action))

    def _watch(self, events: Iterable[Event]) -> None:
        """Note what our game has done by itself."""
        memory = self.memory
        for event in events:
            match event:
                case StockRoundBegan():
                    memory.fresh = True
                case PriceMoved(company=company, before=before, why="sold") if memory.selling:
                    act, number = memory.selling
                    self._doubt(sale(self, company, before, number, act))
                case PriceMoved(company=company, before=before, why="sold-out"):
                    self._doubt(risen(self, company, before, self.next()))
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
        """Note a second sale of a company in one turn."""
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
                self.ruleset.market.price(state, action.company) * int(act["shareUnit"] or 10) // 10
            )
            if state.house.one_sale_price:
                memory.noted.setdefault(SAME_PRICE, []).append(act.number)
            elif act["price"] != price:
                raise Needs(SAME_PRICE)
        memory.sold.add(action.company)

    # ---- what cannot be taken over

    def cannot(self, template: str, act: Act | None = None, **params: object) -> DoesNotFit:
        """Refusal of an action, by default the next."""
        act = act or self.next()
        refusal = DoesNotFit(template, number=act.number, kind=act.kind, **params)
        refusal.perhaps = terms.perhaps(self.game, act.kind)
        refusal.empty = act.kind == "NullAction"
        return refusal

    def unfit(self, act: Act) -> DoesNotFit:
        """Refusal of an action that does not fit the current step."""
        return self.cannot(
            "Action {number} ({kind}) does not fit the situation ({step}).",
            act,
            step=tag_of(self.state.agenda[-1]),
        )

    # ---- what was found

    def reach(self) -> None:
        """Note the moves at which our game matches the file."""
        memory = self.memory
        for place in range(len(memory.reached), memory.head):
            number = self.actions[place].number
            memory.reached[number] = len(self.game.moves)
            if place < memory.head - 1 or any(memory.used[memory.head :]):
                memory.ahead.add(number)

    def count(self) -> int:
        """Number of actions of the file carried out."""
        if self.head < len(self.actions):
            return self.actions[self.head].number
        return self.actions[-1].number + 1 if self.actions else 0

    def remarks(self) -> list[Remark]:
        """Deviations from the rulebook."""
        noted = [
            Remark(
                tuple(sorted(set(numbers))),
                terms.SENTENCES.get(option, terms.ALLOWED_ONLY),
                {"option": option},
            )
            for option, numbers in self.memory.noted.items()
        ]
        return [*noted, *self.memory.revenues, *self.memory.audit]
