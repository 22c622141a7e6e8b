"""Directors, operators, and the operating order."""

from __future__ import annotations

from typing import Generic

from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import PERCENT, PLAYERS, POOL, share_item
from kursbuch.games.g18xx.lookup import SEATS, Lookup
from kursbuch.games.g18xx.rules.stock_market import StockMarket
from kursbuch.games.g18xx.state import StateT, Swap


class Control(Generic[StateT]):
    """Directors, owners and managers; operating order."""

    def __init__(self, lookup: Lookup[StateT], market: StockMarket[StateT]) -> None:
        self.lookup = lookup
        self.market = market

    # ---- who acts

    def director(self, state: StateT, company: str) -> int | None:
        """Holder of the director's certificate, None if no player has it [director]."""
        for holder in state.ledger.items[self.lookup.public[company].items[0][0]]:
            if holder in SEATS:
                return SEATS[holder]
        return None

    def operator(self, state: StateT, company: str) -> int | None:
        """Player who acts for a company: the owner of a minor, the director, or a temporary
        manager; None for a minor without an owner [minor-starts, one-director]."""
        if self.lookup.is_minor(company):
            return self.lookup.owner(state, company)
        director = self.director(state, company)
        return director if director is not None else self.manager(state, company)

    def decider(self, state: StateT, company: str) -> int:
        """Operator of a company that has one, for example on its turn."""
        operator = self.operator(state, company)
        assert operator is not None, f"no one acts for {company}"
        return operator

    def manager(self, state: StateT, company: str) -> int:
        """Player who acts for a company without a director: the one with most shares
        [no-director]."""
        return max(
            self.lookup.around(state, state.priority),
            key=lambda seat: self.lookup.percent(state, PLAYERS[seat], company),
        )

    def payout_problem(self, state: StateT, company: str) -> IllegalAction | None:
        """Refusal to pay out a company's revenue [bank-loan]."""
        if not state.companies[company].debt:
            return None
        return IllegalAction(
            "bank-loan", "Who owes the bank has to withhold the revenue to pay off the debt."
        )

    def order(self, state: StateT) -> list[str]:
        """Companies that operate in an operating round: minors in order, then share companies by
        current price or in data order [minors-first, operating-order]."""
        minors = [minor for minor in self.lookup.components.minors if self.acts(state, minor)]
        return [*minors, *self.market.in_order(state)]

    def acts(self, state: StateT, company: str) -> bool:
        """Whether a company takes turns [minor-starts]."""
        found = state.companies[company]
        if not found.operating or found.closed:
            return False
        return not self.lookup.is_minor(company) or self.lookup.owner(state, company) is not None

    # ---- directors

    def settle_director(self, play: Play[StateT], company: str) -> None:
        """Change the director if another player now holds more, or if there is none and a player
        holds enough [director-change, no-director]."""
        state = play.state
        self.note_holders(state, company)
        old = self.director(state, company)
        new = self.challenger(state, company, old)
        if new is None:
            return
        if old is None:
            certificates = self.swaps(state, company, PLAYERS[new])[-1]
            self.change_director(play, company, old, new, certificates, POOL)
        else:
            self.replace_director(play, company, old, new, to_pool=False)

    def challenger(
        self, state: StateT, company: str, old: int | None, given: int = 0
    ) -> int | None:
        """Next director in place of `old` (None: there is none), None if nothing changes: the
        player with the highest percentage, among equals the first `in_line` [director-change].
        `old` is about to lose `given` percent."""
        item, _, needed = self.lookup.public[company].items[0]
        if old is None and not state.ledger.items[item].get(POOL):
            return None
        least = (
            needed - 1 if old is None else self.lookup.percent(state, PLAYERS[old], company) - given
        )
        best: int | None = None
        for seat in self.in_line(state, company, old):
            percent = self.lookup.percent(state, PLAYERS[seat], company)
            if seat != old and percent > least and self.swaps(state, company, PLAYERS[seat]):
                best, least = seat, percent
        return best

    def in_line(self, state: StateT, company: str, old: int | None) -> list[int]:
        """Players in line for director among equals: from the left of the old director, or by how
        long they have held shares without a gap [director-change]."""
        if self.lookup.policy.ties == "longest":
            return [seat for seat in state.companies[company].holders if seat not in state.out]
        start = self.lookup.left_of(state, old) if old is not None else state.priority
        return self.lookup.around(state, start)

    def note_holders(self, state: StateT, company: str) -> None:
        """Update the order in which players began to hold shares."""
        if self.lookup.policy.ties == "longest":
            holders = state.companies[company].holders
            now = [s for s in range(state.seats) if self.lookup.percent(state, PLAYERS[s], company)]
            holders[:] = [seat for seat in holders if seat in now]
            holders += [seat for seat in now if seat not in holders]

    def swaps(self, state: StateT, company: str, holder: str) -> list[tuple[str, ...]]:
        """Sets of certificates a holder can give for the director's certificate, fewest first
        [director-swap]."""
        needed = self.lookup.public[company].items[0][2]
        held = self.lookup.certificates(state, holder, company)
        return sorted(
            (
                (name,) * (needed // PERCENT[name])
                for name, count in held.items()
                if not name.endswith("P")
                and needed % PERCENT[name] == 0
                and count >= needed // PERCENT[name]
            ),
            key=len,
        )

    def replace_director(
        self, play: Play[StateT], company: str, old: int, new: int, *, to_pool: bool
    ) -> None:
        """Replace the director; the old one chooses the certificates if there is a choice
        [director-swap]."""
        ways = self.swaps(play.state, company, PLAYERS[new])
        if len(ways) > 1:
            play.push(Swap(company, old, new, to_pool))
        else:
            receiver = POOL if to_pool else PLAYERS[old]
            self.change_director(play, company, old, new, ways[0], receiver)

    def change_director(
        self,
        play: Play[StateT],
        company: str,
        old: int | None,
        new: int,
        certificates: tuple[str, ...],
        receiver: str,
    ) -> None:
        """Exchange the director's certificate for others of the same percentage [director-swap,
        director-takes-over]."""
        ledger = play.state.ledger
        item = self.lookup.public[company].items[0][0]
        source = PLAYERS[old] if old is not None else POOL
        ledger.move(item, source, PLAYERS[new])
        for name in certificates:
            ledger.move(share_item(company, name), PLAYERS[new], receiver)
        self.note_holders(play.state, company)
        play.emit(
            happened.DirectorChanged(
                rule="director-swap" if old is not None else "no-director",
                company=company,
                old=old,
                new=new,
                certificates=certificates,
                receiver=SEATS.get(receiver),
            )
        )
