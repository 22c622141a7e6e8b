"""The one-line text form of actions (docs/notation.md): "buys BY 10", "lays 57 on F14 turned 1".

Every type of action has a `Form`; a title gives those of its actions to a `Notation`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from kursbuch.core.actions import Action
from kursbuch.core.errors import no_move
from kursbuch.core.state import Counted, Encoding, Keyed, LeftOut, Listed, Ranked, Size
from kursbuch.games.g18xx.actions import (
    Answer,
    AskPrice,
    BuyPaper,
    BuyShare,
    BuyTrain,
    ChooseHome,
    ChooseSwap,
    Discard,
    Dividend,
    Done,
    EnterRevenue,
    Exchange,
    LayTile,
    Nationalise,
    OfferTrain,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.components import (
    BANK,
    BOX,
    EXCHANGE_SHARES,
    MAP,
    PACKET,
    PERCENT,
    PLAYERS,
    POOL,
    STACK,
    Components,
)

#: The parts of a text that a pattern has found, None where one is missing.
Found = tuple[str, ...]


class Form(NamedTuple):
    """The text form of one type of action: what a player is shown of it, how it is written, and the
    pattern by which it is read. `read` gets the seat, what the pattern found, and `Names`."""

    action: type[Action]
    shapes: tuple[str, ...]
    write: Callable[[Any], str]
    pattern: str
    read: Callable[[int, Found, Names], Action]


class Names:
    """The names of a title as they are spelt, and in their order."""

    def __init__(self, components: Components, papers: Iterable[str]) -> None:
        self.companies = list(components.homes)
        self.privates = list(components.privates)
        self.papers = list(papers)
        self.exchanged = [*components.privates, *components.minors]
        self.trains = list(components.train_order)
        self.tiles = list(components.board.tiles)

    def company(self, given: str) -> str:
        """A company, however it is written."""
        return spelt(given, self.companies)


def spelt(given: str, known: Iterable[str]) -> str:
    """A name as it is known; itself if it is not.

    >>> spelt("by", ["BY", "SX"]), spelt("xy", ["BY", "SX"])
    ('BY', 'xy')
    """
    return next((name for name in known if name.casefold() == given.casefold()), given)


def listed(text: str) -> tuple[str, ...]:
    """The parts of a list with commas.

    >>> listed("10 , 20P")
    ('10', '20P')
    """
    return tuple(re.split(r"\s*,\s*", text.strip()))


def ordered(given: Iterable[str], order: Sequence[str]) -> tuple[str, ...]:
    """Things as they are spelt and ordered; what is not known comes last."""
    found = [spelt(name, order) for name in given]
    return tuple(sorted(found, key=lambda name: order.index(name) if name in order else len(order)))


def certificates(text: str) -> tuple[str, ...]:
    """Certificates in the order in which actions name them: the director's first, then the largest.

    >>> certificates("10, 20p, 20")
    ('20P', '20', '10')
    """
    found = [name.upper() for name in listed(text)]
    return tuple(
        sorted(found, key=lambda name: (not name.endswith("P"), -PERCENT.get(name, 0), name))
    )


def _runs(text: str) -> tuple[tuple[str, ...], ...]:
    """The runs, one for each train; an empty one for a train that stays."""
    runs = text.split(",") if text else []
    return tuple(tuple(filter(None, run.strip().split("-"))) for run in runs)


def _through(private: str) -> str:
    return f" through {private}" if private else ""


def _dividend(action: Dividend) -> str:
    running = ", ".join("-".join(calls) or "-" for calls in action.runs)
    text = "pays out" if action.pays else "saves"
    return f"{text} running {running}" if running else text


#: How a share or train of the pool is named, and the pattern of a type of train.
POOL_SOURCE = " from the pool"
TRAIN = r"(\d(?:\+\d|M)?)"
_CERTIFICATE = r"(\d{1,2}p?)"
_CERTIFICATES = r"(\d{1,2}p?(?: *, *\d{1,2}p?)*)"
_THROUGH = r"(?: through (\w+))?"

#: The forms of all actions of the family, in the order in which they are tried.
FORMS = (
    Form(
        BuyTrain,
        ("buys train TRAIN [from the pool]",),
        lambda action: f"buys train {action.train}{POOL_SOURCE * (action.source == 'pool')}",
        rf"buys train {TRAIN}({POOL_SOURCE})?",
        lambda seat, found, names: BuyTrain(
            seat, spelt(found[0], names.trains), "pool" if found[1] else "bank"
        ),
    ),
    Form(
        BuyShare,
        ("buys COMPANY PERCENT [from the pool]",),
        lambda action: (
            f"buys {action.company} {action.certificate}{POOL_SOURCE * (action.source == 'pool')}"
        ),
        rf"buys (\w+) {_CERTIFICATE}({POOL_SOURCE})?",
        lambda seat, found, names: BuyShare(
            seat, names.company(found[0]), found[1].upper(), "pool" if found[2] else "stack"
        ),
    ),
    Form(
        BuyPaper,
        ("buys PAPER",),
        lambda action: f"buys {action.paper}",
        r"buys ([\w-]+)",
        lambda seat, found, names: BuyPaper(seat, spelt(found[0], names.papers)),
    ),
    Form(
        Nationalise,
        ("nationalises COMPANY PERCENT of player NUMBER",),
        lambda action: (
            f"nationalises {action.company} {action.certificate} of player {action.player + 1}"
        ),
        rf"nationalises (\w+) {_CERTIFICATE} of player (\d{{1,2}})",
        lambda seat, found, names: Nationalise(
            seat, names.company(found[0]), found[1].upper(), int(found[2]) - 1
        ),
    ),
    Form(
        SellShares,
        ("sells COMPANY PERCENT, PERCENT …",),
        lambda action: f"sells {action.company} {', '.join(action.certificates)}",
        rf"sells (\w+) {_CERTIFICATES}",
        lambda seat, found, names: SellShares(
            seat, names.company(found[0]), certificates(found[1])
        ),
    ),
    Form(
        Done,
        ("is done",),
        lambda action: "is done",
        r"is done",
        lambda seat, found, names: Done(seat),
    ),
    Form(
        ChooseSwap,
        ("takes COMPANY PERCENT, PERCENT",),
        lambda action: f"takes {action.company} {', '.join(action.certificates)}",
        rf"takes (\w+) {_CERTIFICATES}",
        lambda seat, found, names: ChooseSwap(
            seat, names.company(found[0]), certificates(found[1])
        ),
    ),
    Form(
        ChooseHome,
        ("makes city NUMBER the home of COMPANY",),
        lambda action: f"makes city {action.stop + 1} the home of {action.company}",
        r"makes city (\d) the home of (\w+)",
        lambda seat, found, names: ChooseHome(seat, names.company(found[1]), int(found[0]) - 1),
    ),
    Form(
        Exchange,
        ("exchanges PAPER, PAPER …", "exchanges nothing"),
        lambda action: f"exchanges {', '.join(action.papers) or 'nothing'}",
        r"exchanges (\w+(?: *, *\w+)*)",
        lambda seat, found, names: Exchange(
            seat,
            () if found[0].casefold() == "nothing" else ordered(listed(found[0]), names.exchanged),
        ),
    ),
    Form(
        Discard,
        ("hands in TRAIN, TRAIN … of COMPANY",),
        lambda action: f"hands in {', '.join(action.trains)} of {action.company}",
        rf"hands in ({TRAIN}(?: *, *{TRAIN})*) of (\w+)",
        lambda seat, found, names: Discard(
            seat, names.company(found[-1]), ordered(listed(found[0]), names.trains)
        ),
    ),
    Form(
        LayTile,
        ("lays TILE on HEX turned NUMBER [through PRIVATE]",),
        lambda action: (
            f"lays {action.tile} on {action.hex} turned {action.rotation}{_through(action.private)}"
        ),
        rf"lays (\w{{1,4}}) on ([a-z]\d{{1,2}}) turned (\d){_THROUGH}",
        lambda seat, found, names: LayTile(
            seat,
            found[1].upper(),
            spelt(found[0], names.tiles),
            int(found[2]),
            spelt(found[3] or "", names.privates),
        ),
    ),
    Form(
        PlaceStation,
        ("places a station on HEX city NUMBER [through PRIVATE]",),
        lambda action: (
            f"places a station on {action.hex} city {action.stop + 1}{_through(action.private)}"
        ),
        rf"places a station on ([a-z]\d{{1,2}}) city (\d){_THROUGH}",
        lambda seat, found, names: PlaceStation(
            seat, found[0].upper(), int(found[1]) - 1, spelt(found[2] or "", names.privates)
        ),
    ),
    Form(
        Dividend,
        ("pays out [running HEX/STOP-HEX/STOP, …]", "saves [running HEX/STOP-HEX/STOP, …]"),
        _dividend,
        r"(pays out|saves)(?: running ([\w/, -]+))?",
        lambda seat, found, names: Dividend(
            seat, found[0].casefold() == "pays out", _runs((found[1] or "").upper())
        ),
    ),
    Form(
        EnterRevenue,
        ("pays out AMOUNT", "saves AMOUNT"),
        lambda action: f"{'pays out' if action.pays else 'saves'} {action.revenue}",
        r"(pays out|saves) (\d{1,5})",
        lambda seat, found, names: EnterRevenue(
            seat, found[0].casefold() == "pays out", int(found[1])
        ),
    ),
    Form(
        OfferTrain,
        ("offers AMOUNT for train TRAIN of COMPANY",),
        lambda action: f"offers {action.price} for train {action.train} of {action.company}",
        rf"offers (\d{{1,5}}) for train {TRAIN} of (\w+)",
        lambda seat, found, names: OfferTrain(
            seat, names.company(found[2]), spelt(found[1], names.trains), int(found[0])
        ),
    ),
    Form(
        AskPrice,
        ("asks AMOUNT",),
        lambda action: f"asks {action.price}",
        r"asks (\d{1,5})",
        lambda seat, found, names: AskPrice(seat, int(found[0])),
    ),
    Form(
        Answer,
        ("accepts", "refuses"),
        lambda action: "accepts" if action.accepts else "refuses",
        r"(accepts|refuses)",
        lambda seat, found, names: Answer(seat, found[0].casefold() == "accepts"),
    ),
)


class Notation:
    """Writes and reads the actions of one title."""

    def __init__(
        self, forms: Iterable[Form], components: Components, papers: Iterable[str]
    ) -> None:
        self.forms = tuple(forms)
        self.names = Names(components, papers)
        self._write = {form.action: form.write for form in self.forms}
        self._read = [(re.compile(form.pattern, re.I), form.read) for form in self.forms]

    def format(self, action: Action) -> str:
        """The text form of an action. Cities are counted from 1."""
        return self._write[type(action)](action)

    def parse(self, text: str, seat: int) -> Action:
        """The action a text means. Upper and lower case are the same; `KursbuchError` lists forms
        if it means none."""
        stripped = text.strip().replace("(", "").replace(")", "")
        for pattern, read in self._read:
            found = pattern.fullmatch(stripped)
            if found:
                return read(seat, found.groups(), self.names)
        raise no_move(text, [shape for form in self.forms for shape in form.shapes])


#: So many tiles laid in one turn are told.
LAID = 4


def encoding(
    components: Components,
    seats: int,
    words: Sequence[str] = (),
    sizes: Mapping[str, Size] | None = None,
    purses: Sequence[str] = (),
) -> Encoding:
    """The words and sizes of a game with so many seats; a title adds its own, and who else can hold
    money."""
    players = PLAYERS[:seats]
    public = tuple(components.public)
    companies = (*public, *components.minors)
    papers = (*components.minors, *components.privates)
    trains = components.train_order
    hexes = components.board.names
    file = components.file.companies
    markers = sum(record.station_markers for record in file.public) + len(components.minors)
    by_kind = {
        "money": (BANK, *players, *companies, *purses),
        "note": (BANK, *players, *companies),
        "paper": (PACKET, POOL, BOX, *players),
        "train": (STACK, POOL, BOX, *companies),
    }
    shares = (STACK, POOL, PACKET, EXCHANGE_SHARES, BOX, *players)

    def holders(item: str) -> Sequence[str]:
        kind, _, name = item.partition(":")
        return (MAP, BOX, name) if kind == "marker" else by_kind.get(kind, shares)

    found = (
        *companies,
        *components.privates,
        *hexes,
        *components.board.tiles,
        *trains,
        *PERCENT,
        *(STACK, POOL, BANK),
        *components.chart.price,
        *("stock", "operating"),
        *words,
    )
    each: dict[str, Size] = {
        "house": LeftOut(),
        "round.sold": Listed(seats, Counted(companies)),
        "round.acted": Counted(companies),
        "round.paid": Counted(papers),
        "round.ran": Keyed(companies, Counted(trains)),
        "companies": Keyed(companies),
        "chart": Ranked(public),
        "layout.tiles": Keyed(hexes),
        "layout.stations": Listed(markers),
        "stock-turn.prices": Keyed(companies),
        "build.laid": Listed(LAID),
        "buy-trains.offered": LeftOut(),
        "buy-trains.demanded": LeftOut(),
        "raise-money.prices": Keyed(companies),
        "surplus.companies": Counted(companies),
        **(sizes or {}),
    }
    return Encoding(tuple(dict.fromkeys(found)), holders, each)
