"""Prussia: its opening, and the exchange of privates and minors for its shares [4, 5.3.1,
5.5.4.14]; and the triggers of 1835, which call these functions at the moments the rules name.

Each pushes its questions on the agenda, above what the caller has pushed:

- `begin_round` at the start of a round, after `state.round` has been reset;
- `first_four`, `force_open`, `phase_three` after the first train of a type has been bought, trains
  have rusted and `state.phase` has changed. Surplus trains at the first 4 are discarded before
  `first_four` asks, so `Surplus` goes above it; those at the first 5 after `phase_three`, so it
  goes below. A minor that has bought such a train may be exchanged at once; it is then closed, and
  `BuyTrains` asks it no more;
- `surrender` when a player goes bankrupt.
"""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction, Labels
from kursbuch.core.play import Play
from kursbuch.core.state import Step
from kursbuch.core.words import N_
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import Exchange
from kursbuch.games.g18xx.components import (
    BOX,
    EXCHANGE_SHARES,
    MAP,
    PERCENT,
    PLAYERS,
    POOL,
    STACK,
    paper_item,
    share_item,
    token_item,
    train_item,
)
from kursbuch.games.g18xx.g1835.ruleset import (
    OPENER,
    PRUSSIA,
    SAXONY,
    Ruleset1835,
    has_acted,
    has_earned,
)
from kursbuch.games.g18xx.g1835.state import (
    ExchangeOffer,
    Formed,
    OpenPrussia,
    PacketTurn,
    PrussiaOffer,
    PrussiaOpened,
    PrussiaWaits,
    State1835,
)
from kursbuch.games.g18xx.map.track import Layout, Station
from kursbuch.games.g18xx.rules.stock_round import as_choice
from kursbuch.games.g18xx.ruleset import EighteenRules, QuestionRules, Steps, Triggers
from kursbuch.games.g18xx.state import Income, Limits, Round, Surplus

# ---- questions


def is_open(state: State1835) -> bool:
    """Whether Prussia is open."""
    return state.companies[PRUSSIA].operating


def _since(ruleset: Ruleset1835, state: State1835, train: str) -> bool:
    """Whether the first train of a type has been bought."""
    return state.phase >= ruleset.components.phase_row[train]


# ---- the moments the rules name


def settle_round(state: State1835) -> None:
    """Reset shares without dividend and idle trains of the last operating round [4.5]."""
    state.refused.clear()
    state.idle.clear()
    state.opened = False


def begin_round(ruleset: Ruleset1835, play: Play[State1835]) -> None:
    """Start a round: Prussia may open, or papers may be exchanged [4-intro, 4.7, 5.3.1]."""
    state = play.state
    settle_round(state)
    if is_open(state):
        _ask(ruleset, play, state.priority, "4.7")
    elif _since(ruleset, state, "4"):
        owner = ruleset.owner(state, OPENER)
        if owner is not None:
            play.push(PrussiaOffer(owner))
        elif OPENER in _orphans(ruleset, state):
            # Its owner is bankrupt [5.5.4.13c].
            _open(ruleset, play, ask=True)


def first_four(ruleset: Ruleset1835, play: Play[State1835]) -> None:
    """After the first 4-train, let the owner of minor 2 open Prussia [5.5.4.14.2]."""
    owner = ruleset.owner(play.state, OPENER)
    if owner is not None:
        play.push(PrussiaOffer(owner))


def force_open(ruleset: Ruleset1835, play: Play[State1835]) -> None:
    """After the first 4+4-train, open Prussia without asking, unless it is open already [4.6,
    5.5.4.14.3]."""
    if not is_open(play.state) and ruleset.owner(play.state, OPENER) is not None:
        _open(ruleset, play, ask=True)


def phase_three(ruleset: Ruleset1835, play: Play[State1835]) -> None:
    """After the first 5-train, exchange all papers, close the other privates and settle Prussia's
    director [5.5.4.14.4]."""
    state = play.state
    owned = ruleset.owner(state, OPENER) is not None or OPENER in _orphans(ruleset, state)
    if owned and not is_open(state):
        _open(ruleset, play, ask=False)
    if is_open(state):
        for seat in ruleset.around(state, state.priority):
            for paper in ruleset.exchangeable(state, seat):
                _exchange(ruleset, play, paper, "5.5.4.14.4")
        ruleset.control.settle_director(play, PRUSSIA)
    closing = [
        paper
        for paper in ruleset.components.privates
        if paper not in ruleset.exchanges and ruleset.owner(state, paper) is not None
    ]
    ruleset.close_privates(play, closing, "5.5.4.14.4")


def after_packet(ruleset: Ruleset1835, play: Play[State1835]) -> None:
    """Catch up on what waited for the last paper of the start packet [4.6]."""
    if _since(ruleset, play.state, "5"):
        phase_three(ruleset, play)
    elif _since(ruleset, play.state, "4+4"):
        force_open(ruleset, play)


def surrender(ruleset: Ruleset1835, play: Play[State1835], seat: int) -> None:
    """Dispose of a bankrupt player's papers: those with a Prussian share are exchanged now or when
    Prussia opens, and the shares go to the pool; the rest closes [5.5.4.13c]."""
    state = play.state
    papers = ruleset.privates_and_minors(state, seat)
    for paper in papers:
        if paper not in ruleset.exchanges:
            continue
        state.ledger.move(paper_item(paper), PLAYERS[seat], POOL)
        if is_open(state):
            _exchange(ruleset, play, paper, "5.5.4.13c")
        elif paper in ruleset.components.minors:
            state.companies[paper].operating = False
    closing = [paper for paper in papers if paper not in ruleset.exchanges]
    ruleset.close_privates(play, closing, "5.5.4.13c")
    if is_open(state):
        # Prussia may exceed its train limit now [5.5.4.9].
        play.push(Formed())


# ---- opening and exchanging


def _open(ruleset: Ruleset1835, play: Play[State1835], *, ask: bool) -> None:
    """Open Prussia: price, treasury, exchange of minor 2; then `ask` the other owners, from the new
    director on [4.1, 4.2, 4.3]. If minor 2 has acted in this operating round, Prussia does not
    [4.5]."""
    state = play.state
    owner = ruleset.owner(state, OPENER)
    public = ruleset.public[PRUSSIA]
    new = sum(PERCENT[name] for name in public.stack)
    treasury = (new - ruleset.percent(state, STACK, PRUSSIA)) * public.par // 10
    state.companies[PRUSSIA].operating = True
    # At the start of a round nothing has earned yet.
    state.opened = not any(isinstance(step, Income) for step in state.agenda)
    ruleset.market.place_price(state, PRUSSIA, public.cell)
    opened = PrussiaOpened(rule="4.1", seat=owner, treasury=treasury)
    ruleset.pay_out(play, opened, (PRUSSIA, treasury))
    late = has_acted(state, OPENER)
    _exchange(ruleset, play, OPENER, "4.1")
    if late:
        state.round.acted.append(PRUSSIA)
        play.emit(happened.PassedOver(rule="4.5", company=PRUSSIA))
    for paper in _orphans(ruleset, state):
        _exchange(ruleset, play, paper, "5.5.4.13c")
    if ask:
        _ask(ruleset, play, owner if owner is not None else state.priority, "4.3")


def _orphans(ruleset: Ruleset1835, state: State1835) -> list[str]:
    """Papers that bankrupt players have left."""
    return [paper for paper in ruleset.exchanges if POOL in state.ledger.items[paper_item(paper)]]


def _ask(ruleset: Ruleset1835, play: Play[State1835], start: int, rule: str) -> None:
    """Ask every owner of papers once, from `start` on, citing `rule`; then settle the director and
    surplus trains [4.3, 4.7, 4.8]."""
    state = play.state
    seats = [seat for seat in ruleset.around(state, start) if ruleset.exchangeable(state, seat)]
    if seats:
        play.push(ExchangeOffer(seats, rule))
    else:
        play.push(Formed())


def _exchange(ruleset: Ruleset1835, play: Play[State1835], paper: str, rule: str) -> None:
    """Exchange a paper for its Prussian share. What has earned in this operating round does not
    earn twice: the share pays no dividend, and trains that have run stay idle [4.5]."""
    state = play.state
    ledger = state.ledger
    owner = ruleset.owner(state, paper)
    certificate = ruleset.exchanges[paper]
    earned = has_earned(state, paper)
    if owner is not None and earned:
        state.refused[owner] = state.refused.get(owner, 0) + PERCENT[certificate]
    ledger.move(
        share_item(PRUSSIA, certificate),
        EXCHANGE_SHARES,
        PLAYERS[owner] if owner is not None else POOL,
    )
    ruleset.close_paper(state, paper)
    money, trains = 0, ruleset.trains(state, paper)
    idle = len(state.idle)
    if paper in ruleset.components.minors:
        money = ruleset.money(state, paper)
        _take_over(ruleset, play, paper, money, trains)
    # Report what is not earned twice only if Prussia is still to act.
    acts = paper != OPENER and not has_acted(state, PRUSSIA)
    play.emit(
        happened.Exchanged(
            rule=rule,
            seat=owner,
            paper=paper,
            company=PRUSSIA,
            certificate=certificate,
            money=money,
            trains=tuple(trains),
            unpaid=owner is not None and earned and acts,
            idle=tuple(state.idle[idle:]) if acts else (),
        )
    )
    if paper in ruleset.components.minors:
        _replace_station(ruleset, play, paper)


def _take_over(
    ruleset: Ruleset1835, play: Play[State1835], minor: str, money: int, trains: Sequence[str]
) -> None:
    """Hand over a minor's money and trains to Prussia [4.4]."""
    state = play.state
    found = state.companies[minor]
    found.operating, found.closed = False, True
    ruleset.pay_company(play, minor, PRUSSIA, money)
    state.ledger.move("note", minor, PRUSSIA, ruleset.noted(state, minor))
    ran = list(state.round.ran.get(minor, ()))
    for train in trains:
        state.ledger.move(train_item(train), minor, PRUSSIA)
        if train in ran:
            ran.remove(train)
            state.idle.append(train)


def _replace_station(ruleset: Ruleset1835, play: Play[State1835], minor: str) -> None:
    """Replace the minor's token by a Prussian one, unless Prussia has one on the hex or none left
    [4.4, 5.5.2.9]."""
    state = play.state
    stations = list(state.layout.stations)
    replaced: list[Station] = []
    removed: list[Station] = []
    for place, station in reversed(list(enumerate(stations))):
        if station.company != minor:
            continue
        state.ledger.move(token_item(minor), MAP, BOX)
        there = any(other.company == PRUSSIA and other.hex == station.hex for other in stations)
        if there or not ruleset.tokens(state, PRUSSIA):
            del stations[place]
            removed.append(station)
        else:
            state.ledger.move(token_item(PRUSSIA), PRUSSIA, MAP)
            stations[place] = Station(PRUSSIA, station.hex, station.stop)
            replaced.append(stations[place])
    state.layout = Layout(state.layout.tiles, stations)
    play.emit(
        happened.StationsTakenOver(
            rule="5.5.2.9",
            company=PRUSSIA,
            old=minor,
            replaced=tuple(replaced),
            removed=tuple(removed),
        )
    )


# ---- steps


class PrussiaOfferRules(QuestionRules[State1835, PrussiaOffer]):
    """The owner of minor 2 opens Prussia, or waits [4-intro, 4.6]."""

    refusal = ("4.6", N_("Decide first whether to open Prussia."))
    turn_rule = "4.6"
    answer = OpenPrussia

    ruleset: Ruleset1835

    def deciders(self, state: State1835, step: PrussiaOffer) -> Sequence[int]:
        return (step.seat,)

    def perform(
        self, state: State1835, step: PrussiaOffer, action: Action, play: Play[State1835]
    ) -> None:
        assert isinstance(action, OpenPrussia)
        play.done()
        if action.opens:
            _open(self.ruleset, play, ask=True)
        else:
            play.emit(PrussiaWaits(rule="4.6", seat=step.seat))


class ExchangeOfferRules(EighteenRules[State1835, ExchangeOffer]):
    """Every owner chooses once which papers to exchange [4.3, 4.7]."""

    refusal = (
        "4.7",
        N_("Decide first which certificates to exchange for Prussian shares."),
    )
    turn_rule = "4.7"

    ruleset: Ruleset1835

    def deciders(self, state: State1835, step: ExchangeOffer) -> Sequence[int]:
        return step.seats[:1]

    def choices(self, state: State1835, step: ExchangeOffer, seat: int) -> list[Choice]:
        papers = self.ruleset.exchangeable(state, seat)
        return [
            as_choice(
                Exchange(
                    seat,
                    tuple(paper for place, paper in enumerate(papers) if chosen >> place & 1),
                )
            )
            for chosen in range(1 << len(papers))
        ]

    def problem(
        self, state: State1835, step: ExchangeOffer, action: Action
    ) -> IllegalAction | None:
        if not isinstance(action, Exchange):
            return super().problem(state, step, action)
        own = self.ruleset.exchangeable(state, action.seat)
        named, papers = list(action.papers), Labels(map(self.ruleset.label, own))
        in_order = [paper for paper in own if paper in named]
        if named == in_order:
            return None
        if sorted(named) == sorted(in_order):
            return IllegalAction(
                "", "The certificates are named in this order: {papers}.", papers=papers
            )
        return IllegalAction(
            step.rule, "These certificates can be exchanged, once each: {papers}.", papers=papers
        )

    def perform(
        self, state: State1835, step: ExchangeOffer, action: Action, play: Play[State1835]
    ) -> None:
        assert isinstance(action, Exchange)
        for paper in action.papers:
            _exchange(self.ruleset, play, paper, step.rule)
        if not action.papers:
            play.emit(happened.NothingExchanged(rule=step.rule, seat=action.seat))
        step.seats.pop(0)
        if not step.seats:
            play.done()
            play.push(Formed())


class FormedRules(EighteenRules[State1835, Formed]):
    """After all exchanges, settle the director once; then the director discards trains above the
    limit [4.8, 5.5.4.9]."""

    ruleset: Ruleset1835

    def run(self, state: State1835, step: Formed, play: Play[State1835]) -> None:
        play.done()
        ruleset = self.ruleset
        if len(ruleset.trains(state, PRUSSIA)) > ruleset.depot.train_limit(state, PRUSSIA):
            play.push(Surplus([PRUSSIA]))
        ruleset.control.settle_director(play, PRUSSIA)


STEPS: Steps = {
    PrussiaOffer: PrussiaOfferRules,
    ExchangeOffer: ExchangeOfferRules,
    Formed: FormedRules,
}


# ---- triggers


def close_spent(ruleset: Ruleset1835, play: Play[State1835]) -> None:
    """Close OB once both its hexes have a tile, whichever company laid them [3.1.3.2b]."""
    state = play.state
    built = all(hex in state.layout.tiles for hex in ruleset.named("OB"))
    if built and ruleset.owner(state, "OB") is not None:
        ruleset.close_privates(play, ("OB",), "3.1.3.2b")


class Triggers1835(Triggers[State1835]):
    """Triggers of 1835: the start packet, Prussia, and used-up privates [3.1.3.1 to 3.1.3.4]."""

    def __init__(self, ruleset: Ruleset1835) -> None:
        self.ruleset = ruleset

    def first_turn(self, state: State1835) -> Step:
        """Begin with the start packet while papers are left [2.5.3]."""
        if self.ruleset.packet_left(state):
            return PacketTurn(state.priority)
        return super().first_turn(state)

    def stock_round_began(self, play: Play[State1835]) -> None:
        """Ask about Prussia before the first turn [4-intro, 4.7]."""
        begin_round(self.ruleset, play)

    def operating_round_began(self, play: Play[State1835]) -> None:
        play.state.ob_used = False
        begin_round(self.ruleset, play)

    def round_corrected(self, state: State1835, before: Round) -> None:
        state.ob_used = False
        settle_round(state)

    def tile_laid(self, play: Play[State1835], hex: str, private: str) -> None:
        if private == "OB":
            play.state.ob_used = True
        close_spent(self.ruleset, play)

    def free_station_placed(self, play: Play[State1835], private: str) -> None:
        """Close a private whose free token has been placed [3.1.3.1, 3.1.3.3c]."""
        rule = "3.1.3.1" if private == "NF" else "3.1.3.3c"
        self.ruleset.close_privates(play, (private,), rule)

    def train_bought(self, play: Play[State1835], company: str, train: str, source: str) -> None:
        """Close LD when Saxony buys its first train [3.1.3.4]."""
        if company == SAXONY and self.ruleset.owner(play.state, "LD") is not None:
            self.ruleset.close_privates(play, ("LD",), "3.1.3.4")

    def phase_began(self, play: Play[State1835], company: str, seat: int) -> None:
        """Push the decisions in reverse order of the rulebook; the last one comes first."""
        train = self.ruleset.phase(play.state).starts_with_train
        if train == "4":
            # Surplus trains, then the offer to open Prussia [5.5.4.14.2].
            first_four(self.ruleset, play)
            play.push(Limits(seat))
        elif train == "4+4":
            # Prussia has to open [5.5.4.14.3].
            force_open(self.ruleset, play)
        elif train == "5":
            # Exchanges, Prussia's director, then surplus trains [5.5.4.14.4].
            play.push(Limits(seat))
            phase_three(self.ruleset, play)

    def player_left(self, play: Play[State1835], seat: int) -> None:
        surrender(self.ruleset, play, seat)
