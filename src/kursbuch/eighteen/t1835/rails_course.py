"""Playing a game of ours along the actions of Rails-18xx.

Whatever our game asks is answered from that program's next actions. That program leaves out steps
without a choice and ours carries out others by itself, so turns are ended where the next action shows
that they are over, and actions that ours has already done are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.events import Event
from kursbuch.core.game import Game
from kursbuch.core.importing import Progress, Remark
from kursbuch.core.state import Step
from kursbuch.core.words import N_
from kursbuch.eighteen.actions import (
    Answer,
    BuyPaper,
    ChooseHome,
    ChooseSwap,
    Discard,
    Dividend,
    Done,
    EnterRevenue,
    Exchange,
    Nationalise,
    PlaceStation,
    SellShares,
)
from kursbuch.eighteen.events import Passed, RunEvent, TurnBegan
from kursbuch.eighteen.pieces import PLAYERS, POOL
from kursbuch.eighteen.rails import Act
from kursbuch.eighteen.state import (
    Build,
    BuyTrains,
    EndTurn,
    Home,
    Pay,
    Place,
    RaiseMoney,
    StockTurn,
    Surplus,
    Swap,
    TrainOffer,
)
from kursbuch.eighteen.t1835.actions import OpenPrussia
from kursbuch.eighteen.t1835.game import (
    AS_RAILS,
    FREE_REVENUE,
    FREE_TRACK,
    GROUP3_WITHOUT_PRUSSIA,
    MINORS_NEED_BAVARIA,
    OPENER,
    PRUSSIA,
    SAME_PRICE,
    UNLIMITED_TILES,
)
from kursbuch.eighteen.t1835.rails_terms import BAVARIA, CannotTake, Terms
from kursbuch.eighteen.t1835.state import Folding, PacketTurn, PrussiaOffer, State1835

#: What is done in the turn of a company, beside what ends it.
COMPANY_KINDS = {"LayTile", "LayBaseToken", "SetDividend", "BuyTrain"}

#: The kinds of actions that occur in games of this family.
KINDS = {
    "BuyCertificate",
    "BuyStartItem",
    "DiscardTrain",
    "FoldIntoPrussian",
    "NullAction",
    "SellShares",
    "StartCompany",
    *COMPANY_KINDS,
}

#: What the dividend is: the whole revenue, half of it, or another word for nothing.
PAYOUT, SPLIT = 2, 1

#: A home station.
HOME_CITY = 3

#: Passing that often in a row means that the next action never comes.
MOST_IDLE_MOVES = 80

#: Steps in which something is settled that belongs to the action before.
_BELONGING = (Swap, Home, TrainOffer)

#: Steps that come up when Prussia is formed or trains are surplus.
_FORMING = (PrussiaOffer, Folding, Swap, Surplus)

ALLOWED_ONLY = N_("Only the option {option} allows the actions {actions}.")
AS_THERE = N_("With the option {option} the actions {actions} come out as in Rails-18xx.")
EARNED_LESS = N_(
    "In action {actions} {company} earns {recorded}, less than its best runs bring ({best}): {runs}. "
    "The amount is taken over; the book would have the highest."
)
EARNED_MORE = N_(
    "In action {actions} {company} earns {recorded}, more than any runs by the book bring ({best}): "
    "{runs}. The amount is taken over."
)
SOLD_AGAIN = N_("With the option {option} the actions {actions} sell again at the first price.")


class Needs(Exception):
    """The game cannot go on without an option."""

    def __init__(self, option: str) -> None:
        self.option = option


class Course:
    """One attempt to play a game along that program's actions."""

    def __init__(self, game: Game, actions: list[Act], may: list[str]) -> None:
        self.game = game
        self.terms = Terms(game)
        self.rules = self.terms.rules
        self.actions = actions
        #: The options that may be set if an action needs them.
        self.may = may
        self.used = [False] * len(actions)
        #: The place of the first action not taken over.
        self.head = 0
        #: How many moves have been made since an action was taken over.
        self.idle = 0
        #: The companies whose turns have begun and are not ended in the file.
        self.open: list[str] = []
        #: What companies have earned by themselves, without a question.
        self.earned: dict[str, int] = {}
        #: The companies whose shares have been sold in this turn.
        self.sold: set[str] = set()
        #: Papers exchanged in the same action that opens Prussia.
        self.also: list[str] = []
        #: Players who were passed over in a stock round.
        self.passed: list[int] = []
        #: The numbers of the actions that only an option allows.
        self.noted: dict[str, list[int]] = {}
        #: Revenues that are not the highest.
        self.revenues: list[Remark] = []
        self.reached: dict[int, int] = {}
        self.ahead: set[int] = set()
        self._watch(game.opening)

    # ---- the course of the game

    @property
    def state(self) -> State1835:
        state: State1835 = self.game.state
        return state

    def run(self, progress: Progress | None) -> KursbuchError | None:
        """Take over one action after the other; returns why it could not go on."""
        try:
            while self.head < len(self.actions):
                if progress is not None:
                    progress(self.head, len(self.actions))
                if self.game.over:
                    self._after_end()
                else:
                    self._answer()
            while not self.game.over and isinstance(self.state.agenda[-1], _BELONGING):
                self._ask(self.state.agenda[-1])
        except KursbuchError as stop:
            self.game.rewind(len(self.game.moves) - self.idle)
            self._reach()
            return stop
        self._finish()
        self._reach()
        return None

    def _after_end(self) -> None:
        """Pass over what our game has done by itself before it ended."""
        act = self._next()
        self._known(act)
        idle = act.kind == "NullAction" or (act.kind == "SetDividend" and self._earned(act, None))
        if not idle:
            raise CannotTake(
                "Action {number} ({kind}) comes after the end of the game.",
                number=act.number,
                kind=act.kind,
            )
        self._take([self.head])

    def _answer(self) -> None:
        """Answer what our game asks now."""
        step = self.state.agenda[-1]
        if isinstance(step, _BELONGING) or not self._happened(step):
            self._ask(step)

    def _ask(self, step: Step) -> None:
        match step:
            case PacketTurn():
                self._packet(step)
            case StockTurn():
                self._stock(step)
            case Swap():
                self._swap(step)
            case Build():
                self._build(step)
            case Place():
                self._place(step)
            case Home():
                self._home(step)
            case Pay():
                self._pay(step)
            case BuyTrains():
                self._trains(step)
            case TrainOffer():
                self._insert(Answer(self._decider(), True))
            case RaiseMoney():
                self._raise()
            case Surplus():
                self._surplus(step)
            case PrussiaOffer():
                self._prussia()
            case Folding():
                self._folding()
            case _:
                raise self._unfit(self._next())

    def _happened(self, step: Step) -> bool:
        """Pass over the next action if it has happened in our game already."""
        act = self._next()
        self._known(act)
        match act.kind:
            case "NullAction" if act.mode in ("PASS", "AUTOPASS"):
                while self.passed:
                    if self.passed.pop(0) == act.seat:
                        self._take([self.head])
                        return True
                return False
            case "NullAction" if act.mode == "DONE":
                done = self._ahead() and not (isinstance(step, StockTurn) and step.acted)
            case "NullAction":
                done = self._skipped(step)
            case "SetDividend":
                done = self._earned(act, step)
            case "DiscardTrain":
                company = self.terms.company(act)
                # What is exchanged may still bring Prussia more trains than it may have.
                waits = company == PRUSSIA and isinstance(step, _FORMING)
                done = not waits and not self._above(company)
            case "FoldIntoPrussian":
                papers = self.terms.folded(act)
                done = not isinstance(step, _FORMING) and all(
                    self.rules.owner(self.state, paper) < 0 for paper in papers
                )
            case "BuyTrain":
                # After a forced sale the purchase may stand there a second time.
                company = self.terms.company(act)
                done = self.terms.trains.get(str(act["trainUniqueId"])) == company
            case "LayTile" | "LayBaseToken":
                self._check_missed(act, step)
                done = False
            case _:
                done = False
        if act.kind in COMPANY_KINDS and (company := self.terms.company(act)) in self.open:
            del self.open[: self.open.index(company)]
        elif act.kind in ("BuyCertificate", "BuyStartItem", "StartCompany"):
            self.open.clear()
            self.passed.clear()
        if done:
            self._take([self.head])
            if act.mode == "DONE" and self.open:
                self.open.pop(0)
        return done

    def _check_missed(self, act: Act, step: Step) -> None:
        """Raise if our game has left out a step because nothing was allowed in it."""
        company = self.terms.company(act)
        if company not in self.open or (
            getattr(step, "company", company) == company and not isinstance(step, Pay | BuyTrains)
        ):
            return
        for option in (FREE_TRACK, UNLIMITED_TILES):
            if option in self.may and option not in self.state.options:
                raise Needs(option)
        raise self._unfit(act)

    def _ahead(self) -> bool:
        """Whether a turn has ended in our game that has not in the file."""
        return len(self.open) > 1 or not any(
            isinstance(below, EndTurn) for below in self.state.agenda
        )

    def _skipped(self, step: Step) -> bool:
        """Whether the step skipped is one that our game has left already."""
        if isinstance(step, PacketTurn | StockTurn):
            return True
        for place in self._rest():
            act = self.actions[place]
            if act.kind == "NullAction" and act.mode == "SKIP":
                continue
            if act.kind == "NullAction" and act.mode == "DONE":
                return self._ahead()
            return act.kind == "SetDividend" and self._earned(act, step, check=False)
        return False

    def _earned(self, act: Act, step: Step | None, *, check: bool = True) -> bool:
        """Whether the company has its revenue already: minors share it by themselves, and without
        any there is no question."""
        company = self.terms.company(act)
        if company not in self.earned or company not in self.open:
            return False
        if isinstance(step, Build | Place | Pay) and step.company == company:
            return False
        recorded = int(act["actualRevenue"] or 0)
        ran = company in self.state.round.acted or getattr(step, "company", "") == company
        if recorded != self.earned[company] and not ran:
            # It may be what the company earned in the round before.
            return False
        if check and self.earned.pop(company) != recorded:
            raise Needs(FREE_REVENUE)
        return True

    def _above(self, company: str) -> bool:
        """Whether a company has more trains than it may."""
        state = self.state
        return len(self.rules.trains(state, company)) > self.rules.train_limit(state, company)

    def _watch(self, events: Iterable[Event]) -> None:
        """Note what our game has done by itself."""
        for event in events:
            match event:
                case TurnBegan(company=company):
                    self.open.append(company)
                    self.earned.pop(company, None)
                case Passed(rule="2.6.1.4", seat=seat, able=False):
                    self.passed.append(seat)
                case RunEvent(company=company, revenue=revenue):
                    self.earned[company] = revenue
                case _:
                    pass

    def _finish(self) -> None:
        """At the end of a finished game, steps without a choice are still to be gone through."""
        moves = len(self.game.moves)
        for _ in range(4):
            step = self.state.agenda[-1] if self.state.agenda else None
            if not isinstance(step, Build | Place | BuyTrains):
                break
            try:
                self.game.apply(Done(self._decider()))
            except IllegalAction:
                break
        if not self.game.over:
            self.game.rewind(moves)

    def _decider(self) -> int:
        return self.game.pending[0].seat

    # ---- taking actions

    def _rest(self) -> Iterator[int]:
        """The places of the actions not yet taken over."""
        for place in range(self.head, len(self.actions)):
            if not self.used[place]:
                yield place

    def _next(self) -> Act:
        return self.actions[min(self.head, len(self.actions) - 1)]

    def _reach(self) -> None:
        """Note that our game stands where theirs did after all actions taken over so far."""
        for place in range(len(self.reached), self.head):
            number = self.actions[place].number
            self.reached[number] = len(self.game.moves)
            if place < self.head - 1 or any(self.used[self.head :]):
                self.ahead.add(number)

    def _take(self, places: Iterable[int], *actions: Action) -> None:
        """Take over actions of the file by these of ours; none if ours has done it already."""
        taken = list(places)
        before = set(self.reached)
        self._reach()
        if not actions:
            self.ahead.update(set(self.reached) - before)
        for action in actions:
            self._apply(action, self.actions[taken[0]])
        for place in taken:
            self.used[place] = True
        while self.head < len(self.actions) and self.used[self.head]:
            self.head += 1
        self.idle = 0

    def _insert(self, action: Action) -> None:
        """An action that is none in the file."""
        if self.idle >= MOST_IDLE_MOVES:
            act = self._next()
            self._look_at_revenue(act)
            raise CannotTake(
                "Action {number} ({kind}) does not fit: nobody can do this now.",
                number=act.number,
                kind=act.kind,
            )
        self._apply(action, self._next())
        self.idle += 1

    def _done(self) -> None:
        self._insert(Done(self._decider()))

    def _apply(self, action: Action, act: Act) -> None:
        state = self.state
        self._note_sale(action, act)
        try:
            self.game.position.check(action)
        except IllegalAction as error:
            for option in self.may:
                if option not in state.options and self._allowed(action, [*state.options, option]):
                    raise Needs(option) from None
            raise CannotTake(
                "Action {number} ({kind}) breaks rule {rule}: {why}",
                number=act.number,
                kind=act.kind,
                rule=error.reference or "-",
                why=error,
            ) from None
        for option in (FREE_TRACK, GROUP3_WITHOUT_PRUSSIA, UNLIMITED_TILES, AS_RAILS):
            rest = [other for other in state.options if other != option]
            if len(rest) < len(state.options) and not self._allowed(action, rest):
                self.noted.setdefault(option, []).append(act.number)
        if AS_RAILS in self.may and self._comes_out_otherwise(action):
            if AS_RAILS not in state.options:
                raise Needs(AS_RAILS)
            self.noted.setdefault(AS_RAILS, []).append(act.number)
        company = getattr(state.agenda[-1], "company", "")
        events = self.game.apply(action)
        if isinstance(action, Dividend):
            self.earned.pop(company, None)
        self._watch(events)

    def _allowed(self, action: Action, options: list[str]) -> bool:
        """Whether an action would be allowed with other options."""
        state = self.state
        kept, state.options = state.options, options
        try:
            self.game.position.check(action)
        except IllegalAction:
            return False
        finally:
            state.options = kept
        return True

    def _comes_out_otherwise(self, action: Action) -> bool:
        """Whether an action that is allowed with `AS_RAILS` and without it has different results."""
        match action:
            case PlaceStation(private=""):
                pass
            case Nationalise():
                pass
            case Dividend() | EnterRevenue() if self.state.opened:
                pass
            case _:
                return False
        rest = [option for option in self.state.options if option != AS_RAILS]
        found = []
        for options in (rest, [*rest, AS_RAILS]):
            if not self._allowed(action, options):
                return False
            trial = self.game.position.clone()
            trial.state.options = options
            trial.perform(action)
            trial.state.options = []
            found.append(trial.state)
        return bool(found[0] != found[1])

    def _note_sale(self, action: Action, act: Act) -> None:
        """Whether the same company is sold a second time in one turn."""
        step = self.state.agenda[-1]
        if (isinstance(step, StockTurn) and not step.acted) or not isinstance(
            step, StockTurn | RaiseMoney | Swap
        ):
            self.sold.clear()
        if not isinstance(action, SellShares):
            return
        if action.company in self.sold and SAME_PRICE in self.may:
            rules, state = self.rules, self.state
            price = rules.price(state, action.company) * int(act["shareUnit"] or 10) // 10
            if SAME_PRICE in state.options:
                self.noted.setdefault(SAME_PRICE, []).append(act.number)
            elif act["price"] != price:
                raise Needs(SAME_PRICE)
        self.sold.add(action.company)

    def _look_at_revenue(self, act: Act) -> None:
        """Raise if an action may only fit where revenues are entered: otherwise companies whose
        runs bring nothing are not asked."""
        if act.kind == "SetDividend" and FREE_REVENUE not in self.state.options:
            raise Needs(FREE_REVENUE)

    def _unfit(self, act: Act) -> CannotTake:
        self._look_at_revenue(act)
        step = self.state.agenda[-1]
        return CannotTake(
            "Action {number} ({kind}) does not fit the situation ({step}).",
            number=act.number,
            kind=act.kind,
            step=str(type(step).__struct_config__.tag),
        )

    # ---- names

    def _known(self, act: Act) -> None:
        """Raise unless the action is of a kind that can occur."""
        if act.kind not in KINDS:
            raise CannotTake(
                "Action {number} is of a kind that cannot be imported: {kind}.",
                number=act.number,
                kind=act.kind,
            )

    # ---- start packet and stock round

    def _packet(self, step: PacketTurn) -> None:
        act = self._next()
        if act.kind == "BuyStartItem" and act.seat == step.seat:
            self._take([self.head], BuyPaper(step.seat, self.terms.id(act["startItemName"], act)))
        elif act.kind == "NullAction" and act.seat == step.seat:
            self._take([self.head], Done(step.seat))
        else:
            self._done()

    def _stock(self, step: StockTurn) -> None:
        act = self._next()
        if act.seat != step.seat:
            # That program lets players pass by themselves.
            self._done()
        elif act.kind == "NullAction":
            self._take([self.head], Done(step.seat))
        elif act.kind in ("BuyCertificate", "StartCompany"):
            self._take([self.head], self.terms.purchase(act))
        elif act.kind == "SellShares":
            self._take([self.head], self.terms.sale(act, step.seat))
        else:
            self._done()

    def _swap(self, step: Swap) -> None:
        """That program gives the fewest certificates."""
        ways = self.rules.swaps(self.state, step.company, PLAYERS[step.new])
        self._insert(ChooseSwap(self._decider(), step.company, min(ways, key=len)))

    # ---- a company's turn

    def _own(self, company: str) -> list[int]:
        """The places of what is left of the turn of a company."""
        found = []
        for place in self._rest():
            act = self.actions[place]
            if (act.kind in COMPANY_KINDS and self.terms.names.get(act.company) == company) or (
                act.kind == "NullAction" and act.mode == "SKIP"
            ):
                found.append(place)
            elif act.kind not in ("DiscardTrain", "FoldIntoPrussian", "SellShares"):
                break
        return found

    def _wanted(self, places: list[int], *, placing: bool) -> int:
        """Which of these a company does next when it builds, or places a marker; -1: none. Markers
        by the right of a private railway may come before tiles."""
        ordinary = False
        for place in places:
            act = self.actions[place]
            if act.kind == "LayTile" and not placing:
                return place
            if act.kind == "LayBaseToken":
                through = self.terms.through(act)
                if placing or (through and not ordinary):
                    return place
                ordinary = ordinary or not through
        return -1

    def _turn(self, company: str, *, placing: bool) -> None:
        """A step of a company's turn in which it may build or place markers, or go on."""
        places = self._own(company)
        place = self._wanted(places, placing=placing)
        if place >= 0:
            found = self.actions[place]
            # A step skipped before this one is over in our game already.
            skipped = [p for p in places if p < place and self.actions[p].kind == "NullAction"]
            if skipped:
                self._take(skipped[:1])
            else:
                self._take([place], self.terms.building(found, self._decider()))
        elif places and self.actions[places[0]].kind == "NullAction":
            skips = 0
            for place in places:
                if self.actions[place].kind != "NullAction":
                    break
                skips += 1
            if skips > 1 and placing:
                self._take(places[:1])
            else:
                self._take(places[:1], Done(self._decider()))
        else:
            self._done()

    def _build(self, step: Build) -> None:
        if self._early(step.company):
            raise Needs(MINORS_NEED_BAVARIA)
        self._turn(step.company, placing=False)

    def _early(self, company: str) -> bool:
        """Whether a minor is about to act that has to wait for Bavaria."""
        return (
            MINORS_NEED_BAVARIA in self.may
            and MINORS_NEED_BAVARIA not in self.state.options
            and self.rules.is_minor(company)
            and not self.state.companies[BAVARIA].operating
        )

    def _place(self, step: Place) -> None:
        self._turn(step.company, placing=True)

    def _home(self, step: Home) -> None:
        """The city is named with the tile that was just laid, or chosen by itself."""
        hex = self.rules.components.homes[step.company].hex
        name = next(name for name, known in self.terms.names.items() if known == step.company)
        for place in range(self.head - 1, max(self.head - 3, -1), -1):
            act = self.actions[place]
            if act.kind == "LayTile" and act["chosenHexName"] == hex:
                for entry in str(act["relaidBaseTokensString"] or "").split(","):
                    who, _, station = entry.partition(":")
                    if who == name and station.isdigit():
                        stop = self.terms.stop(hex, int(station))
                        self._insert(ChooseHome(self._decider(), step.company, stop))
                        return
        for place in self._rest():
            act = self.actions[place]
            if act.kind == "LayBaseToken" and act.company == name and act["chosenHexName"] == hex:
                stop = self.terms.stop(hex, int(act["chosenStation"] or 1))
                choice = ChooseHome(self._decider(), step.company, stop)
                if act["type"] == HOME_CITY:
                    self._take([place], choice)
                else:
                    self._insert(choice)
                return
        # It stands in the first of that program's cities from the beginning.
        self._insert(ChooseHome(self._decider(), step.company, self.terms.stop(hex, 1)))

    def _pay(self, step: Pay) -> None:
        places = self._own(step.company)
        place = next((p for p in places if self.actions[p].kind == "SetDividend"), -1)
        minor = self.rules.is_minor(step.company)
        if place < 0 and not step.revenue:
            # That program does not ask what is done with nothing.
            self._insert(Dividend(self._decider(), minor))
            return
        if place < 0:
            raise self._unfit(self._next())
        act = self.actions[place]
        skipped = [p for p in places if p < place]
        if skipped:
            self._take(skipped[:1])
            return
        recorded = int(act["actualRevenue"] or 0)
        pays = minor or (recorded > 0 and act["revenueAllocation"] in (PAYOUT, SPLIT))
        if recorded == step.revenue:
            self._take([place], Dividend(self._decider(), pays))
            return
        if FREE_REVENUE not in self.state.options:
            raise Needs(FREE_REVENUE)
        self.revenues.append(
            Remark(
                (act.number,),
                EARNED_LESS if recorded < step.revenue else EARNED_MORE,
                {
                    "option": FREE_REVENUE.partition("=")[0],
                    "company": f"({step.company})" if minor else step.company,
                    "recorded": recorded,
                    "best": step.revenue,
                    "runs": self.terms.best_runs(step.company) or "–",
                },
            )
        )
        self._take([place], EnterRevenue(self._decider(), pays, recorded))

    def _trains(self, step: BuyTrains) -> None:
        act = self._next()
        places = self._own(step.company)
        bought = next((p for p in places if self.actions[p].kind == "BuyTrain"), -1)
        if act.kind == "NullAction" and act.mode == "DONE":
            self.open.clear()
            self._take([self.head], Done(self._decider()))
        elif bought >= 0 and places[0] < bought:
            # Steps skipped before are over in our game already.
            self._take(places[:1])
        elif bought >= 0:
            again = self._again(step.company, bought)
            bought = again[-1]
            self._take(again, self.terms.train_purchase(self.actions[bought], self._decider()))
        else:
            self._done()

    def _again(self, company: str, bought: int) -> list[int]:
        """The places at which a purchase stands: after forced sales it may stand again, perhaps with
        another train. The last is the one that was made."""
        found, sold = [bought], False
        for place in self._rest():
            act = self.actions[place]
            if place <= bought:
                continue
            if act.kind == "SellShares":
                sold = True
            elif sold and act.kind == "BuyTrain" and self.terms.names.get(act.company) == company:
                found.append(place)
                sold = False
            else:
                break
        return found

    def _raise(self) -> None:
        act = self._next()
        if act.kind != "SellShares":
            raise self._unfit(act)
        self._take([self.head], self.terms.sale(act, self._decider()))

    # ---- Prussia and surplus trains

    def _near(self, kind: str) -> Iterator[int]:
        """The places of actions of a kind before the turn goes on."""
        for place in self._rest():
            if self.actions[place].kind == kind:
                yield place
            elif self.actions[place].kind not in ("DiscardTrain", "FoldIntoPrussian"):
                return

    def _surplus(self, step: Surplus) -> None:
        company = step.companies[0]
        state = self.state
        count = len(self.rules.trains(state, company)) - self.rules.train_limit(state, company)
        places = [
            place
            for place in self._near("DiscardTrain")
            if self.terms.names.get(self.actions[place].company) == company
            and self.actions[place]["discardedTrainUniqueId"]
        ][:count]
        if len(places) < count:
            raise self._unfit(self._next())
        names = [str(self.actions[place]["discardedTrainUniqueId"]) for place in places]
        self.terms.trains |= dict.fromkeys(names, POOL)
        trains = [self.terms.train(name) for name in names]
        trains.sort(key=self.rules.components.train_order.index)
        self._take(places, Discard(self._decider(), company, tuple(trains)))

    def _prussia(self) -> None:
        for place in self._near("FoldIntoPrussian"):
            act = self.actions[place]
            foldable = str(act["foldableCompanyNames"] or "").split(",")
            if OPENER in (self.terms.names.get(name) for name in foldable):
                papers = self.terms.folded(act)
                # What else is exchanged with it counts when its owner is asked.
                self.also = [paper for paper in papers if paper != OPENER]
                self._take([place], OpenPrussia(self._decider(), OPENER in papers))
                return
        self._insert(OpenPrussia(self._decider(), False))

    def _folding(self) -> None:
        seat = self._decider()
        for place in self._near("FoldIntoPrussian"):
            act = self.actions[place]
            if act.seat == seat:
                self._take([place], Exchange(seat, tuple(self.terms.folded(act))))
                return
        own = [paper for paper in self.also if self.rules.owner(self.state, paper) == seat]
        self.also.clear()
        self._insert(Exchange(seat, tuple(own)))

    # ---- what was found

    def done(self) -> int:
        """How many actions of the file have been carried out."""
        if self.head < len(self.actions):
            return self.actions[self.head].number
        return self.actions[-1].number + 1 if self.actions else 0

    def remarks(self) -> list[Remark]:
        """What deviates from the book, and where."""
        sentences = {SAME_PRICE: SOLD_AGAIN, AS_RAILS: AS_THERE}
        noted = [
            Remark(
                tuple(sorted(set(numbers))),
                sentences.get(option, ALLOWED_ONLY),
                {"option": option.partition("=")[0]},
            )
            for option, numbers in self.noted.items()
        ]
        return noted + self.revenues
