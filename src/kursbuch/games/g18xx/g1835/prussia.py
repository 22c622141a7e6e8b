"""The Prussian railway: its opening and what is exchanged for its shares [4, 5.3.1, 5.5.4.14].

The operating side calls these, each at the moment its rule names; they put on the agenda what is to
be asked, on top of what the caller has put there:

- `begin_round` at the beginning of an operating round, when `state.round` has been started again;
- `first_four`, `force_open`, `phase_three` after the first train of a type has been bought, trains
  have been scrapped and `state.phase` has changed. Surplus trains at the first 4 are handed in before
  `first_four` asks, so `Surplus` goes on top of it; those at the first 5 after `phase_three`, so
  whatever finds them goes below it. A minor that has bought such a train may be exchanged at once: it
  is closed then, and `BuyTrains` asks it no more;
- `surrender` when a player goes bankrupt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction, Labels
from kursbuch.core.play import Play, StepRules
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
from kursbuch.games.g18xx.g1835.ruleset import OPENER, PRUSSIA, Ruleset1835, has_acted, has_earned
from kursbuch.games.g18xx.g1835.state import (
    Folding,
    Formed,
    OpenPrussia,
    PrussiaOffer,
    PrussiaOpened,
    PrussiaWaits,
    State1835,
)
from kursbuch.games.g18xx.map.track import Station
from kursbuch.games.g18xx.rules.stock_round import as_choice
from kursbuch.games.g18xx.ruleset import EighteenRules
from kursbuch.games.g18xx.state import Income, Surplus

# ---- questions


def is_open(state: State1835) -> bool:
    """Whether Prussia is open."""
    return state.companies[PRUSSIA].operating


def _since(ruleset: Ruleset1835, state: State1835, train: str) -> bool:
    """Whether the first train of a type has been bought."""
    return state.phase >= ruleset.components.phase_row[train]


# ---- triggers


def settle_round(state: State1835) -> None:
    """What was refused and idle in the last operating round counts again [4.5]."""
    state.refused.clear()
    state.idle.clear()
    state.opened = False


def begin_round(ruleset: Ruleset1835, play: Play[State1835]) -> None:
    """First of all in a stock or operating round: Prussia may open, or papers may be exchanged
    [4-intro, 4.7, 5.3.1]."""
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
    """The first 4-train has been bought: the owner of Minor 2 may open Prussia [5.5.4.14.2]."""
    owner = ruleset.owner(play.state, OPENER)
    if owner is not None:
        play.push(PrussiaOffer(owner))


def force_open(ruleset: Ruleset1835, play: Play[State1835]) -> None:
    """The first 4+4 train has been bought: the owner of Minor 2 must open Prussia. If it is open,
    no player is asked [4.6, 5.5.4.14.3]."""
    if not is_open(play.state) and ruleset.owner(play.state, OPENER) is not None:
        _open(ruleset, play, ask=True)


def phase_three(ruleset: Ruleset1835, play: Play[State1835]) -> None:
    """The first 5-train has been bought: all papers are exchanged, the other private railways close,
    and Prussia's director may change [5.5.4.14.4]."""
    state = play.state
    owned = ruleset.owner(state, OPENER) is not None or OPENER in _orphans(ruleset, state)
    if owned and not is_open(state):
        _open(ruleset, play, ask=False)
    if is_open(state):
        for seat in ruleset.around(state, state.priority):
            for paper in ruleset.foldable(state, seat):
                _exchange(ruleset, play, paper, "5.5.4.14.4")
        ruleset.control.settle_director(play, PRUSSIA)
    closing = [
        paper
        for paper in ruleset.components.privates
        if paper not in ruleset.exchanges and ruleset.owner(state, paper) is not None
    ]
    ruleset.close_privates(play, closing, "5.5.4.14.4")


def after_packet(ruleset: Ruleset1835, play: Play[State1835]) -> None:
    """What has been put off because a paper of the start packet was unsold happens when it is bought
    [4.6]."""
    if _since(ruleset, play.state, "5"):
        phase_three(ruleset, play)
    elif _since(ruleset, play.state, "4+4"):
        force_open(ruleset, play)


def surrender(ruleset: Ruleset1835, play: Play[State1835], seat: int) -> None:
    """The papers of a bankrupt player: what can be exchanged for Prussian shares is, at once or when
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
        # Prussia may have got more trains than it may own [5.5.4.9].
        play.push(Formed())


# ---- how it is done


def _open(ruleset: Ruleset1835, play: Play[State1835], *, ask: bool) -> None:
    """Prussia opens: price, treasury, what Minor 2 has; then the others are asked, from the new
    director on [4.1, 4.2, 4.3]. If Minor 2 has acted in this operating round, Prussia does not
    [4.5]."""
    state = play.state
    owner = ruleset.owner(state, OPENER)
    public = ruleset.public[PRUSSIA]
    new = sum(PERCENT[name] for name in public.stack)
    treasury = (new - ruleset.percent(state, STACK, PRUSSIA)) * public.par // 10
    state.companies[PRUSSIA].operating = True
    # At the beginning of a round nothing has earned in it yet.
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
    """The papers bankrupt players have left behind."""
    return [paper for paper in ruleset.exchanges if POOL in state.ledger.items[paper_item(paper)]]


def _ask(ruleset: Ruleset1835, play: Play[State1835], start: int, rule: str) -> None:
    """Ask every owner of papers once, from a player on, by the rule of the occasion; then a change
    of director and surplus trains follow [4.3, 4.7, 4.8]."""
    state = play.state
    seats = [seat for seat in ruleset.around(state, start) if ruleset.foldable(state, seat)]
    if seats:
        play.push(Folding(seats, rule))
    else:
        play.push(Formed())


def _exchange(ruleset: Ruleset1835, play: Play[State1835], paper: str, rule: str) -> None:
    """A paper for its Prussian share. What has earned in this operating round does not earn again in
    it: the share brings no dividend, trains that have run stay idle [4.5]."""
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
    # What is not got twice is said only if Prussia is still to act.
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
    """Money and trains of a minor become Prussia's [4.4]."""
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
    """A Prussian marker takes the place of the minor's, unless Prussia has one in the hex or none
    left [4.4, 5.5.2.9]."""
    state = play.state
    stations = state.layout.stations
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


class PrussiaOfferRules(EighteenRules[State1835, PrussiaOffer]):
    """The owner of Minor 2 opens Prussia, or waits [4-intro, 4.6]."""

    asks = ("4.6", N_("Now it is only asked whether Prussia is opened."))
    whose = "4.6"

    ruleset: Ruleset1835

    def deciders(self, state: State1835, step: PrussiaOffer) -> Sequence[int]:
        return (step.seat,)

    def choices(self, state: State1835, step: PrussiaOffer, seat: int) -> list[Choice]:
        return [as_choice(OpenPrussia(seat, True)), as_choice(OpenPrussia(seat, False))]

    def problem(self, state: State1835, step: PrussiaOffer, action: Action) -> IllegalAction | None:
        return None if isinstance(action, OpenPrussia) else super().problem(state, step, action)

    def perform(
        self, state: State1835, step: PrussiaOffer, action: Action, play: Play[State1835]
    ) -> None:
        assert isinstance(action, OpenPrussia)
        play.done()
        if action.opens:
            _open(self.ruleset, play, ask=True)
        else:
            play.emit(PrussiaWaits(rule="4.6", seat=step.seat))


class FoldingRules(EighteenRules[State1835, Folding]):
    """Every owner of papers says once which of them he exchanges [4.3, 4.7]."""

    asks = ("4.7", N_("Now it is only asked which certificates are exchanged for Prussian shares."))
    whose = "4.7"

    ruleset: Ruleset1835

    def deciders(self, state: State1835, step: Folding) -> Sequence[int]:
        return step.seats[:1]

    def choices(self, state: State1835, step: Folding, seat: int) -> list[Choice]:
        papers = self.ruleset.foldable(state, seat)
        return [
            as_choice(
                Exchange(
                    seat,
                    tuple(paper for place, paper in enumerate(papers) if chosen >> place & 1),
                )
            )
            for chosen in range(1 << len(papers))
        ]

    def problem(self, state: State1835, step: Folding, action: Action) -> IllegalAction | None:
        if not isinstance(action, Exchange):
            return super().problem(state, step, action)
        own = self.ruleset.foldable(state, action.seat)
        named, papers = list(action.papers), Labels(map(self.ruleset.label, own))
        in_order = [paper for paper in own if paper in named]
        if named == in_order:
            return None
        if sorted(named) == sorted(in_order):
            return IllegalAction(
                "", "The certificates are named in this order: {papers}.", papers=papers
            )
        return IllegalAction(
            step.rule, "These certificates can be exchanged, each once: {papers}.", papers=papers
        )

    def perform(
        self, state: State1835, step: Folding, action: Action, play: Play[State1835]
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
    """A change of director is judged once, after all exchanges; then the director gives back the
    trains above the limit [4.8, 5.5.4.9]."""

    ruleset: Ruleset1835

    def run(self, state: State1835, step: Formed, play: Play[State1835]) -> None:
        play.done()
        ruleset = self.ruleset
        if len(ruleset.trains(state, PRUSSIA)) > ruleset.depot.train_limit(state, PRUSSIA):
            play.push(Surplus([PRUSSIA]))
        ruleset.control.settle_director(play, PRUSSIA)


def steps(ruleset: Ruleset1835) -> dict[type[Step], StepRules[Any, Any]]:
    """The rules of these steps."""
    return {
        PrussiaOffer: PrussiaOfferRules(ruleset),
        Folding: FoldingRules(ruleset),
        Formed: FormedRules(ruleset),
    }
