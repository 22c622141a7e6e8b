"""Terms and options of Rails-18xx for 1835 and their equivalents here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from msgspec.structs import replace

from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction, Plural
from kursbuch.core.game import Game
from kursbuch.core.registry import Remark
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import (
    BuyShare,
    BuyTrain,
    Dividend,
    EnterRevenue,
    LayTile,
    Nationalise,
    OfferTrain,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.components import PERCENT, PLAYERS, POOL
from kursbuch.games.g18xx.g1835.ruleset import Ruleset1835
from kursbuch.games.g18xx.g1835.state import (
    AS_RAILS,
    FREE_REVENUE,
    FREE_TRACK,
    GROUP3_WITHOUT_PRUSSIA,
    MINORS_NEED_BAVARIA,
    PAYS_BEYOND_BANK,
    SAME_PRICE,
    UNLIMITED_TILES,
    State1835,
    Variants1835,
)
from kursbuch.games.g18xx.map.tiles import shown
from kursbuch.games.g18xx.rails18xx import Act, CannotTake, Needs, stations, turned

BAVARIA = "BY"

#: Name of the Bavarian director's certificate in the start packet of Rails.
BAVARIAN_DIRECTOR = "Bay"

#: Former names of companies.
OLDER = {
    "Bay": "BY",
    "Sax": "SX",
    "Bad": "BA",
    "Wrt": "WT",
    "Hes": "HE",
    "Mec": "MS",
    "Meck": "MS",
    "Mex": "MS",
    "Old": "OL",
    "Pr": "PR",
    "Pru": "PR",
}

#: Sources of trains and certificates other than companies and players.
PLACES = ("IPO", "Pool", "Unavailable")


def unknown(name: object, act: Act) -> CannotTake:
    """Refusal of an unknown name."""
    return CannotTake(
        "Action {number} ({kind}) names {name}, which is not known.",
        number=act.number,
        kind=act.kind,
        name=repr(name),
    )


class Names:
    """Current names for those of all versions, ignoring case."""

    def __init__(self, ruleset: Ruleset1835, players: Sequence[str]) -> None:
        self.players = players
        companies = ruleset.components.file.companies
        #: Our names by current Rails names.
        self.ours: dict[str, str] = {}
        records: tuple[Any, ...] = (*companies.public, *companies.minors, *companies.privates)
        for record in records:
            self.ours[record.ids_elsewhere.get("Rails", record.id)] = record.id
        self._today: Mapping[str, str] = {
            **{name.casefold(): name for name in self.ours},
            **{old.casefold(): new for old, new in OLDER.items()},
        }

    def today(self, name: str, act: Act) -> str:
        """Current name of a company or paper."""
        found = self._today.get(name.strip().casefold())
        if found is None:
            raise unknown(name, act)
        return found

    def current(self, act: Act) -> Act:
        """An action with current names; `CannotTake` reports an unknown one."""
        if act.seat < 0 and act.fields.get("playerName"):
            raise unknown(act["playerName"], act)
        return replace(act, fields={**act.fields, **dict(self._renamed(act))})

    def _renamed(self, act: Act) -> Iterator[tuple[str, str]]:
        company, item = act["companyName"], act["startItemName"]
        if company:
            yield "companyName", self.today(str(company), act)
        if item:
            found = self.today(str(item), act)
            yield "startItemName", BAVARIAN_DIRECTOR if found == BAVARIA else found
        for field in ("foldableCompanyNames", "foldedCompanyNames"):
            papers = [name for name in str(act[field] or "").split(",") if name.strip()]
            if papers:
                yield field, ",".join(self.today(name, act) for name in papers)
        if act["relaidBaseTokensString"]:
            entries = (
                part.partition(":") for part in str(act["relaidBaseTokensString"]).split(",")
            )
            yield (
                "relaidBaseTokensString",
                ",".join(f"{self.today(name, act)}:{city}" for name, _, city in entries),
            )
        if act.kind == "BuyTrain" and act["fromName"]:
            source = str(act["fromName"]).removeprefix("Bank_")
            yield "fromName", source if source in PLACES else self.today(source, act)
        if act["privateCompanyName"]:
            yield "privateCompanyName", self.today(str(act["privateCompanyName"]), act)
        holder = act["cashHolderName"]
        if holder and " ".join(str(holder).split()) not in self.players:
            yield "cashHolderName", self.today(str(holder), act)


#: The private that gives the right to a free tile or token on a hex [3.1.3.1, 3.1.3.2, 3.1.3.3].
RIGHTS = {
    ("LayBaseToken", "L14"): "NF",
    ("LayBaseToken", "L6"): "PF",
    ("LayTile", "L6"): "PF",
    ("LayTile", "M15"): "OB",
    ("LayTile", "M17"): "OB",
}


class Terms:
    """Translates single actions in the current position."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.ruleset: Ruleset1835 = game.title.ruleset  # type: ignore[attr-defined]
        components = self.ruleset.components
        self.board = components.board
        director = (paper.id for paper in components.packet.values() if paper.company == BAVARIA)
        #: Our names of companies and papers by Rails names.
        self.names: dict[str, str] = {
            **Names(self.ruleset, game.names).ours,
            BAVARIAN_DIRECTOR: next(director),
        }
        #: Holder of each train by its Rails id.
        self.trains: dict[str, str] = {}
        #: Rails rotations of tiles, which may differ from ours if they look the same.
        self.turned: dict[str, int] = {}

    @property
    def state(self) -> State1835:
        """Current state of the game."""
        state: State1835 = self.game.state
        return state

    def id(self, name: object, act: Act) -> str:
        """Our name of a company or paper."""
        found = self.names.get(str(name))
        if found is None:
            raise unknown(name, act)
        return found

    def company(self, act: Act) -> str:
        """Company of an action."""
        return self.id(act.company, act)

    def train(self, unique: object) -> str:
        """Type of a train with an id like "2+2_0"."""
        return str(unique).rpartition("_")[0]

    def purchase(self, act: Act) -> Action:
        """Translate a purchase: new, from the pool, or from another player."""
        company = self.company(act)
        percent = int(act["sharePerCert"] or 0)
        source = str(act["fromName"]).removeprefix("Bank_")
        if source == "IPO":
            top = self.ruleset.shares.top(self.state, company)
            name = top if PERCENT.get(top) == percent else str(percent)
            return BuyShare(act.seat, company, name)
        if source == "Pool":
            held = self.ruleset.certificates(self.state, POOL, company)
            return BuyShare(act.seat, company, self._of_size(held, percent), "pool")
        name = " ".join(source.removeprefix("Player_").split())
        if name not in self.game.names:
            raise unknown(act["fromName"], act)
        seat = self.game.names.index(name)
        held = self.ruleset.certificates(self.state, PLAYERS[seat], company)
        return Nationalise(act.seat, company, self._of_size(held, percent), seat)

    def _of_size(self, held: dict[str, int], percent: int) -> str:
        """A certificate of a size; the director's only if there is no other."""
        plain, director = str(percent), f"{percent}P"
        return director if plain not in held and director in held else plain

    def percent(self, act: Act) -> tuple[int, int]:
        """Certificate size in a sale, as Rails counts it, and the total sold."""
        unit = int(act["share"] or int(act["shareUnit"] or 0) * int(act["shareUnits"] or 1))
        return unit, unit * int(act["number"] or 0)

    def sales(self, act: Act, seat: int) -> list[SellShares]:
        """All sets of whole certificates that match a sale: those of the named size first, those
        with the director's certificate last."""
        company = self.company(act)
        unit, percent = self.percent(act)
        held = self.ruleset.certificates(self.state, PLAYERS[seat], company)
        sizes = [range(min(count, percent // PERCENT[name]) + 1) for name, count in held.items()]
        found = [
            tuple(name for name, count in zip(held, counts, strict=True) for _ in range(count))
            for counts in product(*sizes)
            if sum(n * PERCENT[name] for n, name in zip(counts, held, strict=True)) == percent
        ]
        found.sort(key=lambda names: (names[0].endswith("P"), -names.count(str(unit))))
        return [SellShares(seat, company, names) for names in found if names]

    def as_named(self, act: Act, sale: SellShares) -> bool:
        """Whether a sale uses only certificates of the named size, and the director's."""
        unit, _ = self.percent(act)
        return all(name in (str(unit), f"{PERCENT[name]}P") for name in sale.certificates)

    def short(self, act: Act, seat: int) -> dict[str, int]:
        """Available certificates of the named size, if there are some, but too few."""
        unit, percent = self.percent(act)
        held = self.ruleset.certificates(self.state, PLAYERS[seat], self.company(act))
        count = held.get(str(unit), 0)
        return {str(unit): count} if 0 < count * unit < percent else {}

    def most(self, act: Act, seat: int) -> dict[str, int]:
        """The largest set of certificates up to the amount sold, without the director's."""
        found: dict[str, int] = {}
        _, left = self.percent(act)
        held = self.ruleset.certificates(self.state, PLAYERS[seat], self.company(act))
        for name, count in held.items():
            taken = min(count, left // PERCENT[name])
            if taken and not name.endswith("P"):
                found[name] = taken
                left -= taken * PERCENT[name]
        return found

    def through(self, act: Act) -> bool:
        """Whether an action uses the right of a private."""
        return bool(act["specialPropertyId"])

    def building(self, act: Act, seat: int) -> Action:
        """Translate a tile or token."""
        hex = str(act["chosenHexName"])
        if hex not in self.board.names:
            raise unknown(hex, act)
        private = self._private(act, hex) if self.through(act) else ""
        if act.kind == "LayTile":
            tile = str(act["sLaidTileId"] or act["laidTileId"])
            if tile not in self.board.tiles:
                raise unknown(tile, act)
            rotation = turned(self.board.tile(tile), int(act["orientation"] or 0))
            self.turned[hex] = rotation
            return LayTile(seat, hex, tile, self.board.tile(tile).lowest[rotation], private)
        return PlaceStation(seat, hex, self.stop(hex, int(act["chosenStation"] or 1)), private)

    def places(self, act: Act, seat: int) -> list[PlaceStation]:
        """Candidates for a token: the named city, then the others on the hex, as versions number
        cities differently."""
        named = self.building(act, seat)
        assert isinstance(named, PlaceStation)
        face = shown(self.board, self.state.layout.tiles, named.hex)
        others = (replace(named, stop=stop) for stop in range(len(face.stops)))
        return [named, *(other for other in others if other != named)]

    def _private(self, act: Act, hex: str) -> str:
        """The private whose right is used on a hex."""
        if (act.kind, hex) in RIGHTS:
            return RIGHTS[act.kind, hex]
        raise CannotTake(
            "Action {number} ({kind}) uses a right that no private gives on {hex}.",
            number=act.number,
            kind=act.kind,
            hex=hex,
        )

    def stop(self, hex: str, station: int) -> int:
        """Our number of a stop by its Rails number, counted from 1."""
        laid = self.state.layout.tiles.get(hex)
        if laid is None:
            order = self.board.records[self.board.number(hex)].stops_elsewhere.get("Rails")
            found = station - 1
            return order[found] if order and 0 <= found < len(order) else found
        stops = stations(self.board.tile(laid.tile), self.turned[hex])
        return stops[station - 1] if 0 < station <= len(stops) else station - 1

    def best_runs(self, company: str) -> str:
        """Best runs of a company in words: "2+2: Berlin 40 + Leipzig 30 = 70; 2: …"."""
        shown = []
        for run in self.ruleset.depot.best_runs(self.state, company).runs:
            stops = " + ".join(
                f"{record.name or record.place or hex} {worth}"
                for hex, _, worth in run.calls
                for record in (self.board.records[self.board.number(hex)],)
            )
            toll = f" − {run.ferry}" if run.ferry else ""
            shown.append(f"{run.train}: {stops}{toll} = {run.value}")
        return "; ".join(shown)

    def train_purchase(self, act: Act, seat: int) -> Action:
        """Translate the purchase of a train from the bank, the pool or another company."""
        train = str(act["typeName"] or self.train(act["trainUniqueId"]))
        if train not in self.ruleset.components.train_order:
            raise unknown(act["typeName"] or act["trainUniqueId"], act)
        source = str(act["fromName"]).removeprefix("Bank_")
        if source == "IPO":
            return BuyTrain(seat, train)
        if source == "Pool":
            return BuyTrain(seat, train, "pool")
        return OfferTrain(seat, self.id(source, act), train, int(act["pricePaid"] or 0))

    def folded(self, act: Act) -> list[str]:
        """Papers exchanged for Prussian shares, in our order."""
        text = str(act["foldedCompanyNames"] or "")
        papers = [self.id(name, act) for name in text.split(",") if name]
        order = [*self.ruleset.components.privates, *self.ruleset.components.minors]
        return sorted(papers, key=lambda paper: order.index(paper) if paper in order else -1)


VARIANTS = {"": "standard", "standard": "standard", "clemens": "clemens", "snake": "snake"}
YES = ("yes", "true", "on")
NO = ("", "no", "false", "off", "none")

#: Options without effect on the rules, or that only decide which of our options may be set.
AIDS = (
    "MinorsRequireFloatedBY",
    "NetworthHidden",
    "NumberOfPlayers",
    "RevenueCalculation",
    "RouteAlgorithm",
    "RouteAwareness",
    "SeparateSalesAtSamePrice",
    "UnlimitedTiles",
)

#: Values of options that match our rules. The markers of NF and PF in the token step only, and a
#: later start of sales, merely restrict play there. Our sold-out rule ignores exchange shares of
#: Prussia, too; where Rails counts them, that is one of the deviations.
FITTING = {
    "BYFloatsAt": ("50%",),
    "FirstRoundSellRestriction": ("first round", "first stock round"),
    "NF_PfB_Westermann": (*YES, *NO),
    "NoMapMode": NO,
    "PrussianReservedIgnored": (*YES, *NO),
    # Options of other games that some versions write into every file.
    **dict.fromkeys(
        (
            "BeginnerGame",
            "LeaveAuctionOnPass",
            "TwoPlayersCertLimit70Percent",
            "UnlimitedBonusTokens",
            "UnlimitedTopTrains",
            "WithOptional6Train",
        ),
        NO,
    ),
}
_AIDS = {name.casefold() for name in AIDS}
_FITTING = {name.casefold(): values for name, values in FITTING.items()}
UNKNOWN_OPTION = N_("The option {name} of Rails-18xx, here {value}, is not known.")
NO_EQUIVALENT = N_("The option {name} of Rails-18xx, here {value}, has no equivalent.")
ALLOWED_ONLY = Plural(
    "Only the option {option} allows the action {actions}.",
    "Only the option {option} allows the actions {actions}.",
)
AS_THERE = Plural(
    "With the option {option} the action {actions} comes out as in Rails-18xx.",
    "With the option {option} the actions {actions} come out as in Rails-18xx.",
)
SOLD_AGAIN = Plural(
    "With the option {option} the action {actions} sells again at the first price.",
    "With the option {option} the actions {actions} sell again at the first price.",
)

#: Remark about an option, by default `ALLOWED_ONLY`.
SENTENCES = {SAME_PRICE: SOLD_AGAIN, AS_RAILS: AS_THERE}

#: Options that may make an action of a kind fit: without the option our game finds nothing to
#: decide and moves on.
PERHAPS = {
    "BuyCertificate": (GROUP3_WITHOUT_PRUSSIA,),
    "LayBaseToken": (FREE_TRACK,),
    "LayTile": (FREE_TRACK, UNLIMITED_TILES),
    "SetDividend": (FREE_REVENUE,),
    "StartCompany": (GROUP3_WITHOUT_PRUSSIA,),
}


def translated(given: Mapping[str, str]) -> tuple[dict[str, str], list[Remark]]:
    """Our options for those of a file, and remarks on unsupported ones. Case is ignored."""
    options: dict[str, str] = {}
    refused: list[Remark] = []
    for name, value in given.items():
        known, said = name.strip().casefold(), value.strip().casefold()
        if known in _AIDS or said in _FITTING.get(known, ()):
            continue
        if known == "variant" and said in VARIANTS:
            options["packet"] = VARIANTS[said]
        elif known == "ldincome" and said.rstrip("m") in ("20", "30"):
            options["ld-30"] = "on" if said.startswith("30") else "off"
        else:
            kept = known in _FITTING or known in ("variant", "ldincome")
            template = NO_EQUIVALENT if kept else UNKNOWN_OPTION
            refused.append(Remark((), template, {"name": name, "value": value or "–"}))
    return options, refused


def candidates(given: Mapping[str, str]) -> list[str]:
    """Our options that may be set if an action needs them."""
    values = {name.strip().casefold(): value.strip().casefold() for name, value in given.items()}
    found = [FREE_TRACK, GROUP3_WITHOUT_PRUSSIA, FREE_REVENUE, AS_RAILS, PAYS_BEYOND_BANK]
    if values.get("unlimitedtiles", "no") not in NO:
        found.append(UNLIMITED_TILES)
    if values.get("separatesalesatsameprice", "yes") not in NO:
        found.append(SAME_PRICE)
    if values.get("minorsrequirefloatedby", "no") not in NO or values.get("variant") == "clemens":
        found.append(MINORS_NEED_BAVARIA)
    return found


def perhaps(game: Game, kind: str) -> tuple[str, ...]:
    """Options that may explain why an action does not fit; unpaid credits can be the reason for
    any."""
    noted = any(amount > 0 for amount in game.state.ledger.items["note"].values())
    return (*PERHAPS.get(kind, ()), *([PAYS_BEYOND_BANK] if noted else ()))


def helpful(game: Game, may: Sequence[str], action: Action) -> str:
    """An option that makes a refused action legal, or empty."""
    house: Variants1835 = game.state.house
    return next(
        (
            option
            for option in may
            if not house.agreed(option) and allowed(game, action, house.having(option))
        ),
        "",
    )


def allowed(game: Game, action: Action, house: Variants1835) -> bool:
    """Whether an action is legal under other options."""
    state: State1835 = game.state
    kept, state.house = state.house, house
    try:
        game.position.check(action)
    except IllegalAction:
        return False
    finally:
        state.house = kept
    return True


def used(game: Game, may: Sequence[str], action: Action) -> list[str]:
    """Options that an action depends on; raise `Needs` if it requires another result."""
    house: Variants1835 = game.state.house
    found = [
        option
        for option in (FREE_TRACK, GROUP3_WITHOUT_PRUSSIA, UNLIMITED_TILES, AS_RAILS)
        if house.agreed(option) and not allowed(game, action, house.having(option, False))
    ]
    if AS_RAILS in may and _comes_out_otherwise(game, action):
        if not house.agreed(AS_RAILS):
            raise Needs(AS_RAILS)
        found.append(AS_RAILS)
    return found


def _comes_out_otherwise(game: Game, action: Action) -> bool:
    """Whether an action, legal either way, has another result with `AS_RAILS`."""
    match action:
        case PlaceStation(private=""):
            pass
        case Nationalise():
            pass
        case Dividend() | EnterRevenue() if game.state.opened:
            pass
        case _:
            return False
    found = []
    for on in (False, True):
        house = game.state.house.having(AS_RAILS, on)
        if not allowed(game, action, house):
            return False
        trial = game.position.clone()
        trial.state.house = house
        trial.perform(action)
        trial.state.house = game.state.house
        found.append(trial.state)
    return bool(found[0] != found[1])
