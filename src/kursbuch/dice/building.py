"""Laying track and building stations: what is offered, what is refused, what happens.

A piece that leads against the edge or water begins something that must be finished in the same step.
It is played piece by piece (`Crossing`, `Joining`, `Bridge`), nothing can come in between, and it is
offered only if it can be finished [ban-1, ban-2, lake-3].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import StepRules
from kursbuch.core.words import N_
from kursbuch.dice import events as happened
from kursbuch.dice.actions import BuildStation, LayTrack, OpenTile
from kursbuch.dice.components import SIDES, Stock
from kursbuch.dice.geography import (
    Geography,
    Hand,
    Outlook,
    Site,
    bits,
    large_tile,
    masks,
)
from kursbuch.dice.holdings import (
    DicePlay,
    built,
    directed,
    hand,
    pay,
    payment_range,
    premium,
    supply,
)
from kursbuch.dice.state import (
    CURVE,
    END_NAMES,
    FRONT,
    QUESTION,
    STRAIGHT,
    Bridge,
    Crossing,
    DiceState,
    End,
    Joining,
    Large,
    Piece,
    Small,
    Turn,
    on_tile,
    small,
)

#: What a rule that forbids a piece says.
REASONS = {
    "track-3": N_("This square is not free."),
    "track-4": N_("No piece can be laid there that way: a new piece joins an end of the line."),
    "ban-3": N_("A station has only two exits."),
    "ban-4": N_("Track may not touch other track."),
    "ban-5": N_("The line could not leave the tile any more."),
    "tile-2": N_("Too few pieces lie on the tile to leave it."),
    "tile-3": N_("No small tile is left to be connected."),
    "tile-5": N_("No small tile that is left fits there."),
    "tile-6": N_("The place beyond this edge is already taken."),
    "tile-9": N_("This end of the line cannot leave its tile any more."),
    "ban-1": N_("You cannot connect a new tile with the dice you have."),
    "ban-2": N_("You cannot build a bridge across the water with the dice you have."),
    "lake-3": N_("The bridge could not be brought back to land with the dice you have."),
    "track-2": N_("You have no die in front of your screen for this piece."),
    "mountain-1": N_(
        "The mountain must be paid with a die from behind the screen or a question mark."
    ),
    "lake-1": N_("A bridge must be paid with dice from behind the screen or question marks."),
}


def refuse(rule: str) -> IllegalAction:
    """The refusal under a rule."""
    return IllegalAction(rule, REASONS[rule])


def turn_of(state: DiceState) -> Turn:
    """The turn that is being played, below whatever has been begun in it."""
    return next(step for step in state.agenda if isinstance(step, Turn))


class Terms(NamedTuple):
    """What a piece costs: dice besides the piece, whether for a bridge, and how many of them may come
    from behind the screen."""

    cost: int
    lake: bool
    behind: range


def terms(
    geo: Geography,
    state: DiceState,
    begun: Outlook,
    site: Site,
    way: tuple[int, int],
    side: int,
    question: bool,
) -> Terms | str:
    """On what terms a piece that no ban forbids can be laid, or the rule that forbids it for want of
    dice. The more is paid from behind the screen, the more remains possible."""
    square, back = way
    straight = (side - back) % 4 == 2
    hand_now = begun.hand
    die = hand_now.question if question else (hand_now.straight if straight else hand_now.curve)
    if not die:
        return "track-2"
    cost, lake = geo.surcharge(site, square, begun.paid)
    seat = turn_of(state).seat
    possible = payment_range(state, seat, cost, int(question))
    if not possible:
        return "lake-1" if lake else "mountain-1"
    after_piece = Hand(
        hand_now.straight - (straight and not question),
        hand_now.curve - (not straight and not question),
        hand_now.question - question,
        hand_now.behind,
    )
    if not geo.unfinished(geo.laid(site, square, side)):
        # Nothing has to follow.
        return Terms(cost, lake, possible)
    for behind in possible:
        left = after_piece._replace(
            question=after_piece.question - (cost - behind), behind=after_piece.behind - behind
        )
        if geo.can_finish(geo.after(begun, site, square, side, left, cost)):
            return Terms(cost, lake, range(behind, possible.stop))
    need = geo.unfinished(geo.laid(site, square, side))
    if need == "edge":
        return "ban-1"
    return "lake-3" if site.layout.water >> square & 1 else "ban-2"


def outlook(geo: Geography, state: DiceState, end: int) -> Outlook:
    """What a player who lays track at an end has before him."""
    turn = turn_of(state)
    land = geo.land(state)
    return Outlook(
        geo.site(state, end, land),
        geo.site(state, 1 - end, land),
        hand(state, turn.seat),
        tuple((row, column) for row, column in turn.paid),
        supply(state),
        bool(state.ending),
    )


def pieces(geo: Geography, state: DiceState, begun: Outlook, site: Site, end: int) -> list[Choice]:
    """Every piece that can be laid on a site."""
    seat = turn_of(state).seat
    name = END_NAMES[end]
    found = []
    for way in site.ways:
        square, back = way
        for side in range(4):
            if geo.problem(site, square, back, side):
                continue
            for question in (False, True):
                offer = terms(geo, state, begun, site, way, side, question)
                if isinstance(offer, str):
                    continue
                amounts = offer.behind
                action = LayTrack(
                    seat,
                    "A" if name == "A" else "B",
                    geo.board.names[square],
                    SIDES[side],  # type: ignore[arg-type]
                    question,
                    amounts.start,
                )
                if len(amounts) > 1:
                    found.append(Choice(action, Range(amounts.start, amounts.stop - 1)))
                else:
                    found.append(Choice(action))
    return found


def track_choices(geo: Geography, state: DiceState, step: Turn, end: int) -> list[Choice]:
    """Every piece that can be laid at an end [track-3]."""
    if not any(hand(state, step.seat)[:3]):
        return []
    begun = outlook(geo, state, end)
    return pieces(geo, state, begun, begun.site, end)


def check_piece(
    geo: Geography, state: DiceState, begun: Outlook, site: Site, action: LayTrack
) -> None:
    """Refuse a piece that cannot be laid on a site."""
    square = geo.board.square_index.get(action.square, -1)
    way = next((way for way in site.ways if way[0] == square), None)
    if way is None:
        raise IllegalAction(
            "track-4",
            "End {end} of the line does not point to {square}.",
            end=action.end,
            square=action.square,
        )
    side = SIDES.index(action.side)
    rule = geo.problem(site, square, way[1], side)
    if rule:
        raise refuse(rule)
    offer = terms(geo, state, begun, site, way, side, action.question)
    if isinstance(offer, str):
        raise refuse(offer)
    if action.behind not in offer.behind:
        rule = "lake-1" if offer.lake else "mountain-1"
        if not offer.cost:
            raise IllegalAction(rule, "Nothing has to be paid here.")
        raise IllegalAction(
            rule,
            "From {low} to {high} dice of this payment can come from behind your screen.",
            low=offer.behind.start,
            high=offer.behind.stop - 1,
        )


def check_track(geo: Geography, state: DiceState, step: Turn, action: LayTrack) -> None:
    """Refuse a piece that cannot be laid."""
    begun = outlook(geo, state, END_NAMES.index(action.end))
    check_piece(geo, state, begun, begun.site, action)


def put_piece(
    geo: Geography, state: DiceState, site: Site, action: LayTrack, play: DicePlay
) -> None:
    """The die leaves the player and lies on the tile; the surcharge goes to the bank [track-3]."""
    seat, end = action.seat, END_NAMES.index(action.end)
    board = geo.board
    square = board.square_index[action.square]
    side = SIDES.index(action.side)
    back = next(back for way, back in site.ways if way == square)
    turn = turn_of(state)
    paid = tuple((row, column) for row, column in turn.paid)
    cost, lake = geo.surcharge(site, square, paid)
    if cost:
        pay(state, seat, cost, action.behind)
        if not lake:
            turn.paid.append(geo.in_landscape(site, square))
        play.emit(
            happened.SurchargePaid(
                rule="lake-1" if lake else "mountain-1",
                seat=seat,
                lake=lake,
                dice=cost,
                behind=action.behind,
            )
        )
    curve = (side - back) % 4 != 2
    face = QUESTION if action.question else CURVE if curve else STRAIGHT
    state.ledger.move("die", FRONT[seat][face], on_tile(site.number))
    here = state.ends[end]
    if not site.joining and here.front < 0:
        # The line leaves a station [ban-3].
        station = next(
            piece for piece in large_tile(state, here.small).pieces if piece.square == here.square
        )
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


def lay_track(
    geo: Geography, state: DiceState, step: Turn, action: LayTrack, play: DicePlay
) -> None:
    """Lay a piece and demand what must follow it."""
    end = END_NAMES.index(action.end)
    put_piece(geo, state, geo.site(state, end), action, play)
    go_on(geo, state, step.seat, end, play)


def go_on(geo: Geography, state: DiceState, seat: int, end: int, play: DicePlay) -> None:
    """After a piece: test for the end of the game [end-2], and push what must follow."""
    check_end(geo, state, play)
    match geo.unfinished(geo.site(state, end)):
        case "edge":
            play.push(Crossing(seat, end))
        case "bridge":
            play.push(Bridge(seat, end))


def check_end(geo: Geography, state: DiceState, play: DicePlay) -> None:
    """The last year has come when neither end can leave its tile any more [end-2, end-3]."""
    if state.ending:
        return
    land = geo.land(state)
    if not any(geo.alive(geo.site(state, end, land)) for end in (0, 1)):
        state.ending = "tiles"
        play.emit(happened.EndCaused(rule="end-2", company=""))


# ---- bridges and new tiles


class BridgeRules(StepRules[DiceState, Bridge]):
    """The line is led over the water until a piece lies on land again [lake-3]."""

    def __init__(self, geography: Geography) -> None:
        self.geography = geography

    def deciders(self, state: DiceState, step: Bridge) -> Sequence[int]:
        return (step.seat,)

    def choices(self, state: DiceState, step: Bridge, seat: int) -> list[Choice]:
        begun = outlook(self.geography, state, step.end)
        return pieces(self.geography, state, begun, begun.site, step.end)

    def check(self, state: DiceState, step: Bridge, action: Action) -> None:
        if not isinstance(action, LayTrack) or action.end != END_NAMES[step.end]:
            raise IllegalAction("lake-3", "The bridge you have begun must be finished first.")
        begun = outlook(self.geography, state, step.end)
        check_piece(self.geography, state, begun, begun.site, action)

    def perform(self, state: DiceState, step: Bridge, action: Action, play: DicePlay) -> None:
        assert isinstance(action, LayTrack)
        put_piece(self.geography, state, self.geography.site(state, step.end), action, play)
        play.done()
        go_on(self.geography, state, step.seat, step.end, play)


class CrossingRules(StepRules[DiceState, Crossing]):
    """A new tile is chosen whose small counterpart fits into the landscape [tile-1]."""

    def __init__(self, geography: Geography) -> None:
        self.geography = geography
        self.board = geography.board

    def deciders(self, state: DiceState, step: Crossing) -> Sequence[int]:
        return (step.seat,)

    def choices(self, state: DiceState, step: Crossing, seat: int) -> list[Choice]:
        begun = outlook(self.geography, state, step.end)
        place = self._place(begun.site)
        return [
            Choice(OpenTile(seat, self.board.tiles[layout.tile].id, layout.rotation))
            for layout in self.geography.fitting(begun.site.land, *place)
            if self._possible(state, step, begun, layout.tile, layout.rotation)
        ]

    def _place(self, site: Site) -> tuple[int, int]:
        return self.geography.beyond(site.land, site.number, site.leaves)

    def _possible(
        self, state: DiceState, step: Crossing, begun: Outlook, tile: int, rotation: int
    ) -> bool:
        site = self.geography.connected(begun.site, tile, rotation)
        return bool(pieces(self.geography, state, begun, site, step.end))

    def check(self, state: DiceState, step: Crossing, action: Action) -> None:
        board = self.board
        if not isinstance(action, OpenTile):
            raise IllegalAction("tile-1", "First choose the new tile beyond the edge.")
        if action.tile not in board.tile_index:
            raise IllegalAction("tile-3", "There is no tile {tile}.", tile=action.tile)
        tile = board.tile_index[action.tile]
        begun = outlook(self.geography, state, step.end)
        site = begun.site
        if not site.land.left[tile]:
            raise IllegalAction("tile-3", "All small tiles of this type are in the landscape.")
        if action.rotation not in [layout.rotation for layout in board.layouts[tile]]:
            raise IllegalAction(
                "tile-5", "The tile looks the same in a position with a smaller number of turns."
            )
        layout = board.layout(tile, action.rotation)
        if layout not in self.geography.fitting(site.land, *self._place(site)):
            _, _, old, turned = site.land.tiles[site.number]
            meets = board.layout(old, turned).sides[site.leaves]
            if layout.sides[(site.leaves + 2) % 4] != meets:
                raise IllegalAction(
                    "tile-4", "The two tiles have no terrain in common where they meet."
                )
            raise IllegalAction(
                "tile-5", "The small tile does not match its neighbours in the landscape."
            )
        if not self._possible(state, step, begun, tile, action.rotation):
            raise IllegalAction("tile-7", "You cannot lay a connecting piece on this tile.")

    def perform(self, state: DiceState, step: Crossing, action: Action, play: DicePlay) -> None:
        assert isinstance(action, OpenTile)
        play.done()
        play.push(Joining(step.seat, step.end, self.board.tile_index[action.tile], action.rotation))
        play.emit(
            happened.TileOpened(
                rule="tile-1",
                seat=step.seat,
                end=END_NAMES[step.end],
                tile=action.tile,
                rotation=action.rotation,
            )
        )


class JoiningRules(StepRules[DiceState, Joining]):
    """A piece on the new tile joins it to the line; only then is it connected [tile-7]."""

    def __init__(self, geography: Geography) -> None:
        self.geography = geography
        self.board = geography.board

    def deciders(self, state: DiceState, step: Joining) -> Sequence[int]:
        return (step.seat,)

    def choices(self, state: DiceState, step: Joining, seat: int) -> list[Choice]:
        begun = outlook(self.geography, state, step.end)
        site = self.geography.joining(state, step)
        return pieces(self.geography, state, begun, site, step.end)

    def check(self, state: DiceState, step: Joining, action: Action) -> None:
        if not isinstance(action, LayTrack) or action.end != END_NAMES[step.end]:
            raise IllegalAction("tile-7", "First lay a piece on the new tile.")
        begun = outlook(self.geography, state, step.end)
        check_piece(self.geography, state, begun, self.geography.joining(state, step), action)

    def perform(self, state: DiceState, step: Joining, action: Action, play: DicePlay) -> None:
        assert isinstance(action, LayTrack)
        geo, board, seat, end = self.geography, self.board, step.seat, step.end
        site = geo.joining(state, step)
        old = state.ends[end].small
        tile = board.tiles[step.tile].id
        row, column, _, _ = site.land.tiles[site.number]
        state.large.append(Large(site.number, []))
        state.ledger.move(small(tile), "supply", "landscape")
        state.landscape.append(Small(row, column, step.tile, step.rotation))
        put_piece(geo, state, site, action, play)
        play.emit(
            happened.TileConnected(
                rule="tile-7",
                seat=seat,
                end=action.end,
                tile=tile,
                row=row,
                column=column,
            )
        )
        # The first tile stays until the other end has left it too [tile-11].
        if state.ends[1 - end].small != old:
            self._clear(state, old, play)
        play.done()
        check_end(geo, state, play)
        if premium(play, seat, board.economy.premium_new_tile, "tile-10"):
            go_on(geo, state, seat, end, play)

    def _clear(self, state: DiceState, number: int, play: DicePlay) -> None:
        """Dice go to the bank, stations to the small tile [tile-10]."""
        large = large_tile(state, number)
        place = state.landscape[number]
        companies = [piece.company for piece in large.pieces if piece.company >= 0]
        dice = state.ledger.held("die", on_tile(number))
        state.ledger.move("die", on_tile(number), "supply", dice)
        for company in companies:
            place.stations |= 1 << company
        state.large.remove(large)
        play.emit(
            happened.TileCleared(
                rule="tile-10",
                row=place.row,
                column=place.column,
                dice=dice,
                companies=tuple(self.board.companies[company].id for company in companies),
            )
        )


# ---- stations


class Plot(NamedTuple):
    """The square an end points to, as a place for a station: its site and the side the line
    comes from."""

    site: Site
    square: int
    back: int


def plot_problem(geo: Geography, state: DiceState, end: int) -> Plot | str:
    """The place for a station at an end, or the rule that forbids any there."""
    site = geo.site(state, end)
    large = large_tile(state, site.number)
    if len(site.ways) != 1 or state.ends[end].front < 0:
        # The free squares at a station are all beside it.
        return "station-4"
    square, back = site.ways[0]
    if site.occupied >> square & 1:
        return "station-2"
    if -1 in geo.board.neighbours[square]:
        return "station-3"
    _, stations = masks(large)
    if geo.board.around[square] & stations:
        return "station-4"
    if site.layout.water >> square & 1:
        return "station-14"
    rival = site.rival
    if rival is not None and rival.front >= 0 and geo.rival_targets(rival) >> square & 1:
        return "station-14"
    # A station closes in nobody: it stands on the only square its end points to, and the line can go
    # on from it to every side, while the other end, which must not cross that line, goes past it.
    return Plot(site, square, back)


def station_price(geo: Geography, step: Turn, plot: Plot, stock: Stock) -> int:
    """The dice a station costs, the mountain included if it is still to be paid [station-7]."""
    paid = tuple((row, column) for row, column in step.paid)
    return stock.cost + geo.surcharge(plot.site, plot.square, paid)[0]


def has_station_here(state: DiceState, plot: Plot, company: int) -> bool:
    """Whether the company has a station on this large tile [station-9]."""
    large = large_tile(state, plot.site.number)
    return any(piece.company == company for piece in large.pieces)


def station_choices(geo: Geography, state: DiceState, step: Turn) -> list[Choice]:
    """Every station the player can build [station-1]."""
    companies = directed(state, step.seat)
    if not companies:
        return []
    board = geo.board
    found = []
    for end in (0, 1):
        plot = plot_problem(geo, state, end)
        if isinstance(plot, str):
            continue
        for company in companies:
            if has_station_here(state, plot, company):
                continue
            for stock in board.stocks_of[company]:
                fits = plot.site.layout.stations[stock.terrain] >> plot.square & 1
                if not fits or not state.ledger.held(stock.item, "card"):
                    continue
                amounts = payment_range(state, step.seat, station_price(geo, step, plot, stock))
                if not amounts:
                    continue
                action = BuildStation(
                    step.seat,
                    board.companies[company].id,
                    board.surroundings[stock.terrain].terrain,
                    stock.cost,
                    "A" if end == 0 else "B",
                    amounts.start,
                )
                if len(amounts) > 1:
                    found.append(Choice(action, Range(amounts.start, amounts.stop - 1)))
                else:
                    found.append(Choice(action))
    return found


STATION_REASONS = {
    "track-3": N_("This square is not free."),
    "station-2": N_("The end of the line points to no free square."),
    "station-3": N_("A station may not stand at the edge of a tile."),
    "station-4": N_("A station may not stand directly beside another one."),
    "station-14": N_("A station there would lie on water or touch other track."),
}


def check_station(geo: Geography, state: DiceState, step: Turn, action: BuildStation) -> None:
    """Refuse a station that cannot be built."""
    board = geo.board
    if action.company not in board.company_index:
        raise IllegalAction("station-1", "There is no company {company}.", company=action.company)
    company = board.company_index[action.company]
    name = board.companies[company].name
    if state.directors[company] != action.seat:
        raise IllegalAction(
            "station-1", "Only its director builds stations of {company}.", company=name
        )
    stock = _stock(geo, action)
    if stock is None or not state.ledger.held(stock.item, "card"):
        raise IllegalAction("station-1", "{company} has no such station left.", company=name)
    plot = plot_problem(geo, state, END_NAMES.index(action.end))
    if isinstance(plot, str):
        raise IllegalAction(plot, STATION_REASONS[plot])
    if has_station_here(state, plot, company):
        raise IllegalAction(
            "station-9", "{company} already has a station on this tile.", company=name
        )
    if not plot.site.layout.stations[stock.terrain] >> plot.square & 1:
        raise IllegalAction("station-5", "The surroundings are not right for this kind of station.")
    price = station_price(geo, step, plot, stock)
    amounts = payment_range(state, action.seat, price)
    if not amounts:
        raise IllegalAction(
            "station-1",
            "The station costs {price} dice from behind the screen or question marks.",
            price=price,
        )
    if action.behind not in amounts:
        raise IllegalAction(
            "station-1",
            "From {low} to {high} dice of this payment can come from behind your screen.",
            low=amounts.start,
            high=amounts.stop - 1,
        )


def _stock(geo: Geography, action: BuildStation) -> Stock | None:
    board = geo.board
    kind = board.kind_index.get(action.terrain, -1)
    return next(
        (
            stock
            for stock in board.stocks_of[board.company_index[action.company]]
            if stock.terrain == kind and stock.cost == action.cost
        ),
        None,
    )


def build_station(
    geo: Geography, state: DiceState, step: Turn, action: BuildStation, play: DicePlay
) -> None:
    """Pay for the station, put it at the end of the line, take the premium [station-1, station-10]."""
    board, seat, end = geo.board, action.seat, END_NAMES.index(action.end)
    plot, stock = plot_problem(geo, state, end), _stock(geo, action)
    assert isinstance(plot, Plot)
    assert stock is not None
    company = stock.company
    price = station_price(geo, step, plot, stock)
    pay(state, seat, price, action.behind)
    if price > stock.cost:
        step.paid.append(geo.in_landscape(plot.site, plot.square))
    state.ledger.move(stock.item, "card", "map")
    large = large_tile(state, plot.site.number)
    large.pieces.append(Piece(plot.square, plot.back, -1, company))
    state.ends[end] = End(plot.site.number, plot.square, -1)
    row, column, _, _ = plot.site.land.tiles[plot.site.number]
    play.emit(
        happened.StationBuilt(
            rule="station-1",
            seat=seat,
            company=action.company,
            terrain=action.terrain,
            cost=price,
            behind=action.behind,
            end=action.end,
            row=row,
            column=column,
            square=board.names[plot.square],
        )
    )
    if not state.ending and built(state, board, company) == board.totals[company]:
        state.ending = "company"
        play.emit(happened.EndCaused(rule="end-1", company=action.company))
    premium(play, seat, board.economy.premium_station, "station-10")


def free_squares(geo: Geography, site: Site) -> list[int]:
    """The squares of a tile nothing lies on."""
    return list(bits(geo.board.every & ~site.occupied))
