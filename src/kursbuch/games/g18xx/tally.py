"""What happened in a stretch of an 18xx game, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursbuch.core.events import Event, Payment
from kursbuch.core.tally import Tally
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.ruleset import Ruleset


def tally(ruleset: Ruleset[Any], state: Any, events: Sequence[Event]) -> Tally:
    """Money of each player by company and source, and what the companies bought, ran, lost and paid."""
    found = Tally(state.seats)
    rounds = 0
    for event in events:
        match event:
            case happened.DividendPaid(company=company, revenue=revenue):
                found.pay(("dividends", company), event.amounts)
                found.count(("runs", company), revenue > 0)
            case happened.Withheld(company=company, revenue=revenue):
                found.count(("withheld", company), revenue)
                found.count(("runs", company), revenue > 0)
            case happened.ShareBought() | happened.Nationalised() | happened.SharesSold():
                found.pay(("shares", event.company), event.amounts)
            case happened.TrainBought(company=company, train=train):
                found.count(("train", company, train))
                found.pay(("added", company), event.amounts)
            case happened.TrainsRusted(trains=trains):
                for owner, train, count in trains:
                    found.count(("rusted", owner, train), count)
            case happened.StationPlaced(company=company):
                found.count(("stations", company))
            case happened.PrivatesPaid():
                found.pay(("privates",), event.amounts)
            case happened.Bankrupt(seat=seat):
                found.count(("bankrupt", "", str(seat)))
            case happened.OperatingRoundBegan():
                rounds += 1
            case Payment(EXCHANGE=False):
                found.pay(("others",), event.amounts)
    found.count(("operating-rounds",), rounds)
    _add_holdings(ruleset, state, found)
    return found


def _add_holdings(ruleset: Ruleset[Any], state: Any, found: Tally) -> None:
    """What the shares are worth at the end, their prices, and the directors."""
    for company in ruleset.public:
        price = ruleset.market.final_price(state, company)
        if not price:
            continue
        percents = ruleset.market.final_percents(state, company)
        found.pay(("shares", company), [percent * price / 10 for percent in percents])
        found.count(("price", company), price)
        director = ruleset.control.director(state, company)
        if director is not None:
            found.count(("director", company, str(director)))
