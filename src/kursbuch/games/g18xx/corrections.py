"""Corrections of an 18xx game: everything on the table, the round and the turn.

A title extends the kinds where its own state depends on what they move.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from kursbuch.core.corrections import (
    COUNT,
    NOWHERE,
    PLAYER,
    SOURCE,
    TARGET,
    Field,
    Kind,
    Money,
    Transfer,
    player,
    seat_in,
    seat_of,
)
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.core.words import N_
from kursbuch.games.g18xx.components import (
    BANK,
    BOX,
    EXCHANGE_SHARES,
    MAP,
    PACKET,
    PLAYERS,
    POOL,
    STACK,
    paper_item,
    share_item,
    token_item,
    train_item,
)
from kursbuch.games.g18xx.map.tiles import follow, shown, successors, supply
from kursbuch.games.g18xx.map.track import Laid, Layout
from kursbuch.games.g18xx.rules.stock_round import end_turn
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import (
    Build,
    BuyTrains,
    EighteenState,
    NextCompany,
    OfCompany,
    Pay,
    PlaceToken,
    RaiseMoney,
    Round,
    StockTurn,
    TrainOffer,
)

State = EighteenState[Any]
AnyRuleset = Ruleset[Any]
AnyPlay = Play[Any]
#: Field values of a correction.
Values = Mapping[str, str]

#: Maximum number of a round.
MAX_ROUNDS = 99

_COMPANY = Field("company", N_("Company"), "company")
_HEX = Field("hex", N_("Hex"), "hex")
_NUMBER = Field("number", N_("Round number"), "count")


def players_in(state: State) -> list[str]:
    """Players who are still in the game."""
    return [player(seat) for seat in range(state.seats) if seat not in state.out]


class RulesetCorrection(Kind[State]):
    """A kind of correction with access to the ruleset; by default about a player in the game, or a
    company."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self.ruleset = ruleset

    def companies(self) -> list[str]:
        """All companies, share companies first."""
        return [*self.ruleset.public, *self.ruleset.components.minors]

    def candidates(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        return players_in(state) if field == "player" else self.companies()


class EighteenTransfer(Transfer[State], RulesetCorrection):
    """A transfer between holders."""

    def holder(self, value: str) -> str:
        seat = seat_of(value)
        return value if seat is None else PLAYERS[seat]


class Sums(EighteenTransfer, Money[State]):
    """Transfers of money."""

    def holders(self, state: State, chosen: Values) -> Sequence[str]:
        return [*players_in(state), *self.companies(), BANK, NOWHERE]


class Papers(EighteenTransfer):
    """Transfers of privates and minors."""

    name = "paper"
    label = N_("Private railway or minor")
    form = N_("paper {paper} from {source} to {target}")
    sentence = N_("{paper} from {source} to {target}")
    fields = (Field("paper", N_("Paper"), "paper"), SOURCE, TARGET)
    moved = paper_item("{paper}")

    def holders(self, state: State, chosen: Values) -> Sequence[str]:
        companies = self.ruleset.public if self.ruleset.policy.companies_own_privates else ()
        return [*players_in(state), *companies, PACKET, BOX]

    def kinds(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        return [*self.ruleset.components.privates, *self.ruleset.components.minors]


class Certificates(EighteenTransfer):
    """Transfers of shares."""

    name = "share"
    label = N_("Shares")
    form = N_("share {count} {company} {certificate} from {source} to {target}")
    sentence = N_("{count} × {company} {certificate} from {source} to {target}")
    fields = (
        _COMPANY,
        Field("certificate", N_("Certificate"), "certificate"),
        SOURCE,
        TARGET,
        COUNT,
    )
    moved = share_item("{company}", "{certificate}")

    def holders(self, state: State, chosen: Values) -> Sequence[str]:
        held = self.ruleset.public[chosen["company"]].start.values()
        places = [place for place in (PACKET, EXCHANGE_SHARES) if any(place in row for row in held)]
        return [*players_in(state), STACK, POOL, *places]

    def kinds(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        if field == "company":
            return list(self.ruleset.public)
        return [name for _, name, _ in self.ruleset.public[chosen["company"]].items]

    def perform(self, play: AnyPlay, values: Values) -> None:
        super().perform(play, values)
        self.ruleset.control.note_holders(play.state, values["company"])


class Trains(EighteenTransfer):
    """Transfers of trains; those of the bank are new."""

    name = "train"
    label = N_("Train")
    form = N_("train {train} from {source} to {target}")
    sentence = N_("{train} from {source} to {target}")
    fields = (Field("train", N_("Train"), "train"), SOURCE, TARGET)
    moved = train_item("{train}")

    def holder(self, value: str) -> str:
        return STACK if value == BANK else value

    def holders(self, state: State, chosen: Values) -> Sequence[str]:
        return [*self.companies(), BANK, POOL, BOX]

    def kinds(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        return list(self.ruleset.components.train_order)

    def perform(self, play: AnyPlay, values: Values) -> None:
        super().perform(play, values)
        self.ruleset.depot.give_train(play.state, values["source"], values["train"])


class Price(RulesetCorrection):
    """Moves of a company's price marker."""

    name = "price"
    label = N_("Share price")
    form = N_("price of {company} at {cell}")
    sentence = N_("the price of {company} is at {cell}")
    fields = (_COMPANY, Field("cell", N_("Stock market space"), "cell"))

    def candidates(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        if field == "company":
            return [company for company in self.ruleset.public if state.companies[company].cell]
        here = state.companies[chosen["company"]].cell
        return [cell for cell in self.ruleset.chart.price if cell != here]

    def perform(self, play: AnyPlay, values: Values) -> None:
        company, market = values["company"], self.ruleset.market
        market.take_price(play.state, company)
        market.place_price(play.state, company, values["cell"])
        self.ruleset.triggers.company_corrected(play.state, company)


class Status(RulesetCorrection):
    """Status of a company: waiting, operating, having had a turn, or closed."""

    name = "company"
    label = N_("Company in operation")
    form = N_("company {company} {status}")
    sentence = N_("{company}: {status}")
    fields = (_COMPANY, Field("status", N_("Status"), "status"))

    #: Status as operating, worked, closed.
    STATUS: ClassVar[Mapping[str, tuple[bool, bool, bool]]] = {
        "waits": (False, False, False),
        "operates": (True, False, False),
        "has-worked": (True, True, False),
        "closed": (False, False, True),
    }

    def candidates(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        if field == "status":
            return list(self.STATUS)
        return super().candidates(state, field, chosen)

    def forbids(self, state: State, values: Values) -> IllegalAction | None:
        if self.STATUS[values["status"]][0]:
            return None
        if any(
            isinstance(step, OfCompany) and step.company == values["company"]
            for step in state.agenda
        ):
            return IllegalAction(
                "",
                "{company} is operating right now.",
                company=self.ruleset.label(values["company"]),
            )
        return None

    def perform(self, play: AnyPlay, values: Values) -> None:
        state, company = play.state, values["company"]
        found = state.companies[company]
        found.operating, found.worked, found.closed = self.STATUS[values["status"]]
        if company in self.ruleset.public:
            market = self.ruleset.market
            if not found.operating:
                market.take_price(state, company)
            elif not found.cell:
                market.place_price(state, company, market.start_cell(state, company))
        self.ruleset.triggers.company_corrected(state, company)


# ---- the map


class Tiles(RulesetCorrection):
    """Replacement of the tile on a hex by any that can ever lie there, whatever the phase, in any
    rotation."""

    name = "tile"
    label = N_("Tile")
    form = N_("tile {tile} on {hex} turned {rotation}")
    sentence = N_("tile {tile} on {hex}, turned by {rotation}")
    fields: ClassVar[tuple[Field, ...]] = (
        _HEX,
        Field("tile", N_("Tile"), "tile"),
        Field("rotation", N_("Rotation"), "rotation"),
    )

    @cached_property
    def possible(self) -> dict[str, dict[str, list[str]]]:
        """Tiles that can lie on each hex, with rotations."""
        return {
            record.id: found
            for record in self.ruleset.components.board.records
            if record.first_phase is not None and (found := self._possible(record.id))
        }

    def _possible(self, hex: str) -> dict[str, list[str]]:
        """Tiles that the tables lead to on a hex, with rotations."""
        board = self.ruleset.components.board
        closed = board.closed[board.number(hex)]
        found: dict[str, list[str]] = {}
        waiting: list[dict[str, Laid]] = [{}]
        for tiles in waiting:
            for tile in successors(board, tiles, hex):
                if tile.id not in found:
                    turns = [
                        turn for turn in tile.rotations if not tile.faces[turn].edges() & closed
                    ]
                    found[tile.id] = list(map(str, turns))
                    waiting.append({hex: Laid(tile.id, 0)})
        return {tile: turns for tile, turns in found.items() if turns}

    def candidates(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        if field == "hex":
            return list(self.possible)
        possible = self.possible[chosen["hex"]]
        here = state.layout.tiles.get(chosen["hex"])
        if field == "tile":
            left = supply(self.ruleset.components.board, state.layout.tiles)
            return [
                tile
                for tile in possible
                if left[tile] > 0
                or state.house.unlimited_tiles
                or (here is not None and here.tile == tile)
            ]
        tile = chosen["tile"]
        return [
            turn
            for turn in possible[tile]
            if here is None or (here.tile, str(here.rotation)) != (tile, turn)
        ]

    def forbids(self, state: State, values: Values) -> IllegalAction | None:
        """Tokens stay in their cities."""
        hex, stations = values["hex"], state.layout.stations
        tiles, stops = self._changed(state, values)
        face = shown(self.ruleset.components.board, tiles, hex)
        used = Counter(stops[stop] for _, place, stop in stations if place == hex)
        for stop, count in used.items():
            if (
                stop >= len(face.stops)
                or face.stops[stop].kind != "city"
                or count > face.stops[stop].slots
            ):
                return IllegalAction(
                    "",
                    ("There is no room for the station tokens on {hex}: remove them first."),
                    hex=hex,
                )
        return None

    def _changed(self, state: State, values: Values) -> tuple[dict[str, Laid], tuple[int, ...]]:
        """The tiles after the correction, and the new stop of the tokens of each stop on the
        hex."""
        board, hex, tiles = self.ruleset.components.board, values["hex"], {**state.layout.tiles}
        before = shown(board, tiles, hex)
        if "tile" in values:
            tiles[hex] = Laid(values["tile"], int(values["rotation"]))
        else:
            del tiles[hex]
        return tiles, follow(before, shown(board, tiles, hex))

    def perform(self, play: AnyPlay, values: Values) -> None:
        tiles, stops = self._changed(play.state, values)
        play.state.layout = Layout(tiles, play.state.layout.moved(values["hex"], stops))


class NoTile(Tiles):
    """Removal of a tile."""

    name = "no-tile"
    label = N_("Take a tile away")
    form = N_("no tile on {hex}")
    sentence = N_("no tile on {hex}")
    fields = (_HEX,)

    def candidates(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        return sorted(state.layout.tiles)


class Stations(RulesetCorrection):
    """Placement of a station token in a city with a free slot."""

    name = "station"
    label = N_("Station token")
    form = N_("station of {company} on {hex} city {city}")
    sentence = N_("a station token of {company} on {hex}, city {city}")
    fields = (_COMPANY, _HEX, Field("city", N_("City"), "number"))

    def candidates(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        if field == "company":
            return [company for company in self.companies() if self.ruleset.tokens(state, company)]
        builder, board = self.ruleset.builder, self.ruleset.components.board

        def free(hex: str) -> list[str]:
            stops = range(len(shown(board, state.layout.tiles, hex).stops))
            return [str(stop + 1) for stop in stops if builder.vacant(state, hex, stop)]

        if field == "city":
            return free(chosen["hex"])
        company = chosen["company"]
        # The last tokens are kept for homes to be chosen.
        kept = [home.hex for home in builder.homes_to_come(state, company)]
        spare = builder.spare_tokens(state, company) > 0
        return [
            hex
            for hex in board.names
            if (spare or hex in kept)
            and self.ruleset.station(state, company, hex) is None
            and free(hex)
        ]

    def perform(self, play: AnyPlay, values: Values) -> None:
        stop = int(values["city"]) - 1
        self.ruleset.place_token(play, values["company"], values["hex"], stop)


class NoStation(RulesetCorrection):
    """Removal of a station token."""

    name = "no-station"
    label = N_("Take a station token away")
    form = N_("no station of {company} on {hex}")
    sentence = N_("no station token of {company} on {hex}")
    fields = (_COMPANY, _HEX)

    def candidates(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        stations = state.layout.stations
        if field == "company":
            return list(dict.fromkeys(owner for owner, _, _ in stations))
        return [place for owner, place, _ in stations if owner == chosen["company"]]

    def perform(self, play: AnyPlay, values: Values) -> None:
        state, company = play.state, values["company"]
        tiles, stations = state.layout.tiles, state.layout.stations
        gone = next(s for s in stations if (s[0], s[1]) == (company, values["hex"]))
        state.layout = Layout(tiles, [station for station in stations if station != gone])
        state.ledger.move(token_item(company), MAP, company)


# ---- the course of play


class Setting(RulesetCorrection):
    """Change of a state field to the value its text stands for."""

    @abstractmethod
    def values(self, state: State) -> Mapping[str, object]:
        """Possible values of the state field by text."""

    def candidates(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        return list(self.values(state))

    def perform(self, play: AnyPlay, values: Values) -> None:
        (text,) = values.values()
        setattr(play.state, self.name, self.values(play.state)[text])


class Phase(Setting):
    """Change of the phase. Rusting trains need another correction."""

    name = "phase"
    label = N_("Phase")
    form = N_("phase {phase}")
    sentence = N_("phase {phase} applies")
    fields = (Field("phase", N_("Phase"), "phase"),)

    def values(self, state: State) -> Mapping[str, object]:
        return {phase.id: row for row, phase in enumerate(self.ruleset.components.phases)}


class Priority(Setting):
    """Change of the priority deal."""

    name = "priority"
    label = N_("Priority deal")
    form = N_("priority to {player}")
    sentence = N_("{player} has the priority deal")
    fields = (PLAYER,)

    def values(self, state: State) -> Mapping[str, object]:
        return {value: seat_of(value) for value in players_in(state)}


class InStockRound(RulesetCorrection):
    """Give a player the turn in a stock round, interrupting what is going on."""

    name = "stock-round"
    label = N_("Turn in a stock round")
    form = N_("turn of {player} in stock round {number}")
    sentence = N_("stock round {number}: {player} to move")
    fields = (PLAYER, _NUMBER)

    def most(self, state: State, field: str, chosen: Values) -> int:
        return MAX_ROUNDS

    def perform(self, play: AnyPlay, values: Values) -> None:
        state, seat, number = play.state, seat_in(values["player"]), int(values["number"])
        before = state.round
        if before.number != number or before.part:
            state.round = Round(number, sold=[[] for _ in range(state.seats)])
            self.ruleset.triggers.round_corrected(state, before)
        priority, state.priority = state.priority, seat
        state.agenda[:] = [self.ruleset.triggers.first_turn(state)]
        state.priority = priority


class InOperatingRound(RulesetCorrection):
    """Give a company the turn in an operating round; those before it have had theirs."""

    name = "operating-round"
    label = N_("Turn in an operating round")
    form = N_("turn of {company} in operating round {number} part {part} of {parts}")
    sentence = N_("operating round {number}.{part} (of {parts}): {company} operates")
    fields = (
        _COMPANY,
        _NUMBER,
        Field("part", N_("Which operating round after this stock round"), "count"),
        Field("parts", N_("Of how many"), "count"),
    )

    def candidates(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        return self.ruleset.control.order(state)

    def most(self, state: State, field: str, chosen: Values) -> int:
        return MAX_ROUNDS if field == "number" else 9

    def forbids(self, state: State, values: Values) -> IllegalAction | None:
        if int(values["part"]) <= int(values["parts"]):
            return None
        return IllegalAction(
            "",
            "There is no operating round {part} of {parts}.",
            part=values["part"],
            parts=values["parts"],
        )

    def perform(self, play: AnyPlay, values: Values) -> None:
        state = play.state
        order = self.ruleset.control.order(state)
        acted = order[: order.index(values["company"])]
        number, part, parts = (int(values[name]) for name in ("number", "part", "parts"))
        paid = [*self.ruleset.components.privates, *(c for c in acted if self.ruleset.is_minor(c))]
        before = state.round
        state.round = Round(number, part, parts, acted=acted, paid=paid)
        if (before.number, before.part) != (number, part):
            self.ruleset.triggers.round_corrected(state, before)
        state.agenda[:] = [NextCompany()]


class Acted(RulesetCorrection):
    """Mark a company as having acted in this operating round although it is not before the active
    one: its price may have changed since."""

    name = "acted"
    label = N_("A company has had its turn")
    form = N_("turn of {company} is over")
    sentence = N_("{company} has had its turn in this operating round")
    fields = (_COMPANY,)

    def candidates(self, state: State, field: str, chosen: Values) -> Sequence[str]:
        if not state.round.part:
            return []
        now = {step.company for step in state.agenda if isinstance(step, OfCompany)}
        return [
            company
            for company in self.ruleset.control.order(state)
            if company not in state.round.acted and company not in now
        ]

    def perform(self, play: AnyPlay, values: Values) -> None:
        play.state.round.acted.append(values["company"])


#: Steps that can be skipped without leaving anything half done.
SKIPPED = (StockTurn, Build, PlaceToken, Pay, BuyTrains, TrainOffer, RaiseMoney)


class Skip(RulesetCorrection):
    """Skip a decision: the turn continues with its next step, or with the next player."""

    name = "skip"
    label = N_("Skip what is being decided")
    form = N_("skip what is being decided")
    sentence = N_("the pending decision is skipped")
    fields = ()

    def forbids(self, state: State, values: Values) -> IllegalAction | None:
        if isinstance(state.agenda[-1], SKIPPED):
            return None
        return IllegalAction("", "This decision cannot be skipped.")

    def perform(self, play: AnyPlay, values: Values) -> None:
        step = play.state.agenda[-1]
        play.done()
        if isinstance(step, StockTurn):
            following = StockTurn(self.ruleset.left_of(play.state, step.seat))
            end_turn(self.ruleset, play, step.seat, following, bought=step.bought)


#: Kinds of corrections of every title of the family.
KINDS: tuple[type[RulesetCorrection], ...] = (
    Sums,
    Certificates,
    Papers,
    Trains,
    Price,
    Status,
    Tiles,
    NoTile,
    Stations,
    NoStation,
    Phase,
    Priority,
    InStockRound,
    InOperatingRound,
    Acted,
    Skip,
)

#: Corrections that interrupt whatever is going on.
BREAKING_OFF = (InStockRound.name, InOperatingRound.name, Skip.name)

#: Steps during which anything can be corrected; others rely on the state of the table.
OPEN = (StockTurn, Build, PlaceToken, Pay, BuyTrains)


def uncorrectable(state: State, kind: str, open: tuple[type[Any], ...]) -> IllegalAction | None:
    """Refusal of a kind of correction outside the `open` steps."""
    if kind in BREAKING_OFF or isinstance(state.agenda[-1], open):
        return None
    return IllegalAction("", "First answer, take back or cancel what is being asked now.")
