"""Whether what has been begun can be finished: a piece against the edge or water is only accepted
together with all that must follow it [ban-1, ban-2, lake-3].
"""

from __future__ import annotations

from typing import NamedTuple

from kursbuch.games.dice.geography import Geography, Site


class Hand(NamedTuple):
    """The dice a player can build with."""

    straight: int
    curve: int
    question: int
    behind: int


#: More dice than any step could need.
PLENTY = Hand(200, 200, 200, 200)


class Outlook(NamedTuple):
    """A moment in the middle of laying track, as far as is needed to see whether it can be finished.

    `other` is the site of the other end, `supply` and `closed` are the bank's. `cards` are the
    stations the player can still build: company, kind of surroundings and cost."""

    site: Site
    other: Site
    hand: Hand
    cards: tuple[tuple[int, int, int], ...]
    paid: tuple[tuple[int, int], ...]
    supply: int
    closed: bool


class Foresight:
    """Looks ahead from a moment of laying track."""

    def __init__(self, geography: Geography) -> None:
        self.geography = geography
        self.premium = geography.board.economy.premium_new_tile

    def can_finish(self, now: Outlook) -> bool:
        """Whether the player can carry out all that must follow, with the dice he has and those he
        gets on the way.

        Dice of their own face are used before question marks and dice behind the screen are paid
        before question marks: a question mark can do whatever these can, so this never makes
        anything impossible that another use would allow.
        """
        geo, site = self.geography, now.site
        match geo.unfinished(site):
            case "edge":
                place = geo.landscape.beyond(site.land, site.number, site.leaves)
                return any(
                    self._can_lay(now, geo.connected(site, layout.tile, layout.rotation))
                    for layout in geo.landscape.fitting(site.land, *place)
                )
            case "bridge":
                return self._can_lay(now, site) or self._can_build(now)
        return True

    def _can_lay(self, now: Outlook, site: Site) -> bool:
        """Whether some piece can be laid on a site and all that must follow it be carried out."""
        geo = self.geography
        for square, back in site.ways:
            for side in range(4):
                if side == back or geo.problem(site, square, back, side):
                    continue
                cost, _ = geo.surcharge(site, square, now.paid)
                hand = spend(now.hand, (side - back) % 4 == 2, cost)
                if hand is not None and self.can_finish(
                    self.after(now, site, square, side, hand, cost)
                ):
                    return True
        return False

    def _can_build(self, now: Outlook) -> bool:
        """Whether a station can be built where a bridge comes to land; it leads against nothing, so
        nothing has to follow it."""
        geo, site = self.geography, now.site
        if geo.station_problem(site):
            return False
        square = site.ways[0][0]
        mountain, _ = geo.surcharge(site, square, now.paid)
        money = now.hand.question + now.hand.behind - mountain
        return any(
            cost <= money
            and not site.companies >> company & 1
            and site.layout.stations[kind] >> square & 1
            for company, kind, cost in now.cards
        )

    def after(
        self, now: Outlook, site: Site, square: int, side: int, hand: Hand, cost: int
    ) -> Outlook:
        """The moment after a piece has been laid on a site with a hand that has paid for it."""
        geo, paid = self.geography, now.paid
        if cost and site.layout.mountain >> square & 1:
            paid = (*paid, geo.landscape.square_at(site.land, site.number, square))
        laid = geo.laid(site, square, side)
        then = now._replace(site=laid, hand=hand, paid=paid, supply=now.supply + cost)
        if site.joining:
            return self._connected(now.site, then)
        other = now.other
        if other.number == site.number:
            other = other._replace(occupied=laid.occupied, pieces=laid.pieces, land=site.land)
        return then._replace(other=other)

    def _connected(self, old: Site, then: Outlook) -> Outlook:
        """The moment after a new tile has been connected: the old one is cleared unless the other end
        is still on it, and the premium is paid [tile-10, tile-11, end-5]."""
        geo, supply = self.geography, then.supply
        other = then.other._replace(land=then.site.land)
        if old.rival is None:
            supply += old.pieces - old.stations.bit_count()
        else:
            other = other._replace(occupied=old.occupied, pieces=old.pieces, rival=None)
        closed = then.closed or not (geo.alive(then.site) or geo.alive(other))
        then = then._replace(other=other, supply=supply, closed=closed)
        if closed:
            return then
        if supply < self.premium:
            # The bank breaks and the game ends: nothing more has to follow.
            return then._replace(site=then.site._replace(bridge=False, ways=(), leaves=-1))
        hand = then.hand._replace(question=then.hand.question + self.premium)
        return then._replace(hand=hand, supply=supply - self.premium)


def spend(hand: Hand, straight: bool, cost: int) -> Hand | None:
    """The hand after a piece and a payment, made so that most remains possible; None if it has not
    the dice."""
    straights, curves, questions, behind = hand
    if straight and straights:
        straights -= 1
    elif not straight and curves:
        curves -= 1
    else:
        questions -= 1
    from_behind = min(cost, behind)
    questions -= cost - from_behind
    if questions < 0:
        return None
    return Hand(straights, curves, questions, behind - from_behind)
