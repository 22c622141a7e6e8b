"""Laying track, and the search for a legal completion.

A piece that leads to the edge or water must be completed in the same step. It is played piece by piece without
interruption, and offered only if it can be completed [ban-1, ban-2, lake-3].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction, first_refusal
from kursbuch.core.play import StepRules
from kursbuch.games.dice import bans
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import LayTrack, OpenTile
from kursbuch.games.dice.bans import Ban
from kursbuch.games.dice.components import SIDES
from kursbuch.games.dice.geography import Geography, Site, large_tile
from kursbuch.games.dice.state import (
    CURVE,
    END_NAMES,
    FRONT,
    QUESTION,
    STRAIGHT,
    Bridge,
    Crossing,
    DicePlay,
    DiceState,
    End,
    Joining,
    Piece,
    Turn,
    behind,
    choice_of,
    front,
    on_tile,
    pay,
    payment_problem,
    payment_range,
    supply,
    turn_of,
)
from kursbuch.games.dice.stations import cards


class Hand(NamedTuple):
    """Dice available for building."""

    straight: int
    curve: int
    question: int
    behind: int


#: More dice than any step needs.
PLENTY = Hand(200, 200, 200, 200)


class Outlook(NamedTuple):
    """A moment while laying track, for the search.

    `other` is the site of the other end; `supply` and `closed` belong to the bank. `cards` are the stations the
    player can still build: company, surroundings and cost.
    """

    site: Site
    other: Site
    hand: Hand
    cards: tuple[tuple[int, int, int], ...]
    paid: tuple[tuple[int, int], ...]
    supply: int
    closed: bool


class Foresight:
    """Searches for completions."""

    def __init__(self, geography: Geography) -> None:
        self.geography = geography
        self.premium = geography.board.economy.premium_new_tile

    def can_finish(self, now: Outlook) -> bool:
        """Whether the player can complete all required continuations with his dice and those received on the way.

        Track faces are used before question marks, and dice behind the screen before question marks. Question marks
        can do everything the others can, so this loses no possibility.
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
        """Whether a piece can be laid on a site and its continuations completed."""
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
        """Whether a station can be built where a bridge reaches land; nothing has to follow it."""
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
        """The moment after laying a piece with a hand that has paid for it."""
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
        """The moment after connecting a new tile: the old one is cleared unless the other end is on it, and the
        premium is paid [tile-10, tile-11, end-5]."""
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
            # The bank breaks and the game ends: nothing has to follow.
            return then._replace(site=then.site._replace(bridge=False, ways=(), leaves=-1))
        hand = then.hand._replace(question=then.hand.question + self.premium)
        return then._replace(hand=hand, supply=supply - self.premium)


def spend(hand: Hand, straight: bool, cost: int) -> Hand | None:
    """The hand after a piece and payment, keeping the most flexible dice; None if unaffordable."""
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


BuildingStep = TypeVar("BuildingStep", bound=Turn | Bridge | Crossing | Joining)


class Conditions(NamedTuple):
    """Conditions of a piece: its surcharge, whether that is for a bridge, and the possible numbers of dice from
    behind the screen, limited by question marks in front and by what must follow."""

    cost: int
    lake: bool
    payable: range
    behind: range


class Layer:
    """Rules for laying a piece, in a turn and the steps begun in it."""

    def __init__(self, geography: Geography) -> None:
        self.geography = geography
        self.foresight = Foresight(geography)

    def outlook(self, state: DiceState, end: int) -> Outlook:
        """The search moment of a player laying track at an end."""
        geo, turn = self.geography, turn_of(state)
        return Outlook(
            geo.site(state, end),
            geo.site(state, 1 - end),
            hand(state, turn.seat),
            tuple((s.company, s.terrain, s.cost) for s in cards(state, geo.board, turn.seat)),
            turn.paid_squares(),
            supply(state),
            bool(state.ending),
        )

    # ---- choices

    def choices(self, state: DiceState, end: int) -> list[Choice]:
        """Every piece that can be laid at an end of the line [track-3]."""
        if not any(hand(state, turn_of(state).seat)[:3]):
            return []
        begun = self.outlook(state, end)
        return self.pieces(state, begun, begun.site, end)

    def pieces(self, state: DiceState, begun: Outlook, site: Site, end: int) -> list[Choice]:
        """Every piece that can be laid on a site."""
        seat, names = turn_of(state).seat, self.geography.board.names
        found = []
        for square, back in site.ways:
            for side in range(4):
                if self.geography.problem(site, square, back, side):
                    continue
                for question in (False, True):
                    terms = self._terms(state, begun, site, (square, back), side, question)
                    if isinstance(terms, Conditions):
                        action = LayTrack(
                            seat,
                            END_NAMES[end],
                            names[square],
                            SIDES[side],
                            question,
                            terms.behind.start,
                        )
                        found.append(choice_of(action, terms.behind))
        return found

    def attempts(self, seat: int, keys: Sequence[str]) -> Iterator[Action]:
        """Pieces that may be meant by selecting a square and then a side or die."""
        question = keys[-1] == "die:question"
        for key in reversed(keys):
            match key.split(":"):
                case ["exit", ("A" | "B") as end, square, ("N" | "E" | "S" | "W") as side]:
                    yield LayTrack(seat, end, square, side, question)
                    return
                case ["square", ("A" | "B") as end, square]:
                    yield from (LayTrack(seat, end, square, side, question) for side in SIDES)
                    return
                case ["stock" | "tile", tile, *_]:
                    yield OpenTile(seat, tile, 0)
                    return

    def problem(
        self, state: DiceState, begun: Outlook, site: Site, action: LayTrack
    ) -> IllegalAction | None:
        """Why a piece cannot be laid on a site, if so."""
        return first_refusal(self._checks(state, begun, site, action))

    def _checks(
        self, state: DiceState, begun: Outlook, site: Site, action: LayTrack
    ) -> Iterator[IllegalAction | None]:
        """Check the square, side and dice."""
        square = self.geography.board.square_index.get(action.square)
        if square is None:
            yield IllegalAction("track-3", "There is no square {square}.", square=action.square)
            return
        way = next((way for way in site.ways if way[0] == square), None)
        if way is None:
            yield IllegalAction(
                "track-4",
                "End {end} of the line does not point to {square}.",
                end=action.end,
                square=action.square,
            )
            return
        side = SIDES.index(action.side)
        ban = self.geography.problem(site, square, way[1], side)
        yield self._refusal(ban if ban in bans.SQUARE else None)
        yield self._refusal(ban if ban is bans.BACKWARDS else None)
        yield self._refusal(ban)
        terms = self._terms(state, begun, site, way, side, action.question)
        if isinstance(terms, Ban):
            refusal = self._refusal(terms)
            if refusal is not None and not action.question:
                refusal.without(
                    "side", "No die in front of your screen shows a piece that could lie there."
                )
            yield refusal if terms in bans.DICE else None
            refusal = self._refusal(terms)
            yield refusal if terms in bans.PAYMENT else None
            yield refusal
        elif action.behind not in terms.behind:
            yield self._payment_problem(state, site, square, action, terms)

    def _refusal(self, ban: Ban | None) -> IllegalAction | None:
        if ban is None:
            return None
        return IllegalAction(ban.rule, ban.sentence, least=self.geography.least)

    def _payment_problem(
        self, state: DiceState, site: Site, square: int, action: LayTrack, terms: Conditions
    ) -> IllegalAction | None:
        if not terms.cost:
            if site.layout.mountain >> square & 1:
                return IllegalAction("mountain-2", "This mountain is already paid for this turn.")
            if site.layout.water >> square & 1:
                return IllegalAction("lake-2", "This bridge is already paid for.")
            return IllegalAction("dice-2", "On a meadow, you pay nothing but the piece.")
        if action.behind in terms.payable:
            return IllegalAction(
                "lake-3" if terms.lake else "ban-1",
                "At least {low} of these dice must come from behind your screen: the question marks "
                "are needed for what must follow.",
                low=terms.behind.start,
            )
        rule = "lake-1" if terms.lake else "mountain-1"
        seat = action.seat
        return payment_problem(state, seat, rule, terms.cost, action.behind, terms.behind)

    def _terms(
        self,
        state: DiceState,
        begun: Outlook,
        site: Site,
        way: tuple[int, int],
        side: int,
        question: bool,
    ) -> Conditions | Ban:
        """Conditions for a piece that is not banned otherwise, or the ban for lack of dice. Paying more from behind
        the screen keeps more options."""
        geo, (square, back) = self.geography, way
        straight = (side - back) % 4 == 2
        missing = _missing(begun.hand, straight, question)
        if missing is not None:
            return missing
        cost, lake = geo.surcharge(site, square, begun.paid)
        payable = payment_range(state, turn_of(state).seat, cost, int(question))
        if not payable:
            return bans.BRIDGE_UNPAID if lake else bans.MOUNTAIN_UNPAID
        need = geo.unfinished(geo.laid(site, square, side))
        if not need:
            return Conditions(cost, lake, payable, payable)
        left = _without(begun.hand, straight, question)
        for from_behind in payable:
            paid = left._replace(
                question=left.question - (cost - from_behind), behind=left.behind - from_behind
            )
            then = self.foresight.after(begun, site, square, side, paid, cost)
            if self.foresight.can_finish(then):
                return Conditions(cost, lake, payable, range(from_behind, payable.stop))
        if need == "edge":
            return bans.CANNOT_CROSS
        landing = bool(site.layout.water >> square & 1)
        if self.foresight.can_finish(self.foresight.after(begun, site, square, side, PLENTY, cost)):
            return bans.CANNOT_LAND if landing else bans.CANNOT_BRIDGE
        return bans.NO_LANDING if landing else bans.NO_BRIDGE

    # ---- laying

    def put(self, state: DiceState, site: Site, action: LayTrack, play: DicePlay) -> None:
        """Place the die on the tile and pay the surcharge to the bank [track-3]."""
        geo, seat, end = self.geography, action.seat, END_NAMES.index(action.end)
        square = geo.board.square_index[action.square]
        side = SIDES.index(action.side)
        back = next(back for way, back in site.ways if way == square)
        self._pay(state, site, square, action, play)
        curve = (side - back) % 4 != 2
        face = QUESTION if action.question else CURVE if curve else STRAIGHT
        state.ledger.move("die", FRONT[seat][face], on_tile(site.number))
        here = state.ends[end]
        if not site.joining and here.front < 0:
            # The line leaves a station [ban-3].
            pieces = large_tile(state, here.small).pieces
            station = next(piece for piece in pieces if piece.square == here.square)
            station.front = (back + 2) % 4
        large_tile(state, site.number).pieces.append(Piece(square, back, side))
        state.ends[end] = End(site.number, square, side)
        row, column, _, _ = site.land.tiles[site.number]
        play.emit(
            happened.TrackLaid(
                rule="track-3",
                seat=seat,
                end=action.end,
                row=row,
                column=column,
                square=action.square,
                curve=curve,
                question=action.question,
            )
        )

    def _pay(
        self, state: DiceState, site: Site, square: int, action: LayTrack, play: DicePlay
    ) -> None:
        geo, seat, turn = self.geography, action.seat, turn_of(state)
        cost, lake = geo.surcharge(site, square, turn.paid_squares())
        if not cost:
            return
        pay(state, seat, cost, action.behind)
        if not lake:
            turn.paid.append(geo.landscape.square_at(site.land, site.number, square))
        play.emit(
            happened.SurchargePaid(
                rule="lake-1" if lake else "mountain-1",
                seat=seat,
                lake=lake,
                dice=cost,
                behind=action.behind,
            )
        )

    def lay(self, state: DiceState, action: LayTrack, play: DicePlay) -> None:
        """Lay a piece at an end and push what must follow."""
        end = END_NAMES.index(action.end)
        self.put(state, self.geography.site(state, end), action, play)
        self.go_on(state, action.seat, end, play)

    def go_on(self, state: DiceState, seat: int, end: int, play: DicePlay) -> None:
        """After a piece, check for the end of the game [end-2] and push what must follow."""
        self.check_end(state, play)
        match self.geography.unfinished(self.geography.site(state, end)):
            case "edge":
                play.push(Crossing(seat, end))
            case "bridge":
                play.push(Bridge(seat, end))

    def check_end(self, state: DiceState, play: DicePlay) -> None:
        """Announce the last year when neither end can leave its tile [end-2, end-3]."""
        if state.ending:
            return
        geo = self.geography
        if not any(map(geo.alive, geo.sites(state))):
            state.ending = "tiles"
            play.emit(happened.EndCaused(rule="end-2", company=""))


class BuildingRules(StepRules[DiceState, BuildingStep]):
    """Rules of a step in which the current player builds."""

    def __init__(self, layer: Layer) -> None:
        self.layer = layer
        self.geography = layer.geography
        self.board = layer.geography.board

    def deciders(self, state: DiceState, step: BuildingStep) -> Sequence[int]:
        return (step.seat,)

    def attempts(
        self, state: DiceState, step: BuildingStep, seat: int, keys: Sequence[str]
    ) -> Iterator[Action]:
        yield from self.layer.attempts(seat, keys)


def hand(state: DiceState, seat: int) -> Hand:
    """Dice available to a player for building [track-2]."""
    return Hand(
        front(state, seat, STRAIGHT),
        front(state, seat, CURVE),
        front(state, seat, QUESTION),
        behind(state, seat),
    )


def _missing(dice: Hand, straight: bool, question: bool) -> Ban | None:
    """The ban if a hand lacks the die for a piece."""
    if question:
        return None if dice.question else bans.NO_QUESTION
    if straight:
        return None if dice.straight else bans.NO_STRAIGHT
    return None if dice.curve else bans.NO_CURVE


def _without(dice: Hand, straight: bool, question: bool) -> Hand:
    """A hand without the die of a piece."""
    if question:
        return dice._replace(question=dice.question - 1)
    if straight:
        return dice._replace(straight=dice.straight - 1)
    return dice._replace(curve=dice.curve - 1)
