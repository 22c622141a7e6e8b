"""What an 18xx game is asked and how its pieces move: holdings, prices, directors, companies going
into operation. A title overrides what differs.

Names in brackets are those of rules; the index of a title says which of its rules states each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.core.play import Play
from kursbuch.eighteen import events as happened
from kursbuch.eighteen.map.tiles import Fit, fits, kept, shown
from kursbuch.eighteen.map.track import Laid, Position, Station
from kursbuch.eighteen.pieces import (
    BANK,
    BOX,
    EXCHANGE,
    MAP,
    PACKET,
    PERCENT,
    PLAYERS,
    POOL,
    STACK,
    Components,
    PhaseRecord,
)
from kursbuch.eighteen.state import Company, EighteenState, Home, Limits, Swap

StateT = TypeVar("StateT", bound="EighteenState[Any]")
ComponentsT = TypeVar("ComponentsT", bound=Components)


#: So many positions of the map are kept for the next question about them.
_POSITIONS = 64

#: Runs as `RunEvent` has them: train, value, and hex, stop and value of every call.
Runs = tuple[tuple[str, int, tuple[tuple[str, int, int], ...]], ...]


class TileRight(NamedTuple):
    """A private railway lets a company lay a free tile on a hex."""

    private: str
    hex: str


class StationRight(NamedTuple):
    """A private railway lets a company place a free marker in a stop."""

    private: str
    hex: str
    stop: int


def player(holder: str) -> int:
    """The seat of a holder, -1 if it is no player."""
    return int(holder[1:]) if holder[0] == "p" and holder[1:].isdigit() else -1


class Kernel(Generic[StateT, ComponentsT]):
    """The components of a game with everything that is asked about a state and done to it.

    Methods that take a `Play` change its state and report events; the others change nothing.
    """

    #: Who holds so many percent of a company may take shares of it from others; 0: nobody may.
    nationalise_from: ClassVar[int] = 0
    #: The rules that give private railways the right to a tile, and to a marker.
    tile_right_rules: ClassVar[Mapping[str, str]] = {}
    station_right_rules: ClassVar[Mapping[str, str]] = {}

    def __init__(self, components: ComponentsT) -> None:
        self.components = components
        self.chart = components.chart
        self.public = components.public
        papers = (*components.privates, *components.minors)
        self._papers = [f"paper:{paper}" for paper in papers]
        self._papers += [item for public in self.public.values() for item, _, _ in public.items]
        self._paper_limits = {row.players: row.papers for row in components.file.setup.players}
        self._positions: dict[object, Position] = {}
        self._fits: dict[object, tuple[Fit, ...]] = {}
        self._distances: dict[tuple[str, str, bool], int] = {}
        board = components.board
        self._looks = [
            (face.colour, face.label, face.shape(), record.first_phase is None)
            for face, record in zip(board.printed, board.records, strict=True)
        ]

    # ---- players

    def left_of(self, state: StateT, seat: int) -> int:
        """The next player clockwise who is still in the game [turns-clockwise]."""
        for step in range(1, state.seats + 1):
            other = (seat + step) % state.seats
            if other not in state.out:
                return other
        return seat

    def around(self, state: StateT, seat: int) -> list[int]:
        """All players still in the game, clockwise, from this seat on."""
        order = [(seat + step) % state.seats for step in range(state.seats)]
        return [other for other in order if other not in state.out]

    def money(self, state: StateT, holder: str) -> int:
        """What somebody has."""
        return state.ledger.held("money", holder)

    def cash(self, state: StateT, seat: int) -> int:
        """A player's money."""
        return state.ledger.held("money", PLAYERS[seat])

    def noted(self, state: StateT, holder: str) -> int:
        """What the bank could not pay somebody: a player gets it at the final scoring [bank-broken]."""
        return state.ledger.held("note", holder)

    def wealth(self, state: StateT, seat: int) -> int:
        """What a player has at the final scoring: cash, noted credits, shares [final-worth]."""
        return self.cash(state, seat) + self.noted(state, PLAYERS[seat]) + self.worth(state, seat)

    # ---- holdings

    def certificates(self, state: StateT, holder: str, company: str) -> dict[str, int]:
        """The certificates of a company that somebody has, the largest first, the director's before
        others of its size."""
        items = state.ledger.items
        found = {}
        for item, name, _ in self.public[company].items:
            count = items[item].get(holder, 0)
            if count:
                found[name] = count
        return found

    def percent(self, state: StateT, holder: str, company: str) -> int:
        """The percentage of a company that somebody has."""
        items = state.ledger.items
        total = 0
        for item, _, percent in self.public[company].items:
            row = items[item]
            if holder in row:
                total += percent * row[holder]
        return total

    def unsold(self, state: StateT, company: str) -> int:
        """The percentage that no player has ever had, exchange shares included."""
        return sum(self.percent(state, holder, company) for holder in (STACK, PACKET, EXCHANGE))

    def papers(self, state: StateT, seat: int) -> list[str]:
        """The private railways and minors a player owns."""
        holder = PLAYERS[seat]
        return [
            paper
            for paper in (*self.components.privates, *self.components.minors)
            if state.ledger.items[f"paper:{paper}"].get(holder)
        ]

    def owner(self, state: StateT, paper: str) -> int:
        """Who owns a private railway or minor, -1 if no player does."""
        for holder in state.ledger.items[f"paper:{paper}"]:
            if player(holder) >= 0:
                return player(holder)
        return -1

    def count_papers(self, state: StateT, seat: int) -> int:
        """How many papers count against a player's limit [certificate-limit]."""
        holder = PLAYERS[seat]
        items = state.ledger.items
        count = 0
        for item in self._papers:
            row = items[item]
            if holder in row:
                count += row[holder]
        return count

    def paper_limit(self, state: StateT, seat: int) -> int:
        """How many papers a player may have: one more for every company of which he holds at least
        80 percent [certificate-limit, certificate-limit-raised]."""
        limit = self._paper_limits[state.seats]
        for company in self.public:
            if self.percent(state, PLAYERS[seat], company) >= 80:
                limit += 1
        return limit

    # ---- trade

    def top(self, state: StateT, company: str) -> str:
        """The certificate that is sold next of a company's new shares, empty if none is left."""
        items = state.ledger.items
        kinds = self.public[company].kinds
        return next((name for name in kinds if items[f"{company}:{name}"].get(STACK)), "")

    def offered(self, state: StateT) -> list[tuple[str, str]]:
        """The new shares on offer, as companies and certificates."""
        return [
            (company, top) for company in self.public if (top := self.top(state, company)) != ""
        ]

    def not_offered(self, state: StateT, company: str, certificate: str) -> IllegalAction:
        """Why a certificate is not among the new shares on offer [new-share]."""
        top = self.top(state, company)
        if not top:
            return IllegalAction(
                "new-share", "There are no new shares of {company} left.", company=company
            )
        return IllegalAction(
            "new-share",
            "The next new share of {company} is the certificate {certificate}.",
            company=company,
            certificate=top,
        )

    def saleable(self, state: StateT, company: str) -> bool:
        """Whether shares of a company may be sold [saleable]."""
        return state.companies[company].worked

    def one_price(self, state: StateT) -> bool:
        """Whether all sales of one company in one turn of a stock round are made at the price of
        the first, as one sale."""
        return False

    def pays_beyond_bank(self, state: StateT) -> bool:
        """Whether payments are made in full when the bank has no money left."""
        return False

    def as_rails(self, state: StateT) -> bool:
        """Whether amounts and sales are those of the program Rails-18xx where it differs from the
        book."""
        return False

    def next_priority(self, state: StateT) -> int:
        """Who gets the priority marker if the stock round ends now: the player to the left of the
        last buyer [priority]."""
        buyer = state.round.buyer
        return self.left_of(state, buyer) if buyer >= 0 else state.priority

    # ---- companies

    def is_minor(self, company: str) -> bool:
        """Whether it is a company with one owner."""
        return company in self.components.minors

    def director(self, state: StateT, company: str) -> int:
        """The holder of the director's certificate, -1 if no player has it [director]."""
        for holder in state.ledger.items[self.public[company].items[0][0]]:
            if player(holder) >= 0:
                return player(holder)
        return -1

    def decider(self, state: StateT, company: str) -> int:
        """Who acts for a company: the owner of a minor, the director, or for the time being the
        player with most shares [minor-starts, one-director, no-director]."""
        if self.is_minor(company):
            return self.owner(state, company)
        director = self.director(state, company)
        if director >= 0:
            return director
        return max(
            self.around(state, state.priority),
            key=lambda seat: self.percent(state, PLAYERS[seat], company),
        )

    def price(self, state: StateT, company: str) -> int:
        """The market price of 10 percent of a company, 0 if it has none."""
        cell = state.companies[company].cell
        return self.chart.price[cell] if cell else 0

    def value(self, state: StateT, company: str, certificate: str) -> int:
        """The market value of a certificate."""
        return PERCENT[certificate] * self.price(state, company) // 10

    def by_price(self, state: StateT) -> list[str]:
        """The share companies in operation in the order of play [operating-order]."""
        cells = sorted(state.chart, key=lambda cell: self.chart.rank[cell])
        return [
            company
            for cell in cells
            for company in state.chart[cell]
            if state.companies[company].operating
        ]

    def worth(self, state: StateT, seat: int) -> int:
        """The value of a player's shares at market price [final-worth]."""
        holder = PLAYERS[seat]
        total = 0
        for name in self.public:
            price = self.price(state, name)
            if price:
                total += self.percent(state, holder, name) * price
        return total // 10

    # ---- trains and phases

    def phase(self, state: StateT) -> PhaseRecord:
        """What holds now."""
        return self.components.phases[state.phase]

    def trains(self, state: StateT, holder: str) -> list[str]:
        """The trains somebody has, in the order in which they are sold."""
        items = state.ledger.items
        return [
            train
            for train in self.components.train_order
            for _ in range(items[f"train:{train}"].get(holder, 0))
        ]

    def available(self, state: StateT) -> str:
        """The type of new train that can be bought, empty if none is left [train-order]."""
        items = state.ledger.items
        return next((t for t in self.components.train_order if items[f"train:{t}"].get(STACK)), "")

    def train_limit(self, state: StateT, company: str) -> int:
        """How many trains a company may own [train-limit]."""
        limit = self.phase(state).train_limit
        found = limit.minor if self.is_minor(company) else limit.major
        return found or 0

    # ---- the map

    def position(self, state: StateT) -> Position:
        """The track as it lies now."""
        layout, phase = state.layout, self.phase(state).phase - 1
        key = (phase, tuple(layout.tiles.items()), tuple(layout.stations))
        found = self._positions.get(key)
        if found is None:
            if len(self._positions) >= _POSITIONS:
                self._positions.clear()
            found = self._positions[key] = self.components.track.position(layout, phase)
        return found

    def fits(self, state: StateT, hex: str) -> tuple[Fit, ...]:
        """The tiles of the colours on offer that fit a hex, whether or not any are left."""
        laid = state.layout.tiles.get(hex)
        public = self.public_upgrades(state)
        colours = self.phase(state).tiles
        board = self.components.board
        place = board.place(hex)
        # Hexes of the same look have the same fits.
        look = self._looks[place] if laid is None else laid
        key = (look, board.closed[place], len(colours), public)
        found = self._fits.get(key)
        if found is None:
            tiles: dict[str, Laid] = {} if laid is None else {hex: laid}
            found = self._fits[key] = tuple(
                fits(board, tiles, hex, colours, public=public, unlimited=True)
            )
        return found

    def distance(self, state: StateT, start: str, target: str) -> int:
        """The least number of hexes between two [station-cost]."""
        key = (start, target, self.as_rails(state))
        if key not in self._distances:
            self._distances[key] = self.components.distance(*key)
        return self._distances[key]

    def home_stop(self, state: StateT, company: str) -> int | None:
        """The stop in which a company has its home on what its hex shows now; None if it chooses."""
        stop = self.components.home_stop(company)
        hex = self.components.homes[company].hex
        if stop is None or hex not in state.layout.tiles:
            return stop
        board = self.components.board
        became = kept(board.printed[board.place(hex)], shown(board, state.layout.tiles, hex))
        return became[stop] if became is not None else stop

    def station(self, state: StateT, company: str, hex: str) -> int:
        """The stop of a hex in which a company has a marker, -1 if it has none there."""
        for owner, place, stop in state.layout.stations:
            if owner == company and place == hex:
                return stop
        return -1

    def waits_for_home(self, state: StateT, company: str) -> bool:
        """Whether a company has no home marker yet, because there is no city to choose
        [chosen-home]."""
        home = self.components.homes[company]
        return home.stop is None and self.station(state, company, home.hex) < 0

    def markers(self, state: StateT, company: str) -> int:
        """How many markers a company has left."""
        return state.ledger.held(f"marker:{company}", company)

    def spare_markers(self, state: StateT, company: str) -> int:
        """How many of them it may place elsewhere: the one for its home is kept
        [home-station, chosen-home]."""
        return self.markers(state, company) - self.waits_for_home(state, company)

    def place_marker(self, play: Play[StateT], company: str, hex: str, stop: int) -> None:
        """Put a marker of a company on the map."""
        play.state.ledger.move(f"marker:{company}", company, MAP)
        play.state.layout.stations.append(Station(company, hex, stop))

    # ---- money

    def pay_company(self, play: Play[StateT], source: str, company: str, amount: int) -> None:
        """Pay a company from others than the bank; what it owes the bank is paid off first
        [bank-loan]."""
        repaid = self.pay_off(play, company, amount)
        play.state.ledger.move("money", source, company, amount - repaid)
        play.state.ledger.move("money", source, BANK, repaid)

    def pay_off(self, play: Play[StateT], company: str, amount: int) -> int:
        """What the bank keeps of an amount due to a company, because the company owes it
        [bank-loan]."""
        found = play.state.companies[company]
        repaid = min(found.debt, amount)
        found.debt -= repaid
        return repaid

    def pay_out(self, play: Play[StateT], event: Event, *payments: tuple[str, int]) -> None:
        """The bank makes the payments of an event, in this order. What it does not have is noted for
        those it is due to [bank-broken]."""
        state = play.state
        in_full = self.pays_beyond_bank(state) or not state.corrected("noted-money")
        notes = []
        for holder, amount in payments:
            paid = amount if in_full else min(amount, max(0, self.money(state, BANK)))
            state.ledger.move("money", BANK, holder, paid)
            state.ledger.move("note", BANK, holder, amount - paid)
            if paid < amount:
                notes.append((holder, amount - paid))
        play.emit(event)
        if notes:
            play.emit(happened.Noted(rule="bank-broken", notes=tuple(notes)))

    def amounts(self, state: StateT, *changes: tuple[int, int]) -> tuple[int, ...]:
        """One number per seat, for a payment."""
        amounts = [0] * state.seats
        for seat, amount in changes:
            if seat >= 0:
                amounts[seat] += amount
        return tuple(amounts)

    # ---- prices

    def place_price(self, state: StateT, company: str, cell: str) -> None:
        """Put a price marker on a field, under those already there [price-at-start, price-stack]."""
        state.companies[company].cell = cell
        state.chart.setdefault(cell, []).append(company)

    def move_price(self, play: Play[StateT], company: str, cell: str, why: str, rule: str) -> None:
        """Move a price marker to a field; one that stays keeps its place in the stack
        [price-stack]."""
        state = play.state
        before = state.companies[company].cell
        if cell == before:
            return
        stack = state.chart[before]
        stack.remove(company)
        if not stack:
            del state.chart[before]
        self.place_price(state, company, cell)
        play.emit(
            happened.PriceMoved(
                rule=rule,
                company=company,
                before=before,
                after=cell,
                price=self.chart.price[cell],
                why=why,
            )
        )

    # ---- going into operation

    def floats(self, state: StateT, company: str) -> bool:
        """Whether a company that is not in operation has to begin now [float]."""
        found = state.companies[company]
        return not found.operating and not found.closed and 100 - self.unsold(state, company) >= 50

    def float_company(self, play: Play[StateT], company: str) -> None:
        """A share company goes into operation: price, treasury, home [float, treasury-at-start]."""
        state = play.state
        state.companies[company].operating = True
        public = self.public[company]
        self.place_price(state, company, public.cell)
        percent = 100 - self.unsold(state, company)
        if state.corrected("treasury-of-shares-held"):
            # What a bankrupt player has left in the pool is in nobody's hands.
            percent -= self.percent(state, POOL, company)
        treasury = percent * public.par // 10
        self.pay_out(
            play,
            happened.Floated(
                rule="treasury-at-start", company=company, treasury=treasury, cell=public.cell
            ),
            (company, treasury),
        )
        self.place_home(play, company)

    def place_home(self, play: Play[StateT], company: str) -> None:
        """Place the home marker. Where the company chooses between the cities of its home, it does
        so as soon as there are some [home-station, chosen-home]."""
        home = self.components.homes[company]
        stop = self.home_stop(play.state, company)
        if stop is None:
            if home.hex in play.state.layout.tiles:
                play.push(Home(company))
            return
        self.place_marker(play, company, home.hex, stop)
        rule = "minor-starts" if self.is_minor(company) else "home-station"
        play.emit(happened.StationPlaced(rule=rule, company=company, hex=home.hex, stop=stop))

    def settle(self, play: Play[StateT], company: str) -> None:
        """What follows when a player has got shares: the company may go into operation, and then
        its director may change [float, director-change]."""
        if self.floats(play.state, company):
            self.float_company(play, company)
        self.settle_director(play, company)

    # ---- directors

    def settle_director(self, play: Play[StateT], company: str) -> None:
        """Change the director if another player now holds more, or if there is none and somebody
        holds enough [director-change, no-director]."""
        state = play.state
        old = self.director(state, company)
        new = self.challenger(state, company, old)
        if new < 0:
            return
        if old < 0:
            certificates = self.swaps(state, company, PLAYERS[new])[-1]
            self.change_director(play, company, old, new, certificates, POOL)
        else:
            self.replace_director(play, company, old, new, to_pool=False)

    def challenger(self, state: StateT, company: str, old: int, given: int = 0) -> int:
        """Who should be director instead of `old` (-1: nobody is), -1 if nobody should: the player
        with most percent, the nearest to the left of the old director among equals [director-change]. `given`
        is the percentage `old` is about to lose."""
        item, _, needed = self.public[company].items[0]
        if old < 0 and not state.ledger.items[item].get(POOL):
            return -1
        least = needed - 1 if old < 0 else self.percent(state, PLAYERS[old], company) - given
        start = self.left_of(state, old) if old >= 0 else state.priority
        best = -1
        for seat in self.around(state, start):
            percent = self.percent(state, PLAYERS[seat], company)
            if seat != old and percent > least and self.swaps(state, company, PLAYERS[seat]):
                best, least = seat, percent
        return best

    def swaps(self, state: StateT, company: str, holder: str) -> list[tuple[str, ...]]:
        """The ways in which somebody can make up the percentage of the director's certificate, the
        fewest certificates first [director-swap]."""
        needed = self.public[company].items[0][2]
        held = self.certificates(state, holder, company)
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
        """A new director; the old one chooses what he gets, if there is a choice [director-swap]."""
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
        old: int,
        new: int,
        certificates: tuple[str, ...],
        receiver: str,
    ) -> None:
        """Hand over the director's certificate for others of the same percentage
        [director-swap, director-takes-over]."""
        ledger = play.state.ledger
        item = self.public[company].items[0][0]
        source = PLAYERS[old] if old >= 0 else POOL
        ledger.move(item, source, PLAYERS[new])
        for name in certificates:
            ledger.move(f"{company}:{name}", PLAYERS[new], receiver)
        play.emit(
            happened.DirectorChanged(
                rule="director-swap" if old >= 0 else "no-director",
                company=company,
                old=old,
                new=new,
                certificates=certificates,
                receiver=player(receiver),
            )
        )

    # ---- operating rounds: what a title may change

    def begin_operating_round(self, play: Play[StateT]) -> None:
        """What is asked at the beginning of an operating round, before anything else is done."""

    def income(self, state: StateT, private: str) -> int:
        """What a private railway pays in an operating round [private-income]."""
        return self.components.privates[private].income

    def minor_acts(self, state: StateT, minor: str) -> bool:
        """Whether a minor has a turn in this operating round [minor-starts]."""
        found = state.companies[minor]
        return found.operating and not found.closed and self.owner(state, minor) >= 0

    def checks_track(self, state: StateT) -> bool:
        """Whether tiles and stations have to be connected."""
        return True

    def tiles_limited(self, state: StateT) -> bool:
        """Whether there are only as many tiles as in the box [tile-supply]."""
        return True

    def public_upgrades(self, state: StateT) -> bool:
        """Whether tiles may be replaced as in other records than the book [upgrade-table]."""
        return True

    def tile_rights(self, state: StateT, company: str) -> Sequence[TileRight]:
        """Free tiles that private railways allow a company now."""
        return ()

    def station_rights(self, state: StateT, company: str) -> Sequence[StationRight]:
        """Free markers that private railways allow a company now."""
        return ()

    def tile_right_used(self, play: Play[StateT], private: str) -> None:
        """A free tile has been laid."""

    def station_right_used(self, play: Play[StateT], private: str) -> None:
        """A free marker has been placed."""

    def tile_laid(self, play: Play[StateT], hex: str) -> None:
        """A tile has been laid on a hex, by whatever right."""

    def reserves(self, state: StateT, company: str) -> bool:
        """Whether a place is kept for the home of a company [space-reserved]."""
        found = state.companies[company]
        return not found.operating and not found.closed

    def running_trains(self, state: StateT, company: str) -> list[str]:
        """The trains that a company runs [run-trains]."""
        return self.trains(state, company)

    def best_runs(self, state: StateT, company: str) -> tuple[int, Runs]:
        """The highest revenue of a company and runs that make it [revenue]."""
        raise NotImplementedError

    def runs_by_hand(self, state: StateT) -> bool:
        """Whether the director may choose the runs."""
        return False

    def enters_revenue(self, state: StateT) -> bool:
        """Whether a revenue may be entered that is not the highest."""
        return False

    def dividend_percent(self, state: StateT, company: str, seat: int) -> int:
        """The percentage of the revenue that a player gets [dividend]."""
        return self.percent(state, PLAYERS[seat], company)

    def give_train(self, state: StateT, company: str, train: str) -> bool:
        """A company gives a train away, of equal ones rather one that has run in this round;
        returns whether that is so [trains-that-have-run]."""
        ran = state.round.ran.get(company, [])
        if train in ran:
            ran.remove(train)
            return True
        return False

    def train_bought(self, play: Play[StateT], company: str) -> None:
        """A company has bought a train, from whomever."""

    def phase_began(self, play: Play[StateT], company: str) -> None:
        """A purchase of this company has begun a phase; trains have been scrapped."""
        play.push(Limits(self.decider(play.state, company)))

    def surrender(self, play: Play[StateT], seat: int) -> None:
        """What becomes of the privates and minors of a player who leaves the game."""

    # ---- closing

    def close_paper(self, state: StateT, paper: str) -> None:
        """Take a private railway or minor out of the game."""
        for holder in list(state.ledger.items[f"paper:{paper}"]):
            state.ledger.move(f"paper:{paper}", holder, BOX)

    def close_privates(self, play: Play[StateT], papers: Sequence[str], rule: str) -> None:
        """Private railways close by a rule."""
        for paper in papers:
            self.close_paper(play.state, paper)
        if papers:
            play.emit(happened.PapersClosed(rule=rule, papers=tuple(papers)))

    # ---- the beginning

    def items(self, seats: int) -> dict[str, dict[str, int]]:
        """All money and pieces as they lie before the first round."""
        file = self.components.file
        cash = next(row.cash for row in file.setup.players if row.players == seats)
        items = {"note": {BANK: 0}, "money": {BANK: file.setup.bank - seats * cash}}
        items["money"] |= {PLAYERS[seat]: cash for seat in range(seats)}
        for public in self.public.values():
            items |= {item: dict(row) for item, row in public.start.items()}
            items[f"marker:{public.id}"] = {public.id: public.record.station_markers}
        for minor in self.components.minors:
            items[f"marker:{minor}"] = {minor: 1}
            items[f"paper:{minor}"] = {PACKET: 1}
        for private in self.components.privates:
            items[f"paper:{private}"] = {PACKET: 1}
        for train in self.components.train_records.values():
            items[f"train:{train.id}"] = {STACK: train.count}
        return items

    def companies(self) -> dict[str, Company]:
        """All companies before the first round."""
        return {name: Company() for name in (*self.components.minors, *self.public)}
