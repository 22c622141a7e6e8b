"""Games of the program Rails-18xx: save files, conventions of its versions, and a search for
choices the file does not record."""

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
MAX_ATTEMPTS = 200

#: Maximum number of replays before taking an action over against a rule, or skipping it.
MAX_BEFORE_BROKEN = 20

#: Identifies a choice: place in the file, subject, and number among equal ones.
Key = tuple[int, str, int]

#: The answer taken at each point, by default the first.
Picks = Mapping[Key, int]


class Point(NamedTuple):
    """A choice the file does not record: the number of answers, and the one taken."""

    key: Key
    answers: int
    taken: int


class Needs(Exception):
    """The game needs an option to follow the file."""

    def __init__(self, option: str) -> None:
        self.option = option


class CannotTake(KursbuchError):
    """An action cannot be taken over, whatever happened before."""


class DoesNotFit(CannotTake):
    """An action cannot be taken over as the game has gone. `perhaps` are options that may be the
    reason; `broken` is the rule it breaks, if it could be taken over against it; `near` limits help
    to points about the same company. An `empty` action may have no effect."""

    perhaps: tuple[str, ...] = ()
    broken: str = ""
    near: bool = False
    empty: bool = False


class Attempt(Protocol):
    """A replay of a file. `picks` are the answers at points, `points` those met, `head` is the
    index of the first action not taken over, `about` its company."""

    @property
    def picks(self) -> Picks: ...

    @property
    def points(self) -> Sequence[Point]: ...

    @property
    def head(self) -> int: ...

    @property
    def about(self) -> str: ...

    def run(self, progress: Progress | None) -> KursbuchError | None:
        """Play to the end; return what stopped it, if anything."""
        ...

    def again(self, picks: Picks) -> Self:
        """Resume at the first of these points, with these answers."""
        ...

    def overrule(self) -> Self:
        """Retry, taking over the next action against a rule, or skipping it if it is empty."""
        ...


AttemptT = TypeVar("AttemptT", bound=Attempt)

#: Restart with an option and the answers found so far; None if it cannot be set.
Restart = Callable[[AttemptT, str], AttemptT | None]


def search(
    attempt: AttemptT, restart: Restart[AttemptT], progress: Progress | None
) -> tuple[AttemptT, KursbuchError | None]:
    """The attempt that comes furthest, and what stopped it."""
    attempt, stopped = _run(attempt, restart, progress)
    left = MAX_ATTEMPTS
    overruled: set[tuple[int, str]] = set()
    while isinstance(stopped, DoesNotFit):
        most = min(left, MAX_BEFORE_BROKEN) if stopped.broken or stopped.empty else left
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
    """Play to the end, setting the options this takes."""
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
    """Attempts that may get further, likeliest first: another option, another answer at one point,
    at two of the same company, at any two."""
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


#: First bytes of a save file. Rails does not compress files.
MAGIC = b"\xac\xed\x00\x05"

#: Limits for a file; real ones have some thousand objects of some thirty classes.
MAX_OBJECTS, MAX_CLASSES = 50_000, 200

#: Limits of class inheritance and of nesting.
MAX_ANCESTORS, MAX_LEVELS = 20, 50

#: Limit of values and characters, counting each occurrence.
MAX_CONTENT = 5_000_000

# It logs what it does not understand and then raises.
logging.getLogger("javaobj").setLevel(logging.CRITICAL)


class JavaObject(NamedTuple):
    """An object of an unknown class: class name without package, and fields."""

    kind: str
    fields: dict[str, Any]


class TooMuch(Exception):
    """The file is larger than any game."""


def values(data: bytes) -> list[Any]:
    """Parse a file's values; raise `TooMuch` if they are too large, any other exception if it is
    unreadable."""
    if not data.startswith(MAGIC):
        raise ValueError("no serialization of Java")
    plain = _Values()
    return [plain.of(part) for part in _Parser(data).run()]


class _Parser(JavaStreamParser):
    """Parser that limits the number of objects and classes."""

    def __init__(self, data: bytes) -> None:
        super().__init__(BytesIO(data), [DefaultObjectTransformer()])  # type: ignore[no-untyped-call]
        self._objects = 0
        #: Depth of inheritance by class.
        self._ancestors: dict[int, int] = {}

    def _new_handle(self) -> int:
        self._objects += 1
        if self._objects > MAX_OBJECTS:
            raise TooMuch
        handle: int = super()._new_handle()
        return handle

    def _do_classdesc(self, type_code: int) -> Any:
        found: Any = super()._do_classdesc(type_code)
        if type_code in (TerminalCode.TC_CLASSDESC, TerminalCode.TC_PROXYCLASSDESC):
            above = found.super_class
            # A class derived from itself has not been read to its end.
            ancestors = 0 if above is None else self._ancestors[above.handle] + 1
            self._ancestors[found.handle] = ancestors
            if ancestors > MAX_ANCESTORS or len(self._ancestors) > MAX_CLASSES:
                raise TooMuch
        return found


class _Values:
    """Converts Java values to Python. Lists are known by their class or their single field. A
    shared value is converted once but counted at each occurrence, since a reader meets it as
    often."""

    def __init__(self) -> None:
        #: Converted values by the identity of the Java value, with their sizes; None while being
        #: converted.
        self._known: dict[int, tuple[Any, int] | None] = {}
        #: Keeps the Java values alive, so that no identity is reused.
        self._held: list[object] = []
        self._content = 0
        self._levels = 0

    def of(self, value: Any) -> Any:
        """Convert a top-level value."""
        found, content = self._plain(value)
        self._content += content
        if self._content > MAX_CONTENT:
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
        if self._levels > MAX_LEVELS:
            raise TooMuch
        result = self._known[id(value)] = self._new(value)
        self._levels -= 1
        if result[1] > MAX_CONTENT:
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
        """Convert a list of values; return them with their total size."""
        found, total = [], 1
        for one in given:
            plain, content = self._plain(one)
            total += content
            if total > MAX_CONTENT:
                raise TooMuch
            found.append(plain)
        return found, total


#: Modes of null actions that some versions write as numbers.
NULL_MODES = ("DONE", "PASS", "SKIP", "AUTOPASS", "START_GAME")
GAME_MODES = ("SAVE", "LOAD", "UNDO", "FORCED_UNDO", "REDO", "EXPORT", "RELOAD")

#: Limit for the number of players.
MAX_PLAYERS = 20


class Act(msgspec.Struct, frozen=True):
    """An action: its number in the file from 0, class name without package, the seat that made it
    (-1 if none), and fields by name."""

    number: int
    kind: str
    seat: int
    fields: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.fields.get(name)

    @property
    def mode(self) -> str:
        """Mode of a null action."""
        mode = self["mode"]
        if isinstance(mode, int):
            names = GAME_MODES if self.kind == "GameAction" else NULL_MODES
            return names[mode] if 0 <= mode < len(names) else str(mode)
        return str(mode or "")

    @property
    def company(self) -> str:
        """Company of the action, by its Rails name."""
        return str(self["companyName"] or "")


class Save(NamedTuple):
    """A save file."""

    game: str
    options: dict[str, str]
    players: list[str]
    actions: list[Act]


def read(data: bytes) -> Save:
    """Read a save file; raise `KursbuchError` if it is not one."""
    pass

    try:
        parts = values(data)
    except TooMuch:
        raise KursbuchError(
            "This save file of Rails-18xx holds more than a game can have."
        ) from None
    except (Exception, RecursionError):  # any internal error means the file is unreadable
        raise KursbuchError("This is not a save file of Rails-18xx.") from None
    head, rest = parts[:6], parts[6:]
    if (
        len(head) < 6
        or not all(isinstance(head[place], str) for place in (0, 1, 3))
        or not isinstance(head[4], dict)
        or not isinstance(head[5], list)
        or len(head[5]) > MAX_PLAYERS
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
    """Actions without those undone; undone actions can be redone.

    Without an index the last move is meant. An index counts the moves kept; versions may count from
    another number, which `shift` adds.
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
    """Actions without those undone, for every way to number moves that makes sense, likeliest
    first. `KursbuchError` names the action if none does."""
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


#: Former names of fields, by class.
OLDER: Mapping[str, Mapping[str, str]] = {
    "CashCorrectionAction": {"correctAmount": "amount"},
    "SellShares": {"numberSold": "number"},
}

#: Required fields by class; of a group one is enough.
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

#: Known fields of any class.
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
    """Whether a field has another than its default value."""
    return value not in (None, False, 0, "", [], {})


def current(act: Act) -> Act:
    """An action with current names; `CannotTake` reports a missing or unknown field."""
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
    """Our rotation of a tile by its Rails orientation."""
    return (orientation + tile.record.rotation_elsewhere.get("Rails", 0)) % 6


def stations(tile: Tile, rotation: int) -> list[int]:
    """Our stop numbers on a tile in the order of its Rails station numbers, for the rotation we use
    among equal looks."""
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
