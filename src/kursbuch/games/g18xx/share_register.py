"""The register of shares: what all players hold, worked out once for equal holdings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Generic, NamedTuple

import msgspec

from kursbuch.games.g18xx.components import PLAYERS
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import AnyState, StateT


class Stake(NamedTuple):
    """A player's shares of a company: percentage, certificates, and number not paid for. The player
    may be its director, act for it (`leads`), or do so as the manager of one in operation."""

    company: str
    percent: int
    certificates: tuple[str, ...]
    unpaid: int
    directs: bool
    leads: bool
    manages: bool


class Holder(NamedTuple):
    """What a player has besides money: stakes in all companies, privates and minors, their value
    (`worth`), the price of what has no market value (`unsettled`), and the number of certificates
    with its limit."""

    stakes: tuple[Stake, ...]
    papers: tuple[str, ...]
    worth: int
    unsettled: int
    certificates: int
    limit: int


class ShareRegister(Generic[StateT]):
    """The holdings of all players in a `state` that has only what bears on shares
    (`Lookup.bearing_on_shares`). Equal holdings are the same object, by which texts and drawings are
    kept; do not change it."""

    def __init__(self, ruleset: Ruleset[StateT], state: StateT) -> None:
        self.state = state
        directors, operators, percents = {}, {}, {}
        for company in ruleset.public:
            directors[company] = ruleset.control.director(state, company)
            operators[company] = ruleset.control.operator(state, company)
            percents[company] = ruleset.percents(state, company)
        worth, unsettled = ruleset.market.worth(state), ruleset.market.unsettled(state)

        def stake(seat: int, company: str) -> Stake:
            percent = percents[company][seat]
            held = ruleset.certificates(state, PLAYERS[seat], company) if percent else {}
            leads, directs = operators[company] == seat, directors[company] == seat
            return Stake(
                company,
                percent,
                tuple(name for name, count in held.items() for _ in range(count)),
                ruleset.unpaid(state, seat, company),
                directs,
                leads,
                leads and not directs and state.companies[company].operating,
            )

        self.holders: Sequence[Holder] = [
            Holder(
                tuple(stake(seat, company) for company in ruleset.public),
                tuple(ruleset.privates_and_minors(state, seat)),
                worth[seat],
                unsettled[seat],
                ruleset.shares.count_certificates(state, seat),
                ruleset.shares.certificate_limit(state, seat),
            )
            for seat in range(state.seats)
        ]


def share_register(ruleset: Ruleset[StateT], state: StateT) -> ShareRegister[StateT]:
    """The register of a state."""
    bare = ruleset.bearing_on_shares(state)
    return _share_register(ruleset, type(state), msgspec.msgpack.encode(bare))


@lru_cache(maxsize=256)
def _share_register(
    ruleset: Ruleset[Any], form: type[AnyState], encoded: bytes
) -> ShareRegister[Any]:
    return ShareRegister(ruleset, msgspec.msgpack.decode(encoded, type=form))
