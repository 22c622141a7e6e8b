"""Rules of Railroad Dice: turns, year end and end of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import StepRules
from kursbuch.core.state import clockwise
from kursbuch.core.words import N_
from kursbuch.games.dice import bans
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import (
    BuildStation,
    BuyShare,
    EndTurn,
    LayTrack,
    OpenTile,
    ReturnDice,
    Roll,
    Seller,
    TakeIncome,
)
from kursbuch.games.dice.components import FACES, Board, Layout
from kursbuch.games.dice.geography import chains, large_tile, station_places
from kursbuch.games.dice.state import (
    BEHIND,
    END_NAMES,
    FRONT,
    QUESTION,
    SEATS,
    SHARE,
    Bridge,
    Crossing,
    DicePlay,
    DiceState,
    FinalCount,
    Joining,
    Large,
    Opening,
    Reduction,
    Small,
    Turn,
    YearChange,
    bank_pays,
    behind,
    choice_of,
    directed,
    faces,
    front,
    held_shares,
    income,
    on_tile,
    passengers,
    players_sell,
    premium,
    share,
    shares_left,
    small,
    supply,
)
from kursbuch.games.dice.stations import build_station, station_choices, station_problem
from kursbuch.games.dice.track import BuildingRules, Outlook


class OpeningRules(StepRules[DiceState, Opening]):
    """Draw the start player [setup-7]."""

    def run(self, state: DiceState, step: Opening, play: DicePlay) -> None:
        play.done()
        state.start = play.draw(state.seats)
        play.emit(happened.StartPlayerDrawn(rule="setup-7", seat=state.start))
        play.push(Turn(state.start))


def end_turn(state: DiceState, seat: int, play: DicePlay) -> None:
    """Start the next player's turn, or the year end after the last one [turn-1, turn-4]."""
    play.done()
    state.turns += 1
    play.emit(happened.TurnEnded(rule="turn-3", seat=seat))
    if state.turns < state.seats:
        play.push(Turn((seat + 1) % state.seats))
    else:
        play.push(YearChange())


class TurnRules(BuildingRules[Turn]):
    """Income, rolling, shares, track and stations in any order [turn-2]."""

    refusal = (
        "turn-2",
        N_(
            "On your turn, take income, roll, buy shares, lay track and build stations, in any "
            "order."
        ),
    )

    def choices(self, state: DiceState, step: Turn, seat: int) -> list[Choice]:
        found: list[Choice] = []
        if self._income_problem(state, step) is None:
            found.append(Choice(TakeIncome(seat)))
        found += self._roll_choices(state, step, seat)
        found += self._share_choices(state, seat)
        for end in (0, 1):
            found += self.layer.choices(state, end)
        found += station_choices(self.geography, state, seat, (0, 1))
        found.append(Choice(EndTurn(seat)))
        return found

    def _roll_choices(self, state: DiceState, step: Turn, seat: int) -> list[Choice]:
        """Any combination of at least one die from behind the screen and question marks [roll-2]."""
        found = []
        for questions in range(front(state, seat, QUESTION) + 1):
            amounts = range(0 if questions else 1, behind(state, seat) + 1)
            least = Roll(seat, amounts.start, questions)
            if amounts and self._roll_problem(state, step, least) is None:
                found.append(choice_of(least, amounts))
        return found

    def _share_choices(self, state: DiceState, seat: int) -> list[Choice]:
        """Every share for sale can be bought with any share die or question mark."""
        sellers: tuple[Seller, ...] = ("bank", "director")
        dice = [
            question
            for question in (False, True)
            if front(state, seat, QUESTION if question else SHARE)
        ]
        return [
            Choice(BuyShare(seat, company.id, seller, question))
            for company in (self.board.companies if dice else ())
            for seller in sellers
            if not self._share_problem(state, BuyShare(seat, company.id, seller, dice[0]))
            for question in dice
        ]

    def attempts(
        self, state: DiceState, step: Turn, seat: int, keys: Sequence[str]
    ) -> Iterator[Action]:
        if keys[0].startswith("company:"):
            yield from self._of_company(state, seat, keys)
        else:
            yield from super().attempts(state, step, seat, keys)

    def _of_company(self, state: DiceState, seat: int, keys: Sequence[str]) -> Iterator[Action]:
        """Buying a share or building at an end; both if neither is selected."""
        name = keys[0].partition(":")[2]
        if name not in self.board.company_index:
            return
        ends = [end for end in END_NAMES if keys[-1].startswith(f"square:{end}:")]
        sellers: tuple[Seller, ...] = ("bank", "director")
        if len(keys) == 1:
            yield from (BuyShare(seat, name, seller) for seller in sellers)
        for stock in self.board.stocks_of[self.board.company_index[name]]:
            kind = self.board.surroundings[stock.terrain].terrain
            for end in ends or END_NAMES:
                yield BuildStation(seat, name, kind, stock.cost, end)

    def problem(self, state: DiceState, step: Turn, action: Action) -> IllegalAction | None:
        match action:
            case TakeIncome():
                return self._income_problem(state, step)
            case Roll():
                return self._roll_problem(state, step, action)
            case BuyShare():
                return self._share_problem(state, action)
            case LayTrack():
                begun = self.layer.outlook(state, END_NAMES.index(action.end))
                return self.layer.problem(state, begun, begun.site, action)
            case BuildStation():
                return station_problem(self.geography, state, action)
            case EndTurn():
                return None
            case OpenTile():
                return IllegalAction(
                    "tile-1",
                    "A new tile is chosen when a piece leads against the edge of its tile.",
                )
            case ReturnDice():
                return IllegalAction(
                    "reduce-1", "Dice are returned at the end of the turn, and only surplus ones."
                )
        return super().problem(state, step, action)

    def _income_problem(self, state: DiceState, step: Turn) -> IllegalAction | None:
        if step.income:
            return IllegalAction("income-2", "You have already taken your income this turn.")
        if state.year == 1:
            return IllegalAction("income-1", "There is no income in the first year.")
        if state.ending:
            return IllegalAction("end-5", "The bank no longer pays anything.")
        return None

    def _roll_problem(self, state: DiceState, step: Turn, action: Roll) -> IllegalAction | None:
        if step.rolled:
            return IllegalAction("roll-1", "You have already rolled this turn.")
        if not 0 <= action.behind <= behind(state, action.seat):
            return IllegalAction("roll-2", "You do not have that many dice behind your screen.")
        if not 0 <= action.questions <= front(state, action.seat, QUESTION):
            return IllegalAction(
                "roll-2", "You do not have that many question marks in front of your screen."
            )
        if not action.behind + action.questions:
            return IllegalAction("roll-2", "Choose at least one die to roll.")
        return None

    def _share_problem(self, state: DiceState, action: BuyShare) -> IllegalAction | None:
        board, seat = self.board, action.seat
        index = board.company_index.get(action.company)
        if index is None:
            return IllegalAction(
                "share-2", "There is no company {company}.", company=action.company
            )
        name = board.companies[index].name
        if not front(state, seat, QUESTION if action.question else SHARE):
            ban = bans.NO_QUESTION_TO_PAY if action.question else bans.NO_SHARE_DIE
            return IllegalAction(ban.rule, ban.sentence)
        if action.seller == "bank":
            if not shares_left(state, action.company):
                return IllegalAction(
                    "share-2", "The bank has no share of {company} left.", company=name
                )
            return None
        director = state.directors[index]
        if director == seat:
            return IllegalAction(
                "share-8",
                "You direct {company} yourself: you can buy its shares only from the bank.",
                company=name,
            )
        if not players_sell(state, board):
            return IllegalAction(
                "share-5",
                "Shares can be bought from directors once the bank has sold all shares of "
                "{count} companies.",
                count=board.sold_out[state.seats],
            )
        if director is None:
            return IllegalAction("share-7", "{company} has no director.", company=name)
        if not held_shares(state, board, index)[director]:
            return IllegalAction(
                "share-7", "The director of {company} has no share of it left.", company=name
            )
        return None

    def perform(self, state: DiceState, step: Turn, action: Action, play: DicePlay) -> None:
        match action:
            case TakeIncome(seat):
                self._take_income(state, step, seat, play)
            case Roll():
                self._roll(state, step, action, play)
            case BuyShare():
                self._buy_share(state, action, play)
            case LayTrack():
                self.layer.lay(state, action, play)
            case BuildStation():
                build_station(self.geography, state, action, play)
            case EndTurn(seat):
                surplus = sum(faces(state, seat)) - self.board.file.dice.limit_in_front
                if surplus > 0:
                    play.push(Reduction(seat))
                else:
                    end_turn(state, seat, play)

    def _take_income(self, state: DiceState, step: Turn, seat: int, play: DicePlay) -> None:
        step.income = True
        dice, in_front, rule = income(state, self.board, seat)
        if bank_pays(play, seat, dice, FRONT[seat][QUESTION] if in_front else BEHIND[seat]):
            play.emit(happened.IncomeTaken(rule=rule, seat=seat, dice=dice, front=in_front))

    def _roll(self, state: DiceState, step: Turn, action: Roll, play: DicePlay) -> None:
        """All dice end in front of the screen with the rolled faces [roll-3]."""
        seat = action.seat
        bonus = 0 if state.ending else action.questions
        if bonus > supply(state):
            # The roll does not happen [end-4].
            bank_pays(play, seat, bonus, BEHIND[seat])
            return
        step.rolled = True
        rolled = [0, 0, 0, 0]
        for _ in range(action.behind + action.questions + bonus):
            face = self.board.faces[play.draw(len(self.board.faces))]
            rolled[FACES.index(face)] += 1
        ledger = state.ledger
        ledger.move("die", BEHIND[seat], "rolling", action.behind)
        ledger.move("die", FRONT[seat][QUESTION], "rolling", action.questions)
        ledger.move("die", "supply", "rolling", bonus)
        for face_index, count in enumerate(rolled):
            ledger.move("die", "rolling", FRONT[seat][face_index], count)
        straights, curves, shares, questions = rolled
        play.emit(
            happened.Rolled(
                rule="roll-3",
                seat=seat,
                behind=action.behind,
                questions=action.questions,
                bonus=bonus,
                faces=(straights, curves, shares, questions),
            )
        )

    def _buy_share(self, state: DiceState, action: BuyShare, play: DicePlay) -> None:
        """The die goes to the bank, or behind the director's screen [share-2, share-3]."""
        seat = action.seat
        die = FRONT[seat][QUESTION if action.question else SHARE]
        director = state.directors[self.board.company_index[action.company]]
        seller = director if action.seller == "director" else None
        if seller is None:
            state.ledger.move("die", die, "supply")
            state.ledger.move(share(action.company), "supply", SEATS[seat])
        else:
            state.ledger.move("die", die, BEHIND[seller])
            state.ledger.move(share(action.company), SEATS[seller], SEATS[seat])
        play.emit(
            happened.ShareBought(
                rule="share-2" if seller is None else "share-3",
                seat=seat,
                company=action.company,
                seller=seller,
                question=action.question,
            )
        )


class ReductionRules(StepRules[DiceState, Reduction]):
    """At most five dice may stay in front of the screen [reduce-1]."""

    def __init__(self, board: Board) -> None:
        self.limit = board.file.dice.limit_in_front

    def surplus(self, state: DiceState, seat: int) -> int:
        """Number of surplus dice in front of a screen."""
        return sum(faces(state, seat)) - self.limit

    def deciders(self, state: DiceState, step: Reduction) -> Sequence[int]:
        return (step.seat,) if self.surplus(state, step.seat) > 0 else ()

    def run(self, state: DiceState, step: Reduction, play: DicePlay) -> None:
        """A correction removed the surplus."""
        play.done()
        end_turn(state, step.seat, play)

    def candidates(self, state: DiceState, step: Reduction, seat: int) -> Iterator[Choice]:
        has, surplus = faces(state, seat), self.surplus(state, seat)
        for straights, curves, shares in product(*(range(count + 1) for count in has[:3])):
            questions = surplus - straights - curves - shares
            if questions >= 0:
                yield Choice(ReturnDice(seat, straights, curves, shares, questions))

    def problem(self, state: DiceState, step: Reduction, action: Action) -> IllegalAction | None:
        has, surplus = faces(state, step.seat), self.surplus(state, step.seat)
        if not isinstance(action, ReturnDice):
            return IllegalAction(
                "reduce-1",
                "Your turn is over: first return dice until {n} are left in front of your screen.",
                n=self.limit,
            )
        counts = action.counts
        if any(not 0 <= count <= held for count, held in zip(counts, has, strict=True)):
            return IllegalAction("reduce-1", "You do not have these dice in front of your screen.")
        if sum(counts) > surplus:
            return IllegalAction(
                "reduce-1",
                "Only surplus dice are returned: {n} stay in front of your screen.",
                n=self.limit,
            )
        if sum(counts) < surplus:
            return IllegalAction(
                "reduce-1", "At most {n} dice may stay in front of your screen.", n=self.limit
            )
        return None

    def perform(self, state: DiceState, step: Reduction, action: Action, play: DicePlay) -> None:
        assert isinstance(action, ReturnDice)
        counts = action.counts
        for face, count in enumerate(counts):
            state.ledger.move("die", FRONT[step.seat][face], "supply", count)
        play.emit(happened.DiceReturned(rule="reduce-1", seat=step.seat, faces=counts))
        play.done()
        end_turn(state, step.seat, play)


class BridgeRules(BuildingRules[Bridge]):
    """Continue the line over water until a piece or station is on land [lake-3]."""

    def choices(self, state: DiceState, step: Bridge, seat: int) -> list[Choice]:
        stations = station_choices(self.geography, state, seat, (step.end,))
        return self.layer.choices(state, step.end) + stations

    def problem(self, state: DiceState, step: Bridge, action: Action) -> IllegalAction | None:
        if (
            not isinstance(action, LayTrack | BuildStation)
            or END_NAMES.index(action.end) != step.end
        ):
            return IllegalAction("lake-3", "The bridge you have begun must be finished first.")
        if isinstance(action, BuildStation):
            return station_problem(self.geography, state, action)
        begun = self.layer.outlook(state, step.end)
        return self.layer.problem(state, begun, begun.site, action)

    def perform(self, state: DiceState, step: Bridge, action: Action, play: DicePlay) -> None:
        play.done()
        match action:
            case LayTrack():
                self.layer.lay(state, action, play)
            case BuildStation():
                build_station(self.geography, state, action, play)


class CrossingRules(BuildingRules[Crossing]):
    """Choose a new tile whose small counterpart fits the landscape [tile-1]."""

    def choices(self, state: DiceState, step: Crossing, seat: int) -> list[Choice]:
        begun = self.layer.outlook(state, step.end)
        return [
            Choice(OpenTile(seat, self.board.tiles[layout.tile].id, layout.rotation))
            for layouts in self.board.layouts
            for layout in layouts
            if self._problem(state, step, begun, layout) is None
        ]

    def problem(self, state: DiceState, step: Crossing, action: Action) -> IllegalAction | None:
        board = self.board
        if not isinstance(action, OpenTile):
            return IllegalAction("tile-1", "First choose the new tile beyond the edge.")
        tile = board.tile_index.get(action.tile)
        if tile is None:
            return IllegalAction("tile-3", "There is no tile {tile}.", tile=action.tile)
        if action.rotation not in [layout.rotation for layout in board.layouts[tile]]:
            return IllegalAction(
                "tile-5", "The tile looks the same in a position with a smaller number of turns."
            )
        begun = self.layer.outlook(state, step.end)
        return self._problem(state, step, begun, board.layout(tile, action.rotation))

    def _problem(
        self, state: DiceState, step: Crossing, begun: Outlook, layout: Layout
    ) -> IllegalAction | None:
        """Why a tile cannot be chosen in this rotation, if so."""
        site, landscape = begun.site, self.geography.landscape
        if not site.land.left[layout.tile]:
            return IllegalAction("tile-3", "All small tiles of this type are in the landscape.")
        place = landscape.beyond(site.land, site.number, site.leaves)
        if layout not in landscape.fitting(site.land, *place):
            meets = landscape.layout(site.land, site.number).sides[site.leaves]
            if layout.sides[(site.leaves + 2) % 4] != meets:
                return IllegalAction(
                    "tile-4", "The two tiles have no terrain in common where they meet."
                )
            return IllegalAction(
                "tile-5", "The small tile does not match its neighbours in the landscape."
            )
        new = self.geography.connected(site, layout.tile, layout.rotation)
        if not self.layer.pieces(state, begun, new, step.end):
            return IllegalAction("tile-7", "You cannot lay a connecting piece on this tile.")
        return None

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


class JoiningRules(BuildingRules[Joining]):
    """A piece on the new tile joins it to the line, which connects the tile [tile-7]."""

    def choices(self, state: DiceState, step: Joining, seat: int) -> list[Choice]:
        begun = self.layer.outlook(state, step.end)
        return self.layer.pieces(state, begun, self.geography.joining(state, step), step.end)

    def problem(self, state: DiceState, step: Joining, action: Action) -> IllegalAction | None:
        if not isinstance(action, LayTrack) or END_NAMES.index(action.end) != step.end:
            return IllegalAction("tile-7", "First lay a piece on the new tile.")
        begun = self.layer.outlook(state, step.end)
        return self.layer.problem(state, begun, self.geography.joining(state, step), action)

    def perform(self, state: DiceState, step: Joining, action: Action, play: DicePlay) -> None:
        assert isinstance(action, LayTrack)
        board, seat, end = self.board, step.seat, step.end
        site = self.geography.joining(state, step)
        old = state.ends[end].small
        tile = board.tiles[step.tile].id
        row, column, _, _ = site.land.tiles[site.number]
        state.large.append(Large(site.number, []))
        state.ledger.move(small(tile), "supply", "landscape")
        state.landscape.append(Small(row, column, step.tile, step.rotation))
        self.layer.put(state, site, action, play)
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
        # The first tile stays until both ends have left it [tile-11].
        if state.ends[1 - end].small != old:
            self._clear(state, old, play)
        play.done()
        self.layer.check_end(state, play)
        if premium(play, seat, board.economy.premium_new_tile, "tile-10"):
            self.layer.go_on(state, seat, end, play)

    def _clear(self, state: DiceState, number: int, play: DicePlay) -> None:
        """Return dice to the bank and move stations to the small tile [tile-10]."""
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


def carry_passengers(state: DiceState, board: Board, play: DicePlay) -> None:
    """Pay each director as many counters as the company's longest chain of stations [passenger-1 to passenger-5]."""
    places = station_places(state)
    for index, company in enumerate(board.companies):
        length = chains(places, index)
        if not length:
            continue
        seat = state.directors[index]
        play.emit(
            happened.ChainCounted(rule="passenger-1", company=company.id, length=length, seat=seat)
        )
        if seat is None:
            continue
        state.ledger.move("passengers", "bank", SEATS[seat], length)
        play.emit(
            happened.PassengersCarried(
                rule="passenger-3",
                secret_to=(seat,),
                amounts=tuple(length if other == seat else 0 for other in range(state.seats)),
                company=company.id,
                seat=seat,
                total=passengers(state, seat),
            )
        )


def director(state: DiceState, board: Board, company: int) -> int | None:
    """Director of a company by its current shares: the most shares; ties go to the present director, then clockwise
    from him [director-1 to director-3]."""
    held = held_shares(state, board, company)
    most = max(held)
    if not most:
        return None
    # Clockwise from and including the present director, otherwise from the start player.
    present = state.directors[company]
    first = state.start if present is None else present
    return next(seat for seat in clockwise(state, first) if held[seat] == most)


def appoint_directors(state: DiceState, board: Board, play: DicePlay) -> None:
    """Appoint all directors at once; losing the last directorship gives special income [income-5]."""
    had = [bool(directed(state, seat)) for seat in range(state.seats)]
    new = [director(state, board, company) for company in range(len(board.companies))]
    for company, seat in enumerate(new):
        previous = state.directors[company]
        if seat != previous:
            play.emit(
                happened.DirectorAppointed(
                    rule="director-1",
                    company=board.companies[company].id,
                    seat=seat,
                    previous=previous,
                )
            )
    state.directors[:] = new
    state.fallen[:] = [had[seat] and seat not in new for seat in range(state.seats)]


class YearChangeRules(StepRules[DiceState, YearChange]):
    """Passengers, directors and start player, in this order [year-1]."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def run(self, state: DiceState, step: YearChange, play: DicePlay) -> None:
        play.done()
        if state.ending:
            # The final count replaces the year end [end-5].
            play.push(FinalCount())
            return
        carry_passengers(state, self.board, play)
        appoint_directors(state, self.board, play)
        state.start = (state.start + 1) % state.seats
        state.year += 1
        state.turns = 0
        play.emit(happened.YearBegun(rule="startplayer-1", year=state.year, seat=state.start))
        play.push(Turn(state.start))


class FinalCountRules(StepRules[DiceState, FinalCount]):
    """Count passengers once more, then lift the screens [end-5, end-6, win-1]."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def run(self, state: DiceState, step: FinalCount, play: DicePlay) -> None:
        play.done()
        carry_passengers(state, self.board, play)
        seats = range(state.seats)
        play.emit(
            happened.ScreensLifted(
                rule="win-1",
                passengers=tuple(passengers(state, seat) for seat in seats),
                questions=tuple(faces(state, seat)[QUESTION] for seat in seats),
                dice=tuple(all_dice(state, seat) for seat in seats),
            )
        )


def all_dice(state: DiceState, seat: int) -> int:
    """A player's dice in front of and behind the screen."""
    return sum(faces(state, seat)) + behind(state, seat)


def winners(state: DiceState) -> tuple[int, ...]:
    """Most passengers, then most question marks in front, then most dice; further ties share the victory [win-1,
    win-2]."""
    ranks = [
        (passengers(state, seat), faces(state, seat)[QUESTION], all_dice(state, seat))
        for seat in range(state.seats)
    ]
    return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
