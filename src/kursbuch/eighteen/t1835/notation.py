"""The one-line text form of actions (docs/notation.md): "buys NF", "lays 57 on F14 turned 1"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from kursbuch.core.actions import Action
from kursbuch.core.errors import KursbuchError
from kursbuch.eighteen.actions import (
    Answer,
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
from kursbuch.eighteen.pieces import PERCENT
from kursbuch.eighteen.t1835.actions import OpenPrussia
from kursbuch.eighteen.t1835.components import Components1835

FORMS = (
    "buys PAPER",
    "buys COMPANY PERCENT [from the pool]",
    "nationalises COMPANY PERCENT of player NUMBER",
    "sells COMPANY PERCENT, PERCENT …",
    "is done",
    "takes COMPANY PERCENT, PERCENT",
    "makes city NUMBER the home of COMPANY",
    "opens PR",
    "waits",
    "exchanges PAPER, PAPER …",
    "exchanges nothing",
    "hands in TRAIN, TRAIN … of COMPANY",
    "lays TILE on HEX turned NUMBER [through PRIVATE]",
    "places a station on HEX city NUMBER [through PRIVATE]",
    "pays out [running HEX/STOP-HEX/STOP, …]",
    "saves [running …]",
    "pays out AMOUNT",
    "saves AMOUNT",
    "buys train TRAIN [from the pool]",
    "offers AMOUNT for train TRAIN of COMPANY",
    "accepts",
    "refuses",
)

_POOL = " from the pool"


def format_action(action: Action) -> str:
    """The text form of an action. Cities are counted from 1.

    >>> format_action(BuyShare(0, "BY", "10", "pool"))
    'buys BY 10 from the pool'
    >>> format_action(SellShares(0, "BY", ("20P", "10")))
    'sells BY 20P, 10'
    >>> format_action(LayTile(0, "F14", "57", 1))
    'lays 57 on F14 turned 1'
    >>> format_action(PlaceStation(0, "L14", 1, "NF"))
    'places a station on L14 city 2 through NF'
    """
    match action:
        case BuyPaper(_, paper):
            return f"buys {paper}"
        case BuyShare(_, company, certificate, source):
            return f"buys {company} {certificate}{_POOL * (source == 'pool')}"
        case Nationalise(_, company, certificate, player):
            return f"nationalises {company} {certificate} of player {player + 1}"
        case SellShares(_, company, certificates):
            return f"sells {company} {', '.join(certificates)}"
        case Done():
            return "is done"
        case ChooseSwap(_, company, certificates):
            return f"takes {company} {', '.join(certificates)}"
        case ChooseHome(_, company, stop):
            return f"makes city {stop + 1} the home of {company}"
        case OpenPrussia(_, opens):
            return "opens PR" if opens else "waits"
        case Exchange(_, papers):
            return f"exchanges {', '.join(papers) or 'nothing'}"
        case Discard(_, company, trains):
            return f"hands in {', '.join(trains)} of {company}"
        case LayTile(_, hex, tile, rotation, private):
            return f"lays {tile} on {hex} turned {rotation}{_through(private)}"
        case PlaceStation(_, hex, stop, private):
            return f"places a station on {hex} city {stop + 1}{_through(private)}"
        case Dividend(_, pays, runs):
            running = ", ".join("-".join(calls) for calls in runs)
            text = "pays out" if pays else "saves"
            return f"{text} running {running}" if running else text
        case EnterRevenue(_, pays, revenue):
            return f"{'pays out' if pays else 'saves'} {revenue}"
        case BuyTrain(_, train, source):
            return f"buys train {train}{_POOL * (source == 'pool')}"
        case OfferTrain(_, company, train, price):
            return f"offers {price} for train {train} of {company}"
        case Answer(_, accepts):
            return "accepts" if accepts else "refuses"
    raise TypeError(f"not an action of this game: {action!r}")


def _through(private: str) -> str:
    return f" through {private}" if private else ""


def _list(text: str) -> tuple[str, ...]:
    return tuple(re.split(r"\s*,\s*", text.strip()))


def _certificates(text: str) -> tuple[str, ...]:
    """Certificates in the order in which actions name them: the director's first, then the
    largest."""
    found = [name.upper() for name in _list(text)]
    return tuple(
        sorted(found, key=lambda name: (not name.endswith("P"), -PERCENT.get(name, 0), name))
    )


def _runs(text: str) -> tuple[tuple[str, ...], ...]:
    """The runs, one for each train; an empty one for a train that stays."""
    runs = text.split(",") if text else []
    return tuple(tuple(filter(None, run.strip().split("-"))) for run in runs)


Build = Callable[[int, tuple[str, ...]], Action]

_CERTIFICATE = r"(\d{1,2}p?)"
_CERTIFICATES = r"(\d{1,2}p?(?: *, *\d{1,2}p?)*)"
_TRAIN = r"(\d(?:\+\d)?)"
_THROUGH = r"(?: through (\w+))?"

_PATTERNS: tuple[tuple[re.Pattern[str], Build], ...] = tuple(
    (re.compile(pattern, re.I), build)
    for pattern, build in (
        (
            rf"buys train {_TRAIN}({_POOL})?",
            lambda seat, found: BuyTrain(seat, found[0], "pool" if found[1] else "bank"),
        ),
        (
            rf"buys (\w+) {_CERTIFICATE}({_POOL})?",
            lambda seat, found: BuyShare(
                seat, found[0], found[1].upper(), "pool" if found[2] else "stack"
            ),
        ),
        (r"buys ([\w-]+)", lambda seat, found: BuyPaper(seat, found[0])),
        (
            rf"nationalises (\w+) {_CERTIFICATE} of player (\d{{1,2}})",
            lambda seat, found: Nationalise(seat, found[0], found[1].upper(), int(found[2]) - 1),
        ),
        (
            rf"sells (\w+) {_CERTIFICATES}",
            lambda seat, found: SellShares(seat, found[0], _certificates(found[1])),
        ),
        (r"is done", lambda seat, found: Done(seat)),
        (
            rf"takes (\w+) {_CERTIFICATES}",
            lambda seat, found: ChooseSwap(seat, found[0], _certificates(found[1])),
        ),
        (
            r"makes city (\d) the home of (\w+)",
            lambda seat, found: ChooseHome(seat, found[1], int(found[0]) - 1),
        ),
        (r"opens PR", lambda seat, found: OpenPrussia(seat, True)),
        (r"waits", lambda seat, found: OpenPrussia(seat, False)),
        (r"exchanges nothing", lambda seat, found: Exchange(seat, ())),
        (
            r"exchanges (\w+(?: *, *\w+)*)",
            lambda seat, found: Exchange(seat, _list(found[0])),
        ),
        (
            rf"hands in ({_TRAIN}(?: *, *{_TRAIN})*) of (\w+)",
            lambda seat, found: Discard(seat, found[-1], _list(found[0])),
        ),
        (
            rf"lays (\d{{1,3}}) on ([a-z]\d{{1,2}}) turned (\d){_THROUGH}",
            lambda seat, found: LayTile(
                seat, found[1].upper(), found[0], int(found[2]), found[3] or ""
            ),
        ),
        (
            rf"places a station on ([a-z]\d{{1,2}}) city (\d){_THROUGH}",
            lambda seat, found: PlaceStation(
                seat, found[0].upper(), int(found[1]) - 1, found[2] or ""
            ),
        ),
        (
            r"(pays out|saves)(?: running ([\w/, -]+))?",
            lambda seat, found: Dividend(
                seat, found[0].casefold() == "pays out", _runs((found[1] or "").upper())
            ),
        ),
        (
            r"(pays out|saves) (\d{1,5})",
            lambda seat, found: EnterRevenue(
                seat, found[0].casefold() == "pays out", int(found[1])
            ),
        ),
        (
            rf"offers (\d{{1,5}}) for train {_TRAIN} of (\w+)",
            lambda seat, found: OfferTrain(seat, found[2], found[1], int(found[0])),
        ),
        (r"accepts", lambda seat, found: Answer(seat, True)),
        (r"refuses", lambda seat, found: Answer(seat, False)),
    )
)


def parse_action(text: str, seat: int, components: Components1835) -> Action:
    """The action a text means. Upper and lower case are the same.

    >>> from kursbuch.eighteen.t1835.components import standard
    >>> parse_action("buys nf", 0, standard())
    BuyPaper(seat=0, paper='NF')
    >>> parse_action("sells by 10, 20p", 0, standard())
    SellShares(seat=0, company='BY', certificates=('20P', '10'))
    >>> parse_action("offers 100 for train 2+2 of (3)", 1, standard())
    OfferTrain(seat=1, company='3', train='2+2', price=100)
    """
    stripped = text.strip().replace("(", "").replace(")", "")
    for pattern, build in _PATTERNS:
        found = pattern.fullmatch(stripped)
        if found:
            return _spelt(build(seat, found.groups()), components)
    raise KursbuchError(
        "{text} is not a move; moves are: {forms}.", text=repr(text[:80]), forms=", ".join(FORMS)
    )


def _spelt(action: Action, components: Components1835) -> Action:
    """The action with names spelt, and lists ordered, as the components have them."""
    companies = components.homes
    match action:
        case BuyPaper(seat, paper):
            return BuyPaper(seat, _name(paper, components.packet))
        case BuyShare(seat, company, certificate, source):
            return BuyShare(seat, _name(company, companies), certificate, source)
        case Nationalise(seat, company, certificate, player):
            return Nationalise(seat, _name(company, companies), certificate, player)
        case SellShares(seat, company, certificates):
            return SellShares(seat, _name(company, companies), certificates)
        case ChooseSwap(seat, company, certificates):
            return ChooseSwap(seat, _name(company, companies), certificates)
        case ChooseHome(seat, company, stop):
            return ChooseHome(seat, _name(company, companies), stop)
        case Exchange(seat, papers):
            order = [*components.privates, *components.minors]
            spelt = sorted(
                (_name(paper, order) for paper in papers),
                key=lambda name: order.index(name) if name in order else len(order),
            )
            return Exchange(seat, tuple(spelt))
        case Discard(seat, company, trains):
            order = list(components.train_order)
            ranked = sorted(
                trains, key=lambda name: order.index(name) if name in order else len(order)
            )
            return Discard(seat, _name(company, companies), tuple(ranked))
        case LayTile(seat, hex, tile, rotation, private):
            return LayTile(seat, hex, tile, rotation, _name(private, components.privates))
        case PlaceStation(seat, hex, stop, private):
            return PlaceStation(seat, hex, stop, _name(private, components.privates))
        case OfferTrain(seat, company, train, price):
            return OfferTrain(seat, _name(company, companies), train, price)
    return action


def _name(given: str, known: Iterable[str]) -> str:
    return next((name for name in known if name.casefold() == given.casefold()), given)
