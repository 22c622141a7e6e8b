"""Terms and options of Rails-18xx for 1835, and their equivalents here."""

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

#: What that program calls the Bavarian director's certificate in its start packet.
BAVARIAN_DIRECTOR = "Bay"

#: Older names of companies.
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

#: Where a train or a certificate comes from if not from a company or a player.
PLACES = ("IPO", "Pool", "Unavailable")


def unknown(name: object, act: Act) -> CannotTake:
    """The refusal of a name."""
    return CannotTake(
        "Action {number} ({kind}) names {name}, which is not known.",
        number=act.number,
        kind=act.kind,
        name=repr(name),
    )


class Names:
    """The names of today for those of any version, in any letter case."""

    def __init__(self, ruleset: Ruleset1835, players: Sequence[str]) -> None:
        self.players = players
        companies = ruleset.components.file.companies
        #: Our names by those of today.
        self.ours: dict[str, str] = {}
        records: tuple[Any, ...] = (*companies.public, *companies.minors, *companies.privates)
        for record in records:
            self.ours[record.ids_elsewhere.get("Rails", record.id)] = record.id
        self._today: Mapping[str, str] = {
            **{name.casefold(): name for name in self.ours},
            **{old.casefold(): new for old, new in OLDER.items()},
        }

    def today(self, name: str, act: Act) -> str:
        """A company or paper."""
        found = self._today.get(name.strip().casefold())
        if found is None:
            raise unknown(name, act)
        return found

    def current(self, act: Act) -> Act:
        """An action with the names of today; `CannotTake` says which is not known."""
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


#: Whose right a free tile or station on a hex is [3.1.3.1, 3.1.3.2, 3.1.3.3].
RIGHTS = {
    ("LayBaseToken", "L14"): "NF",
    ("LayBaseToken", "L6"): "PF",
    ("LayTile", "L6"): "PF",
    ("LayTile", "M15"): "OB",
    ("LayTile", "M17"): "OB",
}


class Terms:
    """Translates single actions for the game as it stands."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.ruleset: Ruleset1835 = game.title.ruleset  # type: ignore[attr-defined]
        components = self.ruleset.components
        self.board = components.board
        director = (paper.id for paper in components.packet.values() if paper.company == BAVARIA)
        #: Our names of companies and papers by theirs.
        self.names: dict[str, str] = {
            **Names(self.ruleset, game.names).ours,
            BAVARIAN_DIRECTOR: next(director),
        }
        #: The company or place that has a train, by that program's name for the single train.
        self.trains: dict[str, str] = {}
        #: How the tiles are turned there, which may look the same in another rotation.
        self.turned: dict[str, int] = {}

    @property
    def state(self) -> State1835:
        """The state as it is now."""
        state: State1835 = self.game.state
        return state

    def id(self, name: object, act: Act) -> str:
        """Our name of a company or paper."""
        found = self.names.get(str(name))
        if found is None:
            raise unknown(name, act)
        return found

    def company(self, act: Act) -> str:
        """The company an action is about."""
        return self.id(act.company, act)

    def train(self, unique: object) -> str:
        """The type of a train that is named "2+2_0"."""
        return str(unique).rpartition("_")[0]

    def purchase(self, act: Act) -> Action:
        """A certificate, new or old, or from another player."""
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
        """A certificate of that size, the director's only if there is no other."""
        plain, director = str(percent), f"{percent}P"
        return director if plain not in held and director in held else plain

    def percent(self, act: Act) -> tuple[int, int]:
        """The size of the certificates an action sells, as that program counts them, and all it sells."""
        unit = int(act["share"] or int(act["shareUnit"] or 0) * int(act["shareUnits"] or 1))
        return unit, unit * int(act["number"] or 0)

    def sales(self, act: Act, seat: int) -> list[SellShares]:
        """All sets of whole certificates that make up what an action sells: those with the director's
        certificate last, before them those with the most certificates of the size it names."""
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
        """Whether a sale is one of certificates of the size an action names, and the director's."""
        unit, _ = self.percent(act)
        return all(name in (str(unit), f"{PERCENT[name]}P") for name in sale.certificates)

    def short(self, act: Act, seat: int) -> dict[str, int]:
        """The certificates of the size an action names, if there are some, but fewer than it sells."""
        unit, percent = self.percent(act)
        held = self.ruleset.certificates(self.state, PLAYERS[seat], self.company(act))
        count = held.get(str(unit), 0)
        return {str(unit): count} if 0 < count * unit < percent else {}

    def most(self, act: Act, seat: int) -> dict[str, int]:
        """As many certificates of a player as make up what an action sells or less, without the
        director's."""
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
        """Whether the right of a private railway is used."""
        return bool(act["specialPropertyId"])

    def building(self, act: Act, seat: int) -> Action:
        """A tile or a station marker."""
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
        """The station an action places: in the city it names, then in the others of the hex, since
        versions number cities in different ways."""
        named = self.building(act, seat)
        assert isinstance(named, PlaceStation)
        face = shown(self.board, self.state.layout.tiles, named.hex)
        others = (replace(named, stop=stop) for stop in range(len(face.stops)))
        return [named, *(other for other in others if other != named)]

    def _private(self, act: Act, hex: str) -> str:
        """Whose right a tile or station on a hex is."""
        if (act.kind, hex) in RIGHTS:
            return RIGHTS[act.kind, hex]
        raise CannotTake(
            "Action {number} ({kind}) uses a right that no private gives on {hex}.",
            number=act.number,
            kind=act.kind,
            hex=hex,
        )

    def stop(self, hex: str, station: int) -> int:
        """The number of a stop that program calls a station, counted from 1."""
        laid = self.state.layout.tiles.get(hex)
        if laid is None:
            order = self.board.records[self.board.number(hex)].stops_elsewhere.get("Rails")
            found = station - 1
            return order[found] if order and 0 <= found < len(order) else found
        stops = stations(self.board.tile(laid.tile), self.turned[hex])
        return stops[station - 1] if 0 < station <= len(stops) else station - 1

    def best_runs(self, company: str) -> str:
        """The best runs of a company: "2+2: Berlin 40 + Leipzig 30 = 70; 2: …"."""
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
        """A train of the bank, the pool or another company."""
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
        """The papers exchanged for Prussian shares, in our order."""
        text = str(act["foldedCompanyNames"] or "")
        papers = [self.id(name, act) for name in text.split(",") if name]
        order = [*self.ruleset.components.privates, *self.ruleset.components.minors]
        return sorted(papers, key=lambda paper: order.index(paper) if paper in order else -1)


VARIANTS = {"": "standard", "standard": "standard", "clemens": "clemens", "snake": "snake"}
YES = ("yes", "true", "on")
NO = ("", "no", "false", "off", "none")

#: Options that do not change what is possible, or only whether it needs an option of ours.
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

#: Options of which only some values leave the game as it is here. With the markers of NF and PF only in the
#: step in which markers are placed, and with sales that begin later, less is possible there, and nothing else.
#: Exchange shares of Prussia are ignored here, too, when shares are sold out; where they are not there, that
#: is one of the `deviations`.
FITTING = {
    "BYFloatsAt": ("50%",),
    "FirstRoundSellRestriction": ("first round", "first stock round"),
    "NF_PfB_Westermann": (*YES, *NO),
    "NoMapMode": NO,
    "PrussianReservedIgnored": (*YES, *NO),
    # Options of other games, which some versions write into every file.
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

#: What is said about an option, where that is not `ALLOWED_ONLY`.
SENTENCES = {SAME_PRICE: SOLD_AGAIN, AS_RAILS: AS_THERE}

#: What may be the reason that our game does not come to an action, by its kind: without the option it
#: finds nothing to decide and goes on by itself.
PERHAPS = {
    "BuyCertificate": (GROUP3_WITHOUT_PRUSSIA,),
    "LayBaseToken": (FREE_TRACK,),
    "LayTile": (FREE_TRACK, UNLIMITED_TILES),
    "SetDividend": (FREE_REVENUE,),
    "StartCompany": (GROUP3_WITHOUT_PRUSSIA,),
}


def translated(given: Mapping[str, str]) -> tuple[dict[str, str], list[Remark]]:
    """Our options for those of a file, and those we have nothing for. Letter case does not matter."""
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
    """The options of ours that may be set if an action needs them."""
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
    """The options that may be the reason that an action of this kind does not fit. Money that is noted
    may be missing for anything."""
    noted = any(amount > 0 for amount in game.state.ledger.items["note"].values())
    return (*PERHAPS.get(kind, ()), *([PAYS_BEYOND_BANK] if noted else ()))


def helpful(game: Game, may: Sequence[str], action: Action) -> str:
    """An option that would allow an action refused without it; empty if none would."""
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
    """Whether an action would be allowed with other options."""
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
    """The options without which an action is not allowed, or comes out otherwise. `Needs` if it would
    have to come out otherwise."""
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
    """Whether an action that is allowed with `AS_RAILS` and without it has different results."""
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
