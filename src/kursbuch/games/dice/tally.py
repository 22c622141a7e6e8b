"""What happened in a stretch of a game of Railroad Dice, and what is still to come, in numbers."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.events import Event, Payment
from kursbuch.core.tally import Tally
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.evaluation import expectations
from kursbuch.games.dice.geography import Geography
from kursbuch.games.dice.state import DiceState, held_shares


def tally(geography: Geography, state: DiceState, events: Sequence[Event]) -> Tally:
    """Passengers carried and expected by company, worth of the dice and of sites within reach; stations and chains, and
    who has most shares."""
    found = Tally(state.seats)
    for event in events:
        match event:
            case happened.PassengersCarried(company=company):
                found.pay(("passengers", company), event.amounts)
            case happened.StationBuilt(company=company):
                found.count(("stations", company))
            case happened.ChainCounted(company=company, length=length):
                found.counts["chain", company] = length
            case happened.YearBegun():
                found.count(("years",))
            case Payment():
                found.pay(("others",), event.amounts)
    for key, amounts in expectations(state, geography):
        found.pay(key, amounts)
    for number, record in enumerate(geography.board.companies):
        found.count_leader(("most-shares", record.id), held_shares(state, geography.board, number))
        director = state.directors[number]
        if director is not None:
            found.count(("director", record.id, str(director)))
    return found
