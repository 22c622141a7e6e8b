"""Stations: choices, refusals and building.

Ids in brackets refer to rules.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kursbuch.core.actions import Choice
from kursbuch.core.errors import IllegalAction, first_refusal
from kursbuch.games.dice import bans
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import BuildStation
from kursbuch.games.dice.components import Board, Stock
from kursbuch.games.dice.geography import Geography, Site, large_tile
from kursbuch.games.dice.state import (
    END_NAMES,
    DicePlay,
    DiceState,
    End,
    Piece,
    built,
    choice_of,
    directed,
    pay,
    payment_problem,
    payment_range,
    premium,
    stations_left,
    turn_of,
)


def cards(state: DiceState, board: Board, seat: int) -> Iterator[Stock]:
    """Kinds of station a player can still build, regardless of place [station-1]."""
    for company in directed(state, seat):
        for stock in board.stocks_of[company]:
            if stations_left(state, stock):
                yield stock


def station_price(geo: Geography, state: DiceState, site: Site, stock: Stock) -> int:
    """Cost of a station in dice, including an unpaid mountain [station-7]."""
    return stock.cost + geo.surcharge(site, site.ways[0][0], turn_of(state).paid_squares())[0]


def station_choices(
    geo: Geography, state: DiceState, seat: int, ends: Iterable[int]
) -> list[Choice]:
    """Every station the player can build at these ends."""
    board = geo.board
    found = []
    stocks = list(cards(state, board, seat))
    for end in ends if stocks else ():
        site = geo.site(state, end)
        if geo.station_problem(site):
            continue
        for stock in stocks:
            amounts = station_terms(geo, state, site, seat, stock)
            if isinstance(amounts, range):
                company = board.companies[stock.company].id
                kind = board.surroundings[stock.terrain].terrain
                action = BuildStation(
                    seat, company, kind, stock.cost, END_NAMES[end], amounts.start
                )
                found.append(choice_of(action, amounts))
    return found


def station_terms(
    geo: Geography, state: DiceState, site: Site, seat: int, stock: Stock
) -> range | IllegalAction:
    """Possible numbers of dice from behind the screen for a station, or why it cannot be built at an end."""
    name = geo.board.companies[stock.company].name
    ban = geo.station_problem(site)
    if ban is None and site.companies >> stock.company & 1:
        ban = bans.SECOND_STATION
    if ban is None and not site.layout.stations[stock.terrain] >> site.ways[0][0] & 1:
        ban = bans.SURROUNDINGS
    if ban is not None:
        return IllegalAction(ban.rule, ban.sentence, company=name)
    price = station_price(geo, state, site, stock)
    return payment_range(state, seat, price) or IllegalAction(
        "station-1",
        "The station costs {price} dice from behind the screen or question marks.",
        price=price,
    )


def station_problem(geo: Geography, state: DiceState, action: BuildStation) -> IllegalAction | None:
    """Why a station cannot be built, if so."""
    return first_refusal(_station_checks(geo, state, action))


def _station_checks(
    geo: Geography, state: DiceState, action: BuildStation
) -> Iterator[IllegalAction | None]:
    """Check the station, the place and the price."""
    stock = _stock(geo.board, state, action)
    if isinstance(stock, IllegalAction):
        yield stock
        return
    yield None
    site = geo.site(state, END_NAMES.index(action.end))
    amounts = station_terms(geo, state, site, action.seat, stock)
    if isinstance(amounts, IllegalAction):
        yield amounts
        return
    yield None
    price = station_price(geo, state, site, stock)
    yield payment_problem(state, action.seat, "station-1", price, action.behind, amounts)


def stock_of(board: Board, action: BuildStation) -> Stock | None:
    """The kind of station, None if the company has no such kind."""
    company = board.company_index[action.company]
    kind = board.kind_index.get(action.terrain, -1)
    return next(
        (s for s in board.stocks_of[company] if (s.terrain, s.cost) == (kind, action.cost)), None
    )


def _stock(board: Board, state: DiceState, action: BuildStation) -> Stock | IllegalAction:
    """The kind of station, if the player has one to build."""
    company = board.company_index.get(action.company)
    if company is None:
        return IllegalAction("station-1", "There is no company {company}.", company=action.company)
    name = board.companies[company].name
    director = state.directors[company]
    if director is None:
        return IllegalAction(
            "station-1",
            "{company} has no director, and only a director builds its stations.",
            company=name,
        )
    if director != action.seat:
        return IllegalAction(
            "station-1", "Only its director builds stations of {company}.", company=name
        )
    stock = stock_of(board, action)
    if stock is None:
        return IllegalAction(
            "table-stations", "There is no such station on the card of {company}.", company=name
        )
    if not stations_left(state, stock):
        return IllegalAction(
            "station-1", "{company} has built all its stations of this kind.", company=name
        )
    return stock


def build_station(geo: Geography, state: DiceState, action: BuildStation, play: DicePlay) -> None:
    """Pay for a station, place it at the end of the line, and take the premium [station-1, station-10]."""
    board, seat, end = geo.board, action.seat, END_NAMES.index(action.end)
    site, stock = geo.site(state, end), _stock(board, state, action)
    assert isinstance(stock, Stock)
    (square, back), number = site.ways[0], site.number
    price = station_price(geo, state, site, stock)
    pay(state, seat, price, action.behind)
    if price > stock.cost:
        turn_of(state).paid.append(geo.landscape.square_at(site.land, number, square))
    state.ledger.move(stock.item, "card", "map")
    large_tile(state, number).pieces.append(Piece(square, back, -1, stock.company))
    state.ends[end] = End(number, square, -1)
    row, column, _, _ = site.land.tiles[number]
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
            square=board.names[square],
        )
    )
    notice_last_station(board, stock.company, play)
    premium(play, seat, board.economy.premium_station, "station-10")


def notice_last_station(board: Board, company: int, play: DicePlay) -> None:
    """Announce the last year when a company has built its last station [end-1]."""
    state = play.state
    if not state.ending and built(state, board, company) == board.totals[company]:
        state.ending = "company"
        play.emit(happened.EndCaused(rule="end-1", company=board.companies[company].id))
