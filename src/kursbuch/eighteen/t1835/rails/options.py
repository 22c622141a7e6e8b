"""The options of a game of Rails-18xx, and what ours needs to be played along it."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction, Plural
from kursbuch.core.game import Game
from kursbuch.core.importing import Remark
from kursbuch.core.words import N_
from kursbuch.eighteen.actions import Dividend, EnterRevenue, Nationalise, PlaceStation
from kursbuch.eighteen.rails.search import Needs
from kursbuch.eighteen.t1835.house import (
    AS_RAILS,
    FREE_REVENUE,
    FREE_TRACK,
    GROUP3_WITHOUT_PRUSSIA,
    MINORS_NEED_BAVARIA,
    PAYS_BEYOND_BANK,
    SAME_PRICE,
    UNLIMITED_TILES,
    House1835,
)
from kursbuch.eighteen.t1835.state import State1835

VARIANTS = {"Standard": "standard", "Clemens": "clemens", "Snake": "snake"}

#: Options that do not change what is possible.
AIDS = {
    "NetworthHidden",
    "NumberOfPlayers",
    "RevenueCalculation",
    "RouteAlgorithm",
    "RouteAwareness",
}

#: Options ours has nothing for, with their usual values.
USUAL = {
    "BYFloatsAt": "50%",
    "FirstRoundSellRestriction": "First Round",
    "NF_PfB_Westermann": "no",
    "NoMapMode": "no",
}

NO = {"", "no", "false", "off", "none"}

UNKNOWN_OPTION = N_("The option {name} of Rails-18xx, here {value}, has no equivalent.")
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


def translated(given: dict[str, str]) -> tuple[dict[str, str], list[Remark]]:
    """Our options for those of a file, and those we have nothing for."""
    options: dict[str, str] = {}
    unknown: list[Remark] = []
    for name, value in given.items():
        if name == "Variant" and value in VARIANTS:
            options["packet"] = VARIANTS[value]
        elif name == "LDIncome" and value.rstrip("M") in ("20", "30"):
            options["ld-30"] = "on" if value.startswith("30") else "off"
        elif name in (
            "MinorsRequireFloatedBY",
            "PrussianReservedIgnored",
            "SeparateSalesAtSamePrice",
            "UnlimitedTiles",
            *AIDS,
        ):
            continue
        elif value != USUAL.get(name) and (name in USUAL or value.casefold() not in NO):
            unknown.append(Remark((), UNKNOWN_OPTION, {"name": name, "value": value}))
    return options, unknown


def candidates(given: dict[str, str]) -> list[str]:
    """The options of ours that may be set if an action needs them."""
    found = [FREE_TRACK, GROUP3_WITHOUT_PRUSSIA, FREE_REVENUE, AS_RAILS, PAYS_BEYOND_BANK]
    if given.get("UnlimitedTiles", "No").casefold() not in NO:
        found.append(UNLIMITED_TILES)
    if given.get("SeparateSalesAtSamePrice", "yes").casefold() not in NO:
        found.append(SAME_PRICE)
    if (
        given.get("MinorsRequireFloatedBY", "no").casefold() not in NO
        or given.get("Variant") == "Clemens"
    ):
        found.append(MINORS_NEED_BAVARIA)
    return found


def perhaps(game: Game, kind: str) -> tuple[str, ...]:
    """The options that may be the reason that an action of this kind does not fit. Money that is noted
    may be missing for anything."""
    noted = any(amount > 0 for amount in game.state.ledger.items["note"].values())
    return (*PERHAPS.get(kind, ()), *([PAYS_BEYOND_BANK] if noted else ()))


def helpful(game: Game, may: Sequence[str], action: Action) -> str:
    """An option that would allow an action refused without it; empty if none would."""
    house: House1835 = game.state.house
    return next(
        (
            option
            for option in may
            if not house.agreed(option) and allowed(game, action, house.having(option))
        ),
        "",
    )


def allowed(game: Game, action: Action, house: House1835) -> bool:
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
    house: House1835 = game.state.house
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
