"""Conventions of Rails-18xx: what its versions call the fields of actions, and how it turns tiles
and numbers cities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from kursbuch.games.g18xx.map.board import STOP, Face, Tile
from kursbuch.games.g18xx.rails.save import Act
from kursbuch.games.g18xx.rails.search import CannotTake

#: Fields under their older names, by class.
OLDER: Mapping[str, Mapping[str, str]] = {
    "CashCorrectionAction": {"correctAmount": "amount"},
    "SellShares": {"numberSold": "number"},
}

#: The fields an import rests on, by class; of those that stand together one is enough.
NEEDED: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "AdjustSharePrice": (("companyName",),),
    "BuyCertificate": (("companyName",), ("sharePerCert",), ("fromName",)),
    "BuyStartItem": (("startItemName",),),
    "BuyTrain": (("companyName",), ("trainUniqueId",), ("fromName",), ("pricePaid",)),
    "CashCorrectionAction": (("amount",),),
    "DiscardTrain": (("companyName",), ("discardedTrainUniqueId",)),
    "FoldIntoPrussian": (("foldableCompanyNames",), ("foldedCompanyNames",)),
    "GameAction": (("mode",),),
    "LayBaseToken": (("companyName",), ("chosenHexName",), ("chosenStation",)),
    "LayTile": (
        ("companyName",),
        ("chosenHexName",),
        ("sLaidTileId", "laidTileId"),
        ("orientation",),
    ),
    "NullAction": (("mode",),),
    "SellShares": (("companyName",), ("share", "shareUnit"), ("number",)),
    "SetDividend": (("companyName",), ("actualRevenue",), ("revenueAllocation",)),
    "StartCompany": (("companyName",), ("sharePerCert",), ("fromName",)),
}
_KNOWN = """
    acted active actualCompanyTreasuryRevenue actualRevenue addedCash allowedRevenueAllocations
    amount associatedBuildingRight associatedSharePrice cashHolderName cashHolderType certUniqueId
    chosenDirection chosenHexName chosenStation companyName companyNeedingSharePrice correctAmount
    correctionName cost destOwnerName directions discardedTrainUniqueId exchangedTrainUniqueId
    extraMessage filepath filePath fixedCost floatPercentage foldableCompanyNames foldedCompanyNames forced
    forcedBuyIfHasRoute forcedBuyIfNoRoute forcedExchange fromName hexName itemIndex laidTileId
    locationCoordinates locationNames maximumNegative maximumNumber mayUserSetRevenue mode
    moveStackIndex nextStepName number numberBought numberSold optionalLabel orientation
    ownedTrainsUniqueIds playerCash playerIndex playerName presetCompanyTreasuryRevenue presetRevenue president
    presidentCashToAdd presidentExchange presidentMayAddCash presidentMustAddCash price pricePaid
    privateCompanyName relaidBaseTokens relaidBaseTokensString relayBaseTokens requiredCash
    revenueAllocation rotation selected setSharePriceOnly share sharePerCert sharePriceToSet
    shareUnit shareUnits sLaidTileId sourceOwnerName specialPropertyId startingPrice startItemName
    startPrices startSpaces stepName sTileIds tileColours tileIds tileNumber trainId
    trainsForExchangeUniqueIds trainUniqueId type typeName
"""

#: The fields that are known, of any class.
KNOWN = frozenset(_KNOWN.split())

#: Fields that hold numbers.
NUMBERS = (
    "actualRevenue",
    "amount",
    "chosenStation",
    "number",
    "orientation",
    "price",
    "pricePaid",
    "revenueAllocation",
    "share",
    "sharePerCert",
    "shareUnit",
    "shareUnits",
)


def _says_something(value: Any) -> bool:
    """Whether a field holds anything but what it begins with."""
    return value not in (None, False, 0, "", [], {})


def current(act: Act) -> Act:
    """An action with the names of today; `CannotTake` names a field that is missing or not known."""
    fields = dict(act.fields)
    for old, new in OLDER.get(act.kind, {}).items():
        if old in fields and new not in fields:
            fields[new] = fields.pop(old)
    for name, value in fields.items():
        if name not in KNOWN and _says_something(value):
            raise CannotTake(
                "Action {number} ({kind}) has a field that is not known: {name}.",
                number=act.number,
                kind=act.kind,
                name=name,
            )
    for names in NEEDED.get(act.kind, ()):
        if not any(name in fields for name in names):
            raise CannotTake(
                "Action {number} ({kind}) lacks the field {name}.",
                number=act.number,
                kind=act.kind,
                name=names[0],
            )
    for name in NUMBERS:
        if not isinstance(fields.get(name, 0), int | None):
            raise CannotTake(
                "Action {number} ({kind}) has no number in the field {name}.",
                number=act.number,
                kind=act.kind,
                name=name,
            )
    return replace(act, fields=fields)


def turned(tile: Tile, orientation: int) -> int:
    """Our rotation of a tile that has this orientation in that program."""
    return (orientation + tile.record.rotation_elsewhere.get("Rails", 0)) % 6


def stations(tile: Tile, rotation: int) -> list[int]:
    """The stops that program numbers from 1 on a tile in this rotation, as numbers of the stops in
    the rotation that we use for all that look the same."""
    face, shown = tile.faces[rotation], tile.faces[tile.lowest[rotation]]

    def exits(of: Face, stop: int) -> set[int]:
        return {path.a for path in of.paths if path.b == STOP + stop}

    found = []
    for stop in tile.record.stops_elsewhere.get("Rails") or range(len(face.stops)):
        same = (
            other
            for other in range(len(shown.stops))
            if exits(shown, other) == exits(face, stop) and other not in found
        )
        found.append(next(same, stop))
    return found
