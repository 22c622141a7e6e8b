"""Components of Nimm den Zug: locomotives, wagons, special cards, tiles and counts.

`cards.json` holds them, each record with its source. A file with corrected data can replace it.

Wagon cards are named by kind and value ("coal200"), special cards by id ("bonus").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources

import msgspec

from kursbuch.core.errors import require
from kursbuch.core.words import N_

CURRENCY = "$"

DRIVES = ("steam", "diesel", "electric")
DRIVE_NAMES = {"steam": N_("steam"), "diesel": N_("diesel"), "electric": N_("electric")}

KINDS = ("food", "cattle", "coal", "oil", "luxury", "passenger")
KIND_NAMES = {
    "food": N_("Food"),
    "cattle": N_("Cattle"),
    "coal": N_("Coal"),
    "oil": N_("Fuel oil"),
    "luxury": N_("Luxury goods"),
    "passenger": N_("Passenger coach"),
}
LOADED = {
    "food": N_("with food"),
    "cattle": N_("with cattle"),
    "coal": N_("with coal"),
    "oil": N_("with fuel oil"),
    "luxury": N_("with luxury goods"),
    "passenger": N_("with passengers"),
}

BIN, LONGER, MULTIPLIER, BONUS, DOUBLE = "bin", "longer-train", "multiplier", "bonus", "double"
SPECIALS = (BIN, LONGER, MULTIPLIER, BONUS, DOUBLE)
SPECIAL_NAMES = {
    BIN: N_("Bin"),
    LONGER: N_("Longer train"),
    MULTIPLIER: N_("Multiplier +1"),
    BONUS: N_("Bonus"),
    DOUBLE: N_("Double wagon"),
}

AUCTIONS = ("turn", "sealed", "double", "choice", "open", "pass")
AUCTION_NAMES = {
    "turn": N_("in turn"),
    "sealed": N_("sealed"),
    "double": N_("double sealed"),
    "choice": N_("first choice"),
    "open": N_("open"),
    "pass": N_("pass on"),
}

CONDITIONS = (
    "two_targets",
    "special_taken",
    "wagons_on_each",
    "order_first",
    "order_last",
    "wagons_total",
    "wagons_of_kind",
    "drives",
    "fastest",
    "slowest",
)

SEATS_POSSIBLE = range(2, 7)
MOST = 1_000_000
MOST_CARDS = 1000
#: Maximum number of open cards, to bound the selections to replace.
MOST_OPEN = 8


class Locomotive(msgspec.Struct, frozen=True):
    """A locomotive card [loco-1]."""

    id: str
    drive: str
    multiplier: int
    power: int
    speed: int


class WagonRecord(msgspec.Struct, frozen=True):
    """The cards of a kind of wagon: pairs of value and count [wagon-1]."""

    kind: str
    count: int
    values: list[tuple[int, int]]


class SpecialRecord(msgspec.Struct, frozen=True):
    """A special card."""

    id: str
    count: int
    money: int = 0
    bonus: int = 0


class OrderTile(msgspec.Struct, frozen=True):
    """An order tile with its price for replacing cards [replace-2]."""

    place: int
    replace_price: int
    replace_price_two_players: int | None = None


class AuctionTile(msgspec.Struct, frozen=True):
    """An auction tile; its id is the type of auction."""

    id: str


class TargetTile(msgspec.Struct, frozen=True):
    """A target tile: its bonus and its condition with parameters."""

    id: str
    bonus: int
    condition: str
    args: dict[str, int | str | list[str]] = {}


class SetupRecord(msgspec.Struct, frozen=True):
    """Counts and limits of the game."""

    start_money: int
    targets_per_player: int
    rounds: int
    locomotives_per_player: int
    locomotives_used: dict[str, int]
    display: dict[str, int]
    wagon_limit: int
    wagon_limit_longer_train: int
    bid_step: int


class CardFile(msgspec.Struct, frozen=True):
    """Contents of a component data file; unknown keys are ignored."""

    setup: SetupRecord
    locomotives: list[Locomotive]
    wagons: list[WagonRecord]
    specials: list[SpecialRecord]
    order_tiles: list[OrderTile]
    auction_tiles: list[AuctionTile]
    target_tiles: list[TargetTile]


class WagonCard(msgspec.Struct, frozen=True):
    """A wagon card: kind and value."""

    kind: str
    value: int


class Cards:
    """A set of components with derived tables."""

    def __init__(self, file: CardFile) -> None:
        """Raise `KursbuchError` if the file is inconsistent."""
        self.file = file
        self.setup = file.setup
        self.step = file.setup.bid_step
        self._check_setup()
        self._read_locomotives()
        self._read_wagons()
        self._read_tiles()

    def _check_setup(self) -> None:
        setup = self.setup
        for name in (
            "start_money",
            "targets_per_player",
            "rounds",
            "locomotives_per_player",
            "wagon_limit",
            "wagon_limit_longer_train",
            "bid_step",
        ):
            require(
                0 < getattr(setup, name) <= MOST,
                "The file has no valid number for {name}.",
                name=name,
            )
        require(
            setup.start_money % self.step == 0,
            "The start money must be a multiple of {step}.",
            step=self.step,
        )
        require(
            setup.locomotives_per_player == 3,
            "Every player must have three locomotives.",
        )
        for seats in SEATS_POSSIBLE:
            require(
                0 < setup.display.get(str(seats), 0) <= MOST_OPEN,
                "The file does not say how many wagon cards are open with {seats} players.",
                seats=seats,
            )
            require(
                setup.locomotives_used.get(str(seats)) == seats * setup.locomotives_per_player,
                "With {seats} players, {count} locomotive cards must be in use.",
                seats=seats,
                count=seats * setup.locomotives_per_player,
            )

    def _read_locomotives(self) -> None:
        self.locomotives = tuple(self.file.locomotives)
        self.locomotive = {loco.id: loco for loco in self.locomotives}
        _once(N_("The file has the locomotive {id} twice."), (loco.id for loco in self.locomotives))
        most = max(self.setup.locomotives_used.values())
        require(
            most <= len(self.locomotives) <= MOST_CARDS,
            "The file has {count} locomotives, but {most} are needed.",
            count=len(self.locomotives),
            most=most,
        )
        for loco in self.locomotives:
            require(
                loco.id.isascii() and loco.id.isalnum(),
                "The id of a locomotive may only have letters and digits, unlike {id}.",
                id=repr(loco.id),
            )
            require(
                loco.drive in DRIVES,
                "The locomotive {id} has the unknown drive {drive}.",
                id=loco.id,
                drive=repr(loco.drive),
            )
            require(
                0 < loco.multiplier <= 100 and 0 < loco.speed <= MOST and 0 < loco.power <= MOST,
                "Multiplier, power and speed of the locomotive {id} must be above 0.",
                id=loco.id,
            )
            require(
                loco.power % self.step == 0,
                "The power of the locomotive {id} must be a multiple of {step}.",
                id=loco.id,
                step=self.step,
            )

    def _read_wagons(self) -> None:
        self.wagons: dict[str, WagonCard] = {}
        self.counts: dict[str, int] = {}
        _once(
            N_("The file has the wagons {id} twice."), (record.kind for record in self.file.wagons)
        )
        for record in self.file.wagons:
            require(
                record.kind in KINDS,
                "There is no kind of wagon {kind}; the kinds are {known}.",
                kind=repr(record.kind),
                known=", ".join(KINDS),
            )
            require(
                sum(count for _, count in record.values) == record.count,
                "The numbers of the {kind} wagons do not add up to {count}.",
                kind=record.kind,
                count=record.count,
            )
            for value, count in record.values:
                name = f"{record.kind}{value}"
                require(
                    0 < value <= MOST and value % self.step == 0 and 0 < count <= MOST_CARDS,
                    "The value of {card} must be a multiple of {step}, and there must be one at least.",
                    card=name,
                    step=self.step,
                )
                require(name not in self.counts, "{card} is in the file twice.", card=name)
                self.wagons[name] = WagonCard(record.kind, value)
                self.counts[name] = count
        require(bool(self.wagons), "The file has no wagons.")
        self.special = {record.id: record for record in self.file.specials}
        _once(
            N_("The file has the special card {id} twice."),
            (record.id for record in self.file.specials),
        )
        for special in self.file.specials:
            require(
                special.id in SPECIALS,
                "There is no special card {id}; they are {known}.",
                id=repr(special.id),
                known=", ".join(SPECIALS),
            )
            require(
                0 <= special.count <= MOST_CARDS
                and 0 <= special.money <= MOST
                and 0 <= special.bonus <= 100
                and special.money % self.step == 0,
                "The special card {id} has an invalid number.",
                id=special.id,
            )
            self.counts[special.id] = special.count
        #: Order of the cards of the wagon deck.
        self.card_index = {name: index for index, name in enumerate(self.counts)}

    def _read_tiles(self) -> None:
        file = self.file
        self.order_tiles = tuple(sorted(file.order_tiles, key=lambda tile: tile.place))
        require(
            [tile.place for tile in self.order_tiles] == list(range(1, SEATS_POSSIBLE.stop)),
            "The order tiles must be numbered from 1 to 6.",
        )
        for tile in self.order_tiles:
            prices = [tile.replace_price, tile.replace_price_two_players or 0]
            require(
                all(0 <= price <= MOST and price % self.step == 0 for price in prices),
                "The price of order tile {place} must be a multiple of {step}.",
                place=tile.place,
                step=self.step,
            )
        self.auctions = tuple(tile.id for tile in file.auction_tiles)
        _once(N_("The file has the auction tile {id} twice."), self.auctions)
        for id_ in self.auctions:
            require(
                id_ in AUCTIONS,
                "There is no type of auction {id}; they are {known}.",
                id=repr(id_),
                known=", ".join(AUCTIONS),
            )
        require(
            len(self.auctions) >= self.setup.rounds,
            "There are fewer auction tiles than rounds.",
        )
        self.targets = {tile.id: tile for tile in file.target_tiles}
        _once(
            N_("The file has the target tile {id} twice."), (tile.id for tile in file.target_tiles)
        )
        most = (SEATS_POSSIBLE.stop - 1) * self.setup.targets_per_player
        require(
            len(self.targets) >= most,
            "The file has {count} target tiles, but {most} are needed.",
            count=len(self.targets),
            most=most,
        )
        for target in file.target_tiles:
            self._check_target(target)

    def _check_target(self, target: TargetTile) -> None:
        usable = target.condition in CONDITIONS and 0 <= target.bonus <= MOST
        args = target.args
        match target.condition:
            case "two_targets" | "wagons_on_each" | "wagons_total":
                usable = usable and isinstance(args.get("count"), int)
            case "wagons_of_kind":
                usable = usable and args.get("kind") in KINDS and isinstance(args.get("count"), int)
            case "drives":
                usable = usable and all(
                    drive in DRIVES and isinstance(count, int) for drive, count in args.items()
                )
            case "special_taken":
                cards = args.get("cards")
                usable = (
                    usable and isinstance(cards, list) and all(card in SPECIALS for card in cards)
                )
        require(
            usable and target.bonus % self.step == 0,
            "The condition or the bonus of the target tile {id} cannot be used.",
            id=repr(target.id),
        )
        require(
            all(char.isascii() and (char.isalnum() or char == "-") for char in target.id),
            "The id of a target tile may only have letters, digits and hyphens, unlike {id}.",
            id=repr(target.id),
        )

    # ---- look-ups

    def used(self, seats: int) -> int:
        """Number of locomotive cards used per round [setup-2]."""
        return self.setup.locomotives_used[str(seats)]

    def display(self, seats: int) -> int:
        """Number of open wagon cards [display-1]."""
        return self.setup.display[str(seats)]

    def replace_price(self, seats: int, place: int) -> int:
        """Price of replacing cards for the player in this place, from 0 [replace-2, replace-3]."""
        tile = self.order_tiles[place]
        if seats == 2 and tile.replace_price_two_players is not None:
            return tile.replace_price_two_players
        return tile.replace_price


def _once(template: str, ids: Iterable[str]) -> None:
    twice = [id_ for id_, count in Counter(ids).items() if count > 1]
    require(not twice, template, id=", ".join(twice))


@lru_cache
def standard_data() -> bytes:
    """The packaged component data."""
    return (resources.files("kursbuch.games.nimm") / "cards.json").read_bytes()
