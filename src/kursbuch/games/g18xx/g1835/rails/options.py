"""The options of a game of Rails-18xx, and what ours needs to be played along it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction, Plural
from kursbuch.core.game import Game
from kursbuch.core.registry import Remark
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import Dividend, EnterRevenue, Nationalise, PlaceStation
from kursbuch.games.g18xx.g1835.state import State1835
from kursbuch.games.g18xx.g1835.variants import (
    AS_RAILS,
    FREE_REVENUE,
    FREE_TRACK,
    GROUP3_WITHOUT_PRUSSIA,
    MINORS_NEED_BAVARIA,
    PAYS_BEYOND_BANK,
    SAME_PRICE,
    UNLIMITED_TILES,
    Variants1835,
)
from kursbuch.games.g18xx.rails.search import Needs

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
