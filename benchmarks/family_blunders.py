"""Kinds of blunders in Nimm den Zug, Stephenson's Rocket and Railroad Dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.blunders import Kind, instead
from kursbuch.bots.bot import decline
from kursbuch.bots.review.positions import Recorded
from kursbuch.core.actions import Action
from kursbuch.core.chance import SeededChance
from kursbuch.core.events import Event
from kursbuch.core.position import Position
from kursbuch.games.dice import RailroadDice
from kursbuch.games.dice import actions as dice
from kursbuch.games.dice.state import Turn as DiceTurn
from kursbuch.games.dice.state import held_shares
from kursbuch.games.nimm import Nimm
from kursbuch.games.nimm import actions as nimm
from kursbuch.games.nimm import events as in_nimm
from kursbuch.games.nimm.evaluation import takes
from kursbuch.games.nimm.state import Turn as NimmTurn
from kursbuch.games.rocket import Rocket
from kursbuch.games.rocket import actions as rocket
from kursbuch.games.rocket import events as in_rocket
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.state import Objection, Veto, all_shares

#: Whether the second action in place of the first is a blunder of a kind, at a position.
Fits = Callable[[Position[Any], Action, Action], bool]

#: What a blunder is about.
About = Callable[[Position[Any], Action, Action], frozenset[str]]


def following(at: Position[Any], action: Action) -> list[Event]:
    """What happens by an action if no one objects."""
    after = Recorded(at.title, at.title.clone(at.state), SeededChance("0"))
    after.perform(action)
    decline(after)
    return after.events


def player(at: Position[Any], made: Action, worse: Action) -> frozenset[str]:
    """The player who blunders."""
    return frozenset({str(worse.seat)})


def named(*fields: str) -> About:
    """What both actions name in these fields."""

    def about(at: Position[Any], made: Action, worse: Action) -> frozenset[str]:
        found = {getattr(action, field, "") for action in (made, worse) for field in fields}
        return frozenset(found - {""})

    return about


def both(*conditions: Fits) -> Fits:
    """Whether all conditions hold."""
    return lambda at, made, worse: all(each(at, made, worse) for each in conditions)


# ---- Stephenson's Rocket


def _board(at: Position[Any]) -> Board:
    assert isinstance(at.title, Rocket)
    return at.title.boards.of(at.state)


def _line(at: Position[Any], made: Action, worse: Action) -> frozenset[str]:
    """The line that was moved."""
    step = at.state.agenda[-1]
    assert isinstance(step, Objection | Veto)
    return frozenset({_board(at).lines[step.line].id})


def _bids_majority(lost: bool) -> Fits:
    """Whether the bid would take the player from the first place in shares of the line."""

    def fits(at: Position[Any], made: Action, worse: Action) -> bool:
        step = at.state.agenda[-1]
        if not isinstance(worse, rocket.Bid) or not isinstance(made, rocket.PassVeto):
            return False
        held = all_shares(at.state, _board(at), step.line)
        own = held.pop(worse.seat)
        return (own >= max(held) > own - worse.shares) is lost

    return fits


def _merges_for_a_rival(at: Position[Any], made: Action, worse: Action) -> bool:
    """Whether the dissolved line pays another player more."""
    return any(
        isinstance(event, in_rocket.SharesScored)
        and not event.final
        and max(event.amounts) > event.amounts[worse.seat]
        for event in following(at, worse)
    )


def _scores_for_a_rival(at: Position[Any], made: Action, worse: Action) -> bool:
    """Whether stations at a railway town pay another player more."""
    return any(
        isinstance(event, in_rocket.StationsScored)
        and max(event.amounts) > event.amounts[worse.seat]
        for event in following(at, worse)
    )


def _touched(at: Position[Any], made: Action, worse: Action) -> frozenset[str]:
    """The lines moved, dissolved or grown, and the towns and passengers they reach."""
    found = set(named("line")(at, made, worse))
    for action in (made, worse):
        for event in following(at, action):
            match event:
                case in_rocket.Merged(line=line, into=into):
                    found |= {line, into}
                case in_rocket.Connected(town=town):
                    found.add(town)
                case in_rocket.PassengerTaken():
                    found.add("passengers")
    return frozenset(found)


ROCKET = (
    Kind(
        "bids its majority away",
        _bids_majority(True),
        _line,
        frozenset({"shares", "returned", "most-shares"}),
    ),
    Kind("objects for nothing", _bids_majority(False), _line, frozenset({"shares", "returned"})),
    Kind(
        "lets a line pass that it should stop",
        instead(rocket.CallVeto | rocket.Bid, rocket.LetStand | rocket.PassVeto),
        _line,
        frozenset({"shares", "stations", "merged", "connected"}),
    ),
    Kind(
        "merges for a rival",
        both(instead(Action, rocket.ExtendLine), _merges_for_a_rival),
        _touched,
        frozenset({"shares", "stations", "merged"}),
    ),
    Kind(
        "scores for a rival",
        both(instead(Action, rocket.ExtendLine), _scores_for_a_rival),
        _touched,
        frozenset({"stations", "connected"}),
    ),
    Kind(
        "moves the wrong line",
        instead(rocket.ExtendLine, rocket.ExtendLine),
        _touched,
        frozenset({"shares", "stations", "metropolis", "kind", "merged", "connected"}),
    ),
    Kind(
        "moves a station off the track",
        instead(Action, rocket.MoveStation),
        player,
        # The move is wasted: what another one would have brought the player counts too.
        frozenset({"stations", "shares", "metropolis", "kind"}),
    ),
)


# ---- Nimm den Zug

#: Share of a locomotive's worth from which a bid is far too high.
FAR = 1.4


def _loco(at: Position[Any], made: Action, worse: Action) -> frozenset[str]:
    """The locomotive for sale."""
    return frozenset({getattr(at.state.agenda[-1], "loco", "")})


def _overbids(at: Position[Any], made: Action, worse: Action) -> bool:
    worth = at.title.evaluator.at_stake(at.state, worse)
    return isinstance(worse, nimm.Bid) and worth is not None and worse.amount > FAR * worth


def _fits_little(at: Position[Any], made: Action, worse: Action) -> bool:
    """Whether a card brings less than half of the other at once."""
    if not isinstance(made, nimm.Take) or not isinstance(worse, nimm.Take):
        return False
    assert isinstance(at.title, Nimm)
    cards = at.title.cards
    good, bad = (
        dict(takes(at.state, cards, action.seat, action.card)).get(action.train, 0.0)
        for action in (made, worse)
    )
    return bad < good / 2


def _ends_round(at: Position[Any], made: Action, worse: Action) -> bool:
    """Whether a wagon ends the round, where the other does not."""
    ended = [
        any(isinstance(event, in_nimm.RoundEnded) for event in following(at, action))
        for action in (made, worse)
    ]
    return ended == [False, True]


def _coupling(at: Position[Any], made: Action, worse: Action) -> bool:
    return isinstance(at.state.agenda[-1], NimmTurn)


NIMM = (
    Kind("bids far above the worth", _overbids, _loco, frozenset({"price", "loco"})),
    Kind(
        "lets a rival have the locomotive",
        instead(nimm.Bid, nimm.Pass | nimm.Hold),
        _loco,
        frozenset({"price", "loco"}),
    ),
    Kind(
        "keeps the wrong locomotive",
        instead(nimm.Keep, nimm.Keep),
        named("loco"),
        frozenset({"loco"}),
    ),
    Kind(
        "ends the round too early",
        both(instead(Action, nimm.Take), _ends_round),
        player,
        frozenset({"profit", "wagons"}),
    ),
    Kind("takes a wagon that fits little", _fits_little, player, frozenset({"profit", "bonus"})),
    Kind(
        "passes up a wagon",
        both(instead(nimm.Take, nimm.Pass), _coupling),
        player,
        frozenset({"profit", "bonus", "wagons"}),
    ),
    Kind(
        "pays for other cards",
        instead(nimm.Take, nimm.Replace),
        player,
        frozenset({"replaced"}),
    ),
)


# ---- Railroad Dice


def _unrolled(at: Position[Any], made: Action, worse: Action) -> bool:
    step = at.state.agenda[-1]
    return isinstance(step, DiceTurn) and not step.rolled


def _rival_has_more(at: Position[Any], made: Action, worse: Action) -> bool:
    """Whether another player has more shares of the company."""
    assert isinstance(at.title, RailroadDice)
    board = at.title.board
    number = [each.id for each in board.companies].index(worse.company)  # type: ignore[attr-defined]
    held = held_shares(at.state, board, number)
    return max(held) > held[worse.seat]


_MAJORITY = frozenset({"passengers", "most-shares", "director"})

DICE = (
    Kind(
        "gives up its income",
        instead(dice.TakeIncome, dice.EndTurn),
        player,
        frozenset({"dice", "passengers"}),
    ),
    Kind(
        "gives up its roll",
        both(instead(dice.Roll, dice.EndTurn), _unrolled),
        player,
        frozenset({"dice", "passengers"}),
    ),
    Kind(
        "leaves a station unbuilt",
        instead(dice.BuildStation, dice.EndTurn | dice.LayTrack | dice.Roll),
        named("company"),
        frozenset({"passengers", "stations", "chain"}),
    ),
    Kind(
        "builds for a rival",
        both(instead(Action, dice.BuildStation), _rival_has_more),
        named("company"),
        frozenset({"passengers", "stations", "chain"}),
    ),
    Kind(
        "buys shares of the wrong company",
        instead(dice.BuyShare, dice.BuyShare),
        named("company"),
        _MAJORITY,
    ),
    Kind(
        "leaves a majority",
        instead(dice.BuyShare, dice.EndTurn | dice.LayTrack | dice.Roll),
        named("company"),
        _MAJORITY,
    ),
)
