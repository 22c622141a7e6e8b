"""The sentences of Railroad Dice: log lines, prompts, choices, holdings."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.title import Decision, Panel, Pick, Row
from kursbuch.core.words import N_, Words
from kursbuch.dice import events as happened
from kursbuch.dice.actions import (
    BuildStation,
    BuyShare,
    EndTurn,
    LayTrack,
    OpenTile,
    ReturnDice,
    Roll,
    TakeIncome,
)
from kursbuch.dice.components import SIDES, Board
from kursbuch.dice.holdings import behind, built, faces, held_shares, income, supply
from kursbuch.dice.landscape import chains, station_places
from kursbuch.dice.state import (
    BEHIND,
    CURVE,
    END_NAMES,
    QUESTION,
    SEATS,
    STRAIGHT,
    Bridge,
    Crossing,
    DiceState,
    Joining,
    Reduction,
    Turn,
    share,
    small,
)

TILE_NAMES = {
    "meadow": N_("meadow"),
    "lake": N_("lake"),
    "mountain2": N_("mountain on two sides"),
    "mountain3": N_("mountain on three sides"),
}
TERRAIN_NAMES = {
    "meadow": N_("meadow"),
    "lake": N_("lake"),
    "mountain": N_("mountain"),
}
SIDE_NAMES = {"N": N_("north"), "E": N_("east"), "S": N_("south"), "W": N_("west")}
#: The faces of dice in keys of the board.
FACE_KEYS = ("straight", "curve", "share", "question")


def tile_name(tile: str, words: Words) -> str:
    """The name of a type of tile."""
    return words._(TILE_NAMES[tile]) if tile in TILE_NAMES else tile


def terrain_name(terrain: str, words: Words) -> str:
    """The name of a kind of surroundings."""
    return words._(TERRAIN_NAMES[terrain]) if terrain in TERRAIN_NAMES else terrain


def company_name(board: Board, company: str) -> str:
    """The name of a company."""
    return board.companies[board.company_index[company]].name


def dice_list(counts: Sequence[int], words: Words) -> str:
    """Dice by their faces, in words."""
    straights, curves, shares, questions = counts
    parts = [
        words.ngettext("{n} straight", "{n} straights", straights) if straights else "",
        words.ngettext("{n} curve", "{n} curves", curves) if curves else "",
        words.ngettext("{n} share", "{n} shares", shares) if shares else "",
        words.ngettext("{n} question mark", "{n} question marks", questions) if questions else "",
    ]
    return words.join([part for part in parts if part])


# ---- log


def describe(event: Event, board: Board, words: Words) -> str:
    """The log line of an event."""
    match event:
        case happened.StartPlayerDrawn(seat=seat):
            return words._("{name} is drawn as start player.", name=words.name(seat))
        case happened.IncomeTaken(seat=seat, dice=dice, front=front):
            if front:
                return words.ngettext(
                    "{name} lost the last directorship and takes {n} question mark as income.",
                    "{name} lost the last directorship and takes {n} question marks as income.",
                    dice,
                    name=words.name(seat),
                )
            return words.ngettext(
                "{name} takes {n} die as income.",
                "{name} takes {n} dice as income.",
                dice,
                name=words.name(seat),
            )
        case happened.Rolled():
            return _rolled(event, words)
        case happened.ShareBought(seat=seat, company=company, seller=seller):
            name, company = words.name(seat), company_name(board, company)
            if seller < 0:
                return words._(
                    "{name} buys a share of {company} from the bank.", name=name, company=company
                )
            return words._(
                "{name} buys a share of {company} from {other}.",
                name=name,
                company=company,
                other=words.name(seller),
            )
        case happened.SurchargePaid(seat=seat, lake=lake, dice=dice):
            if lake:
                return words.ngettext(
                    "{name} pays {n} die for a bridge.",
                    "{name} pays {n} dice for a bridge.",
                    dice,
                    name=words.name(seat),
                )
            return words.ngettext(
                "{name} pays {n} die for building on the mountain.",
                "{name} pays {n} dice for building on the mountain.",
                dice,
                name=words.name(seat),
            )
        case happened.TrackLaid(seat=seat, end=end, square=square, curve=curve):
            name = words.name(seat)
            if curve:
                return words._(
                    "{name} lays a curve on {square} at end {end}.",
                    name=name,
                    square=square,
                    end=end,
                )
            return words._(
                "{name} lays a straight on {square} at end {end}.",
                name=name,
                square=square,
                end=end,
            )
        case happened.TileOpened(seat=seat, end=end, tile=tile):
            return words._(
                "{name} chooses a new tile at end {end}: {tile}.",
                name=words.name(seat),
                end=end,
                tile=tile_name(tile, words),
            )
        case happened.TileConnected(end=end, tile=tile):
            return words._(
                "The new tile is connected to end {end}: {tile}.",
                end=end,
                tile=tile_name(tile, words),
            )
        case happened.TileCleared(dice=dice, companies=companies):
            return _cleared(dice, companies, board, words)
        case happened.PremiumTaken(seat=seat, dice=dice):
            return words.ngettext(
                "{name} receives {n} question mark as a premium.",
                "{name} receives {n} question marks as a premium.",
                dice,
                name=words.name(seat),
            )
        case happened.StationBuilt():
            return words.ngettext(
                "{name} builds a station of {company} on {square} at end {end} for {n} die "
                "({terrain}).",
                "{name} builds a station of {company} on {square} at end {end} for {n} dice "
                "({terrain}).",
                event.cost,
                name=words.name(event.seat),
                company=company_name(board, event.company),
                square=event.square,
                end=event.end,
                terrain=terrain_name(event.terrain, words),
            )
        case happened.DiceReturned(seat=seat, faces=counts):
            return words._(
                "{name} returns {dice}.", name=words.name(seat), dice=dice_list(counts, words)
            )
        case happened.TurnEnded(seat=seat):
            return words._("{name} ends the turn.", name=words.name(seat))
        case happened.ChainCounted():
            return _chain(event, board, words)
        case happened.PassengersCarried(amounts=amounts, company=company, seat=seat, total=total):
            return words._(
                "{name} now has {total} passengers, {amount} of them new, from {company}.",
                name=words.name(seat),
                company=company_name(board, company),
                total=words.number(total * board.economy.passengers_per_station),
                amount=words.number(amounts[seat] * board.economy.passengers_per_station),
            )
        case happened.DirectorAppointed(company=company, seat=seat):
            if seat < 0:
                return words._(
                    "{company} has no director any more.", company=company_name(board, company)
                )
            return words._(
                "{name} becomes director of {company}.",
                name=words.name(seat),
                company=company_name(board, company),
            )
        case happened.YearBegun(year=year, seat=seat):
            return words._(
                "Year {year} begins; {name} starts.",
                year=words.number(year),
                name=words.name(seat),
            )
        case happened.EndCaused(company=company):
            if company:
                return words._(
                    "{company} has built its last station: this is the last year, and the bank "
                    "pays nothing any more.",
                    company=company_name(board, company),
                )
            return words._(
                "Neither end of the line can leave its tile: this is the last year, and the bank "
                "pays nothing any more."
            )
        case happened.BankBroken(seat=seat, due=due, left=left):
            return words.ngettext(
                "{name} should receive {due} dice, but the bank has only {n}: the bank is broken "
                "and the game ends at once.",
                "{name} should receive {due} dice, but the bank has only {n}: the bank is broken "
                "and the game ends at once.",
                left,
                name=words.name(seat),
                due=due,
            )
        case happened.ScreensLifted(passengers=passengers):
            return words._(
                "The screens are lifted: {list}.",
                list=", ".join(
                    f"{words.name(seat)} {words.number(count * board.economy.passengers_per_station)}"
                    for seat, count in enumerate(passengers)
                ),
            )
    raise TypeError(f"not an event of this game: {event!r}")


def _rolled(event: happened.Rolled, words: Words) -> str:
    result = dice_list(event.faces, words)
    total = event.behind + event.questions + event.bonus
    if event.bonus:
        return words.ngettext(
            "{name} rolls {n} die, {bonus} from the bank: {result}.",
            "{name} rolls {n} dice, {bonus} from the bank: {result}.",
            total,
            name=words.name(event.seat),
            bonus=event.bonus,
            result=result,
        )
    return words.ngettext(
        "{name} rolls {n} die: {result}.",
        "{name} rolls {n} dice: {result}.",
        total,
        name=words.name(event.seat),
        result=result,
    )


def _cleared(dice: int, companies: Sequence[str], board: Board, words: Words) -> str:
    if not companies:
        return words.ngettext(
            "The tile left behind is cleared: {n} die goes to the bank.",
            "The tile left behind is cleared: {n} dice go to the bank.",
            dice,
        )
    return words.ngettext(
        "The tile left behind is cleared: {n} die goes to the bank, the stations of {companies} "
        "stay in the landscape.",
        "The tile left behind is cleared: {n} dice go to the bank, the stations of {companies} "
        "stay in the landscape.",
        dice,
        companies=words.join([company_name(board, company) for company in companies]),
    )


def _chain(event: happened.ChainCounted, board: Board, words: Words) -> str:
    company = company_name(board, event.company)
    if event.seat < 0:
        return words.ngettext(
            "{company}: the longest chain is {n} station, but there is no director.",
            "{company}: the longest chain is {n} stations, but there is no director.",
            event.length,
            company=company,
        )
    return words.ngettext(
        "{company}: the longest chain is {n} station; its passengers go to {name}.",
        "{company}: the longest chain is {n} stations; their passengers go to {name}.",
        event.length,
        company=company,
        name=words.name(event.seat),
    )


# ---- decisions


def prompt(state: DiceState, board: Board, decision: Decision, words: Words) -> str:
    """What the seat has to decide now."""
    match state.agenda[-1]:
        case Turn(seat=seat, income=taken, rolled=rolled):
            straights, curves, shares, questions = faces(state, seat)
            hidden = behind(state, seat)
            parts = [
                words._("take income") if not taken and state.year > 1 and not state.ending else "",
                words._("roll") if not rolled and hidden + questions else "",
                words._("buy shares") if shares + questions else "",
                words._("lay track") if straights + curves + questions else "",
                words._("build stations") if seat in state.directors and hidden + questions else "",
            ]
            if not any(parts):
                return words._("There is nothing else to do: end the turn.")
            listed = ", ".join(part for part in parts if part)
            return words._("In any order: {list}. Then end the turn.", list=listed)
        case Bridge(end=end):
            return words._(
                "Bring end {end} of the line over the water to land.", end=END_NAMES[end]
            )
        case Crossing(end=end):
            return words._(
                "Choose the new tile on which end {end} of the line goes on.", end=END_NAMES[end]
            )
        case Joining(end=end):
            return words._(
                "Lay a piece on the new tile that joins it to end {end}.", end=END_NAMES[end]
            )
        case Reduction(seat=seat):
            surplus = sum(faces(state, seat)) - board.file.dice.limit_in_front
            return words.ngettext(
                "Return {n} die to the bank: at most {limit} may stay in front of your screen.",
                "Return {n} dice to the bank: at most {limit} may stay in front of your screen.",
                surplus,
                limit=board.file.dice.limit_in_front,
            )
    return ""


def pick(state: DiceState, board: Board, action: Action, words: Words) -> Pick:
    """How an action is pointed at on the board, and its text."""
    match action:
        case TakeIncome():
            dice, in_front, _ = income(state, board, action.seat)
            label = words.ngettext(
                "Take income: {n} die behind the screen",
                "Take income: {n} dice behind the screen",
                dice,
            )
            if in_front:
                label = words.ngettext(
                    "Take income: {n} question mark", "Take income: {n} question marks", dice
                )
            return Pick(words._("Income"), ("income",), label)
        case Roll(_, _, questions):
            label = (
                words.ngettext(
                    "Roll with {n} question mark", "Roll with {n} question marks", questions
                )
                if questions
                else words._("Roll dice from behind the screen")
            )
            return Pick(words._("Roll"), ("roll", f"roll:{questions}"), label)
        case BuyShare(_, company, seller, question):
            name = company_name(board, company)
            if seller == "bank":
                label = words._("Buy a share of {company} from the bank", company=name)
            else:
                director = state.directors[board.company_index[company]]
                label = words._(
                    "Buy a share of {company} from {name}", company=name, name=words.name(director)
                )
            keys = (f"company:{company}", f"buy:{seller}:{'question' if question else 'share'}")
            return Pick(words._("Buy shares"), keys, _with_die(label, question, words))
        case LayTrack(_, end, square, side, question, _):
            curve = _is_curve(state, board, action)
            label = words._(
                "End {end}: {piece} on {square} towards the {side}",
                end=end,
                piece=words._("curve") if curve else words._("straight"),
                square=square,
                side=words._(SIDE_NAMES[side]),
            )
            way: tuple[str, ...] = (f"square:{end}:{square}", f"exit:{end}:{square}:{side}")
            straights, curves, _, questions = faces(state, action.seat)
            if questions and (curves if curve else straights):
                # Which die is to be used is a choice of its own.
                face = QUESTION if question else CURVE if curve else STRAIGHT
                way = (*way, f"die:{FACE_KEYS[face]}")
            return Pick(words._("Lay track"), way, _with_die(label, question, words))
        case OpenTile(_, tile, rotation):
            label = words._("New tile: {tile}", tile=tile_name(tile, words))
            layout = board.layout(board.tile_index[tile], rotation)
            if len(set(layout.sides)) > 1:
                mountains = [
                    words._(SIDE_NAMES[side])
                    for side, terrain in zip(SIDES, layout.sides, strict=True)
                    if terrain == "mountain"
                ]
                label = words._(
                    "New tile: {tile} ({sides})",
                    tile=tile_name(tile, words),
                    sides=", ".join(mountains),
                )
            return Pick(words._("New tile"), (f"tile:{tile}:{rotation}",), label)
        case BuildStation(_, company, terrain, cost, end, _):
            label = words.ngettext(
                "Build a station of {company} at end {end} ({terrain}, {n} die)",
                "Build a station of {company} at end {end} ({terrain}, {n} dice)",
                cost,
                company=company_name(board, company),
                end=end,
                terrain=terrain_name(terrain, words),
            )
            # The square is the only one the end points to.
            here = state.ends[END_NAMES.index(end)]
            square = board.names[board.neighbours[here.square][here.front]]
            place = (f"company:{company}", f"square:{end}:{square}", f"station:{terrain}:{cost}")
            return Pick(words._("Build a station"), place, label)
        case ReturnDice(_, straights, curves, shares, questions):
            counts = (straights, curves, shares, questions)
            return Pick(
                words._("Return dice"),
                tuple(
                    f"die:{name}"
                    for name, count in zip(FACE_KEYS, counts, strict=True)
                    for _ in range(count)
                ),
                words._("Return {dice}", dice=dice_list(counts, words)),
                several=True,
            )
        case EndTurn():
            return Pick(words._("End the turn"), ("end-turn",), words._("End the turn"))
    raise TypeError(f"not an action of this game: {action!r}")


def _is_curve(state: DiceState, board: Board, action: LayTrack) -> bool:
    """Whether a piece that can be laid is a curve."""
    here, side = state.ends[END_NAMES.index(action.end)], SIDES.index(action.side)
    if here.front >= 0:
        return side != here.front
    # The line leaves a station.
    return side != board.neighbours[here.square].index(board.square_index[action.square])


def amount_label(action: Action, words: Words) -> str:
    """What the amount that goes with an action counts."""
    if isinstance(action, Roll):
        return words._("Dice from behind the screen")
    return words._("Of the dice to be paid, from behind the screen")


def _with_die(label: str, question: bool, words: Words) -> str:
    return words._("{action}, with a question mark", action=label) if question else label


def marks(events: Sequence[Event]) -> list[str]:
    """The elements the board points out after these events."""
    found: list[str] = []
    for event in events:
        match event:
            case happened.TrackLaid() | happened.StationBuilt():
                found.append(f"square:{event.end}:{event.square}")
            case happened.TileConnected(row=row, column=column):
                found.append(f"place:{row}:{column}")
            case happened.ShareBought(company=company):
                found.append(f"company:{company}")
    return list(dict.fromkeys(found))


# ---- holdings


def panels(state: DiceState, board: Board, words: Words) -> list[Panel]:
    """What every player holds, the companies, and the bank."""
    found = [_player_panel(state, board, seat, words) for seat in range(state.seats)]
    return [*found, _companies_panel(state, board, words), _bank_panel(state, board, words)]


def _player_panel(state: DiceState, board: Board, seat: int, words: Words) -> Panel:
    hidden = seat in state.screened
    count = state.ledger.held("passengers", SEATS[seat]) * board.economy.passengers_per_station
    in_front = faces(state, seat)
    rows = [
        Row(words._("Passengers"), "–" if hidden else words.number(count)),
        Row(
            words._("Dice behind the screen"),
            "–" if hidden else str(state.ledger.held("die", BEHIND[seat])),
        ),
        Row(
            words._("Dice in front"),
            str(sum(in_front)),
            "",
            dice_list(in_front, words) if any(in_front) else "",
        ),
    ]
    for index, company in enumerate(board.companies):
        held = held_shares(state, board, index)[seat]
        director = state.directors[index] == seat
        if held or director:
            note = words._("director") if director else ""
            label = words._("Shares of {company}", company=company.name)
            rows.append(Row(label, str(held), f"company:{company.id}", note))
    if state.start == seat and state.agenda:
        rows.append(Row(words._("Start player"), words._("this year")))
    return Panel(words.name(seat), seat, tuple(rows))


def _companies_panel(state: DiceState, board: Board, words: Words) -> Panel:
    places = station_places(state)
    rows = []
    for index, company in enumerate(board.companies):
        left = state.ledger.held(share(company.id), "supply")
        director = state.directors[index]
        parts = [
            words._("director {name}", name=words.name(director))
            if director >= 0
            else words._("no director"),
            words._(
                "{built} of {all} stations built",
                built=built(state, board, index),
                all=board.totals[index],
            ),
        ]
        stations = [
            f"{terrain_name(board.surroundings[stock.terrain].terrain, words)} "
            f"{count} × {stock.cost}"
            for stock in board.stocks_of[index]
            if (count := state.ledger.held(stock.item, "card"))
        ]
        if stations:
            parts.append(words._("left: {list}", list=", ".join(stations)))
        chain = chains(places, index)
        if chain:
            parts.append(words._("longest chain {n}", n=chain))
        rows.append(
            Row(
                company.name,
                words.ngettext("{n} share in the bank", "{n} shares in the bank", left),
                f"company:{company.id}",
                "; ".join(parts),
            )
        )
    return Panel(words._("Companies"), None, tuple(rows))


def _bank_panel(state: DiceState, board: Board, words: Words) -> Panel:
    rows = [Row(words._("Year"), words.number(state.year))]
    rows.append(Row(words._("Dice in the bank"), str(supply(state))))
    for tile in board.tiles:
        rows.append(
            Row(
                words._("Small tiles: {tile}", tile=tile_name(tile.id, words)),
                str(state.ledger.held(small(tile.id), "supply")),
                f"stock:{tile.id}",
            )
        )
    return Panel(words._("Bank"), None, tuple(rows))
