"""What happened in a stretch of a game of Stephenson's Rocket, and what is still to come, in numbers."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.events import Event, Payment
from kursbuch.core.tally import Tally
from kursbuch.games.rocket import events as happened
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.prospects import prospects
from kursbuch.games.rocket.state import RocketState, all_shares, living, stations_on


def tally(board: Board, state: RocketState, events: Sequence[Event]) -> Tally:
    """Money paid and expected by metropolis, line and kind; connections, mergers, shares given up in vetoes, and who
    leads in shares and stations."""
    found = Tally(state.seats)
    for event in events:
        match event:
            case happened.MetropolisScored(metropolis=town):
                found.pay(("metropolis", town), event.amounts)
            case happened.StationsScored(line=line):
                found.pay(("stations", line), event.amounts)
            case happened.SharesScored(line=line):
                found.pay(("shares", line), event.amounts)
            case happened.KindScored(kind=kind):
                found.pay(("kind", kind), event.amounts)
            case happened.Connected(line=line, town=town):
                found.count(("connected", line, town))
            case happened.Merged(line=line, into=into):
                found.count(("merged", line, into))
            case happened.SharesReturned(seat=seat, line=line, shares=shares):
                found.count(("returned", line, str(seat)), shares)
            case Payment():
                found.pay(("others",), event.amounts)
    if state.agenda:
        for key, amounts in prospects(board).by_source(state):
            found.pay(key, amounts)
    for number in living(state):
        name = board.lines[number].id
        found.count_leader(("most-shares", name), all_shares(state, board, number))
        found.count_leader(("most-stations", name), stations_on(state, number))
    return found
