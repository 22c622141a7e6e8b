"""Games of the program Rails-18xx: save files, conventions of its versions, and a search for choices
that no file states."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import combinations, islice, product
from typing import Any, NamedTuple, Protocol, Self, TypeVar

import javaobj.v2.beans as beans
import msgspec
from javaobj.constants import TerminalCode
from javaobj.v2.core import JavaStreamParser
from javaobj.v2.transformers import DefaultObjectTransformer
from msgspec.structs import replace

from kursbuch.core.errors import KursbuchError
from kursbuch.core.registry import Progress
from kursbuch.games.g18xx.map.board import STOP, Face, Tile

#: Maximum number of replays of a game from an open point.
MOST_ATTEMPTS = 200

#: Maximum number of replays before an action is taken over against a rule, or passed over.
MOST_BEFORE_BROKEN = 20

#: The choice at a point: where in the file it came up, what it was about, which of several there.
Key = tuple[int, str, int]

#: The number of the answer taken at points; the first where nothing is said.
Picks = Mapping[Key, int]


class Point(NamedTuple):
    """A choice that is not in the file: how many answers there are, and which was taken."""

    key: Key
    answers: int
    taken: int


class Needs(Exception):
    """The game cannot be played along the file without an option."""

    def __init__(self, option: str) -> None:
        self.option = option


class CannotTake(KursbuchError):
    """An action cannot be taken over, however the game has gone."""


class DoesNotFit(CannotTake):
    """An action cannot be taken over as the game has gone. `perhaps` are options that may be the
    reason; `broken` is the rule it breaks, if it could be taken over against it; `near` says that only
    points about the same company can help then. An action that is `empty` may decide nothing."""

    perhaps: tuple[str, ...] = ()
    broken: str = ""
    near: bool = False
    empty: bool = False


class Attempt(Protocol):
    """A game played along a file. `picks` are the answers at points, `points` those met, `head` is the
    place of the first action not taken over, `about` what that action is about."""

    @property
    def picks(self) -> Picks: ...

    @property
    def points(self) -> Sequence[Point]: ...

    @property
    def head(self) -> int: ...

    @property
    def about(self) -> str: ...

    def run(self, progress: Progress | None) -> KursbuchError | None:
        """Go on to the end; returns why it could not."""
        ...

    def again(self, picks: Picks) -> Self:
        """The same up to the first of these points, with these answers."""
        ...

    def overrule(self) -> Self:
        """The same, where the next action is taken over even against a rule, or passed over if it is empty."""
        ...


AttemptT = TypeVar("AttemptT", bound=Attempt)

#: Starts again with an option and the answers found so far; None if it cannot be set.
Restart = Callable[[AttemptT, str], AttemptT | None]


def search(
    attempt: AttemptT, restart: Restart[AttemptT], progress: Progress | None
) -> tuple[AttemptT, KursbuchError | None]:
    """The attempt that comes furthest, and why it could not go on."""
    attempt, stopped = _run(attempt, restart, progress)
    left = MOST_ATTEMPTS
    overruled: set[tuple[int, str]] = set()
    while isinstance(stopped, DoesNotFit):
        most = min(left, MOST_BEFORE_BROKEN) if stopped.broken or stopped.empty else left
        for trial in islice(_trials(attempt, stopped, restart), most):
            left -= 1
            found, why = _run(trial, restart, progress)
            if why is None or found.head > attempt.head:
                attempt, stopped = found, why
                break
        else:
            here = (attempt.head, stopped.broken)
            if not (stopped.broken or stopped.empty) or here in overruled:
                break
            overruled.add(here)
            attempt, stopped = _run(attempt.overrule(), restart, progress)
    return attempt, stopped


def _run(
    attempt: AttemptT, restart: Restart[AttemptT], progress: Progress | None
) -> tuple[AttemptT, KursbuchError | None]:
    """Play to the end, with the options that takes."""
    while True:
        try:
            return attempt, attempt.run(progress)
        except Needs as needs:
            again = restart(attempt, needs.option)
            assert again is not None, "an option that is set already is not needed"
            attempt = again


def _trials(
    attempt: AttemptT, stopped: DoesNotFit, restart: Restart[AttemptT]
) -> Iterator[AttemptT]:
    """What may lead further, the likeliest first: another option, another answer at one point, at
    two of the same company, at any two."""
    for option in stopped.perhaps:
        again = restart(attempt, option)
        if again is not None:
            yield again
    newest = attempt.points[::-1]
    related = [point for point in newest if point.key[1] == attempt.about]
    order = related + [point for point in newest if point.key[1] != attempt.about]
    if stopped.near:
        order = related
    pairs = () if stopped.broken else (*combinations(related, 2), *combinations(order, 2))
    for group in (*combinations(order, 1), *pairs):
        others = ([n for n in range(point.answers) if n != point.taken] for point in group)
        for taken in product(*others):
            picks = zip((point.key for point in group), taken, strict=True)
            yield attempt.again(dict(picks))


#: What a file begins with. Compressed ones are not saved by that program.
MAGIC = b"\xac\xed\x00\x05"

#: Files have some thousand objects of some thirty classes.
MOST_OBJECTS, MOST_CLASSES = 50_000, 200

#: How many classes one is derived from, and how deep values stand in others.
MOST_ANCESTORS, MOST_LEVELS = 20, 50

#: Values and characters of a file, each counted wherever it stands.
MOST_CONTENT = 5_000_000

# It logs what it does not understand and then raises.
logging.getLogger("javaobj").setLevel(logging.CRITICAL)


class JavaObject(NamedTuple):
    """An object of a class nothing is known about: the name of the class without the package, and its fields."""

    kind: str
    fields: dict[str, Any]


class TooMuch(Exception):
    """The file stands for more than any game has."""


def values(data: bytes) -> list[Any]:
    """The values in the content of a file, `TooMuch` if they are too large. Whatever else is raised means that it
    cannot be read."""
    if not data.startswith(MAGIC):
        raise ValueError("no serialization of Java")
    plain = _Values()
    return [plain.of(part) for part in _Parser(data).run()]


class _Parser(JavaStreamParser):
    """Reads a stream with no more objects and classes than games have."""

    def __init__(self, data: bytes) -> None:
        super().__init__(BytesIO(data), [DefaultObjectTransformer()])  # type: ignore[no-untyped-call]
        self._objects = 0
        #: How many classes each one that was read is derived from.
        self._ancestors: dict[int, int] = {}

    def _new_handle(self) -> int:
        self._objects += 1
        if self._objects > MOST_OBJECTS:
            raise TooMuch
        handle: int = super()._new_handle()
        return handle

    def _do_classdesc(self, type_code: int) -> Any:
        found: Any = super()._do_classdesc(type_code)
        if type_code in (TerminalCode.TC_CLASSDESC, TerminalCode.TC_PROXYCLASSDESC):
            above = found.super_class
            # One that is derived from itself has not been read to its end.
            ancestors = 0 if above is None else self._ancestors[above.handle] + 1
            self._ancestors[found.handle] = ancestors
            if ancestors > MOST_ANCESTORS or len(self._ancestors) > MOST_CLASSES:
                raise TooMuch
        return found


class _Values:
    """Java values as Python values. Lists are known by their class or their one field. A value that is shared is one
    value here as well, but counts wherever it stands: a reader that goes through it meets it as often."""

    def __init__(self) -> None:
        #: What is known by the identity of the Java value, with how much it counts; None while it is looked at.
        self._known: dict[int, tuple[Any, int] | None] = {}
        #: These values, so that no other one gets their identity.
        self._held: list[object] = []
        self._content = 0
        self._levels = 0

    def of(self, value: Any) -> Any:
        """The Python value of one that stands by itself in the file."""
        found, content = self._plain(value)
        self._content += content
        if self._content > MOST_CONTENT:
            raise TooMuch
        return found

    def _plain(self, value: Any) -> tuple[Any, int]:
        if value is None or isinstance(value, bool | int | float):
            return value, 1
        if id(value) in self._known:
            known = self._known[id(value)]
            if known is None:
                raise TooMuch  # it contains itself
            return known
        self._known[id(value)] = None
        self._held.append(value)
        self._levels += 1
        if self._levels > MOST_LEVELS:
            raise TooMuch
        result = self._known[id(value)] = self._new(value)
        self._levels -= 1
        if result[1] > MOST_CONTENT:
            raise TooMuch
        return result

    def _new(self, value: Any) -> tuple[Any, int]:
        if isinstance(value, str | beans.JavaString):
            text = str(value)
            return text, 1 + len(text)
        if isinstance(value, beans.JavaEnum):
            text = str(value.value)
            return text, 1 + len(text)
        if isinstance(value, dict):
            keys, keyed = self._all(value)
            found, content = self._all(value.values())
            return dict(zip(keys, found, strict=True)), keyed + content
        if isinstance(value, list | tuple | set):
            return self._all(value)
        if isinstance(value, beans.JavaInstance):
            if hasattr(value, "value"):
                return self._plain(value.value)
            given = [one for group in value.field_data.values() for one in group.items()]
            found, content = self._all(held for _, held in given)
            fields = {field.name: one for (field, _), one in zip(given, found, strict=True)}
            if isinstance(fields.get("elements"), list):
                return fields["elements"], content
            return JavaObject(str(value.classdesc.name).rpartition(".")[2], fields), content
        return None, 1

    def _all(self, given: Iterable[Any]) -> tuple[list[Any], int]:
        """Several values in a list, and how much they count together."""
        found, total = [], 1
        for one in given:
            plain, content = self._plain(one)
            total += content
            if total > MOST_CONTENT:
                raise TooMuch
            found.append(plain)
        return found, total


#: Modes of actions that some versions write as numbers.
NULL_MODES = ("DONE", "PASS", "SKIP", "AUTOPASS", "START_GAME")
GAME_MODES = ("SAVE", "LOAD", "UNDO", "FORCED_UNDO", "REDO", "EXPORT", "RELOAD")

#: A list of players cannot be longer.
MOST_PLAYERS = 20


class Act(msgspec.Struct, frozen=True):
    """One action: its number in the file from 0, the name of its class without the package, who
    made it (the seat, -1 if none), and its fields by name."""

    number: int
    kind: str
    seat: int
    fields: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.fields.get(name)

    @property
    def mode(self) -> str:
        """The mode of an action without any other content."""
        mode = self["mode"]
        if isinstance(mode, int):
            names = GAME_MODES if self.kind == "GameAction" else NULL_MODES
            return names[mode] if 0 <= mode < len(names) else str(mode)
        return str(mode or "")

    @property
    def company(self) -> str:
        """The company it is about, as that program calls it."""
        return str(self["companyName"] or "")


class Save(NamedTuple):
    """A save file."""

    game: str
    options: dict[str, str]
    players: list[str]
    actions: list[Act]


def read(data: bytes) -> Save:
    """The content of a save file; `KursbuchError` says if it is none."""
    pass

    try:
        parts = values(data)
    except TooMuch:
        raise KursbuchError(
            "This save file of Rails-18xx holds more than a game can have."
        ) from None
    except (Exception, RecursionError):  # whatever goes wrong inside means the same
        raise KursbuchError("This is not a save file of Rails-18xx.") from None
    head, rest = parts[:6], parts[6:]
    if (
        len(head) < 6
        or not all(isinstance(head[place], str) for place in (0, 1, 3))
        or not isinstance(head[4], dict)
        or not isinstance(head[5], list)
        or len(head[5]) > MOST_PLAYERS
        or not all(isinstance(name, str) for name in head[5])
    ):
        raise KursbuchError("This is not a save file of Rails-18xx.")
    players: list[str] = head[5]
    options = {str(name): str(value) for name, value in head[4].items()}
    return Save(head[3], options, players, list(_actions(rest, players)))


def _actions(parts: Sequence[Any], players: list[str]) -> Iterator[Act]:
    pass

    number = 0
    for part in parts:
        # Old files have one list of all actions; comments follow in a map.
        for found in part if isinstance(part, list) else [part]:
            if not isinstance(found, JavaObject):
                continue
            name = found.fields.get("playerName")
            seat = players.index(name) if name in players else found.fields.get("playerIndex")
            yield Act(number, found.kind, seat if isinstance(seat, int) else -1, found.fields)
            number += 1


def settled(actions: Sequence[Act], shift: int = 0) -> list[Act]:
    """The actions without those that were taken back; what was taken back can come again.

    Without an index the last move is meant. An index counts the moves that are kept; versions may
    count from another number, which `shift` adds.
    """
    kept: list[Act] = []
    undone: list[Act] = []
    for act in actions:
        if act.kind != "GameAction":
            kept.append(act)
            undone.clear()
        elif act.mode in ("UNDO", "FORCED_UNDO", "REDO"):
            source, target = (undone, kept) if act.mode == "REDO" else (kept, undone)
            index = act["moveStackIndex"]
            count = 1
            if isinstance(index, int) and index >= 0:
                count = abs(len(kept) - max(index + shift, 0))
                if (index + shift > len(kept)) != (act.mode == "REDO"):
                    count = 0
            if not 0 < count <= len(source):
                raise KursbuchError(
                    "Action {number} ({mode}) takes back or repeats moves that are not there.",
                    number=act.number,
                    mode=act.mode,
                )
            for _ in range(count):
                target.append(source.pop())
    return kept


def readings(actions: Sequence[Act]) -> list[list[Act]]:
    """The actions without those that were taken back, in every way the numbers of moves can be
    meant, the likeliest first. `KursbuchError` names the action where none makes sense."""
    found: list[list[Act]] = []
    problem: KursbuchError | None = None
    for shift in (0, 1, -1):
        try:
            kept = settled(actions, shift)
        except KursbuchError as error:
            problem = problem or error
            continue
        if kept not in found:
            found.append(kept)
    if not found and problem is not None:
        raise problem
    return found


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
