"""The table of 1853 as SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.msgpack import decode, encode
from msgspec.structs import replace

from kursbuch.core.title import LegendPart
from kursbuch.core.words import Words
from kursbuch.games.g18xx.components import BANK, POOL
from kursbuch.games.g18xx.drawing import legend, sheets
from kursbuch.games.g18xx.drawing.faces import (
    INK,
    draw_bonus,
    draw_doubt,
    draw_gauge_sample,
    draw_marker,
    draw_ring,
    token_colours,
)
from kursbuch.games.g18xx.drawing.legend import Line
from kursbuch.games.g18xx.drawing.look import LARGE, MapLook, Note
from kursbuch.games.g18xx.drawing.sheets import ROW_IDLE, ROW_LOOK, Sheet, left_text
from kursbuch.games.g18xx.g1853.components import Components1853, Hex1853, Train1853
from kursbuch.games.g18xx.g1853.contracts import connections
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.shares import EXEMPT
from kursbuch.games.g18xx.g1853.state import (
    CARD,
    HIDDEN,
    SIDE,
    BidTurn,
    SettleCredit,
    State1853,
    WriteBonds,
)
from kursbuch.games.g18xx.g1853.text import Texts1853
from kursbuch.games.g18xx.map.board import TERRAIN
from kursbuch.games.g18xx.state import BuyTrains
from kursbuch.hexmap import svg
from kursbuch.hexmap.scenery import Range, Surroundings

#: Colours of land, of the Ganges valley, and of land under relief.
LANDS = {
    "": "#f8f0da",
    "valley": "#e6d3a0",
    "upland": "#f1e2bd",
    "highland": "#e8d4a9",
    "summits": "#d8c6a6",
}

#: Rivers from their sources: Indus and Chenab, Ganges, Jumna and their neighbours with the delta,
#: Narmada, Tapti, Mahanadi, Indravati, Godavari and Kaveri.
RIVERS = (
    "B8 C7 D6 E5 F4 G3 H2 I3 J2",
    "B12 C11 D10 D8 E7 F6 F4",
    "E17 F18 G19 H20 H22 H24 H26 H28 I29 J30 K31",
    "I29 J28 K29 L28",
    "E13 F14 G15 G17 H18 H20",
    "F22 G23 H24",
    "J22 I23 H24",
    "J16 K15 K13 K11 K9 L8",
    "L14 L12 L10 L8",
    "K23 K25 L26 M27",
    "M19 N20 N22 N24",
    "M11 M13 M15 N16 N18 O19 P20",
    "R14 S15 T16 T18 T20",
)

#: Afghanistan and Persia, Tibet behind the Himalaya, Burma, and Ceylon.
AROUND = Surroundings(
    title="INDIA",
    year="1853",
    at=(24.5, 2.6),
    land=(
        (
            *((-9, 9.2), (-3, 9.4), (0, 8.9), (2, 8.6), (3.5, 9.5), (6, 8), (20, 8), (29, 8.2)),
            *((30.6, 9.4), (31, 10.6), (31.8, 11.2), (32.6, 13.5), (34, 15.5), (60, 16), (60, -9)),
            *((-30, -9), (-30, 9)),
        ),
        ((18.6, 20.6), (19.4, 20.9), (20.6, 22.4), (20.8, 24), (19, 24.5), (18.2, 23), (18.3, 21.4)),
    ),
    ranges=(
        Range(
            "high_mountain",
            ((15.4, 0.9), (17.6, 1.4), (18.9, 2.6), (20.6, 3.5), (22.6, 4.1), (24.7, 4.8),
             (26.7, 5.3), (28.7, 5.6), (30.6, 6)),
        ),
        Range("mountain", ((5, 0.9), (2.8, 1.3))),
    ),
)  # fmt: skip


#: Size of a train card, gap between cards, and number of cards in a row on a narrow screen.
WIDE, HIGH, SPACE, NARROW = 156.0, 112.0, 12.0, 2
#: Height of a gauge's heading.
ROW_HEAD = 40.0


def draw(state: State1853, ruleset: Ruleset1853, words: Words, marks: Sequence[str] = ()) -> str:
    """Draw the whole table: map, stock market with shareholdings, and trains."""
    texts, rings = Texts1853(ruleset, words), _rings(state, ruleset)
    step = state.agenda[-1] if state.agenda else None
    found = [
        sheets.map_sheet(
            state,
            ruleset,
            words,
            marks,
            map_look(ruleset.components),
            _notes(state, ruleset, rings),
            _map_legend(ruleset.components, words, frozenset(rings.values())),
        ),
        sheets.shares_sheet(
            state,
            ruleset,
            words,
            texts.shown_companies(state),
            marks,
            _special_cells(ruleset, words),
        ),
        _trains(
            texts,
            encode(ruleset.bearing_on_trains(state)),
            step.company if isinstance(step, BuyTrains) else "",
        ),
    ]
    if isinstance(step, WriteBonds | BidTurn):
        first = "map"
    elif isinstance(step, BuyTrains | SettleCredit):
        first = "trains"
    else:
        first = sheets.subject(state)
    return sheets.document(found, first, words._("The table"), "1853")


# ---- the map


@lru_cache(maxsize=8)
def map_look(components: Components1853) -> MapLook:
    """Map style: valley, terrain with costs by gauge, bonuses, and territories. Tokens show company
    numbers."""
    return MapLook(
        sizes=LARGE,
        notes={record.id: _note(components, record) for record in components.file.map.hexes},
        lands=LANDS,
        signs={record.id: str(record.number) for record in components.file.companies.public},
        areas=components.territory,
        rivers=RIVERS,
        around=AROUND,
        track_legend="P1",
        company_legend="P23",
    )


def _note(components: Components1853, record: Hex1853) -> Note:
    standard, metre = (components.build_cost(record.id, metre=metre) for metre in (False, True))
    return Note(
        land="valley" if record.valley else "",
        # Printed track leaves no room for it.
        terrains=() if record.paths else record.terrains,
        cost=f"{standard}/{metre}" if standard and not record.paths else "",
        bonus=f"+{record.bonus}" if record.bonus else "",
        doubt=record.id in components.doubtful_hexes,
    )


def _notes(state: State1853, ruleset: Ruleset1853, rings: Mapping[str, str]) -> dict[str, Note]:
    """Notes on what is being asked and known: during the bids the values and companies of cities;
    doubtful tiles; and rings around the cities of the reader's contract."""
    components = ruleset.components
    look = map_look(components)
    bidding = any(isinstance(step, WriteBonds | BidTurn) for step in state.agenda)
    found = city_notes(components) if bidding else {}

    def change(hex: str, **values: Any) -> None:
        found[hex] = replace(found.get(hex) or look.notes[hex], **values)

    for hex, laid in state.layout.tiles.items():
        doubt = laid.tile in components.doubtful_tiles
        if doubt != look.notes[hex].doubt:
            change(hex, doubt=doubt)
    for name, ring in rings.items():
        change(components.cities[name].hex, ring=ring)
    return found


def city_notes(components: Components1853) -> dict[str, Note]:
    """Notes on the values and companies of contract cities."""
    notes = map_look(components).notes
    return {
        city.hex: replace(
            notes[city.hex],
            ask=str(city.value),
            companies=city.companies,
            ask_doubt=city.doubt,
        )
        for city in components.cities.values()
    }


def _rings(state: State1853, ruleset: Ruleset1853) -> dict[str, str]:
    """Rings around the cities of unshown contracts, as far as the reader knows them; solid where
    one is connected to another."""
    found: dict[str, str] = {}
    for contract in state.contracts:
        known = [city for city in contract.cities if city != HIDDEN]
        if contract.shown or not known:
            continue
        networks = connections(ruleset, state)
        for city in known:
            joined = sum(networks[other] == networks[city] for other in set(known)) > 1
            found[city] = "solid" if joined else "dashed"
    return found


@lru_cache(maxsize=256)
def _map_legend(components: Components1853, words: Words, rings: frozenset[str]) -> Sequence[Line]:
    """Legend of the map's own signs."""
    lines = terrain_lines(components, words)
    lines.append((_bonus_sample, words._("bonus, first tile")))
    lines.append((_doubt_sample, words._("reconstructed")))
    names = {"solid": words._("contract, joined"), "dashed": words._("contract, not joined")}
    for ring in sorted(rings):
        lines.append((_ring_sample(ring), names[ring]))
    return lines


def legend_parts(ruleset: Ruleset1853, look: MapLook, words: Words) -> list[LegendPart]:
    """Legend of all signs, for a page beside the table."""
    more: list[Line] = [
        (_bonus_sample, words._("bonus, first tile")),
        (_doubt_sample, words._("reconstructed")),
        (_ring_sample("solid"), words._("contract, joined")),
        (_ring_sample("dashed"), words._("contract, not joined")),
    ]
    return legend.parts(
        ruleset, look, words, "1853", terrain_lines(ruleset.components, words), more
    )


def _bonus_sample(x: float, y: float) -> Iterator[str]:
    yield from draw_bonus("+40", x, y, LARGE)


def _doubt_sample(x: float, y: float) -> Iterable[str]:
    return draw_doubt(x, y, 15)


def _ring_sample(ring: str) -> Callable[[float, float], Iterable[str]]:
    def draw(x: float, y: float) -> Iterable[str]:
        return draw_ring(ring, x, y, 15)

    return draw


def terrain_lines(components: Components1853, words: Words) -> list[Line]:
    """Legend of terrain with building costs."""
    return [
        legend.terrain_line(record.id, f"{record.standard}/{record.metre}", LANDS, words)
        for record in components.file.build_costs
        if record.id in TERRAIN
    ]


# ---- prices


def _special_cells(ruleset: Ruleset1853, words: Words) -> sheets.SpecialCells:
    """Boxes whose shares are exempt from limits, and the one that ends the game."""
    prices = ruleset.chart.price
    last = max(prices, key=prices.__getitem__)
    exempt = words._("shares do not count against any limit")
    special: dict[str, tuple[sheets.CellKind, str]] = {
        cell: ("exempt", exempt) for cell, price in prices.items() if price <= EXEMPT
    }
    return special | {last: ("end", words._("the game ends"))}


# ---- trains


@lru_cache(maxsize=256)
def _trains(texts: Texts1853, encoded: bytes, company: str) -> Sheet:
    """Draw the trains of both gauges with price, number left and whether on offer, perhaps to a
    `company`; and the loco tokens."""
    state, ruleset = decode(encoded, type=State1853), texts.ruleset
    records = ruleset.components.file.trains
    words = texts.words
    content: list[str] = []
    top = narrow_top = SPACE
    across = 0
    for gauge, name in (("standard", words._("standard gauge")), ("metre", words._("metre gauge"))):
        row = [one for one in records if (one.gauge or "standard") == gauge]
        head = [
            draw_gauge_sample(gauge, 6, 14, 66, LARGE),
            left_text(86, 21, name, 20, font_weight="bold"),
        ]
        content.append(_at(head, (SPACE, top), (SPACE, narrow_top)))
        top += ROW_HEAD
        narrow_top += ROW_HEAD
        for number, record in enumerate(row):
            line, column = divmod(number, NARROW)
            content.append(
                _at(
                    [_card(state, texts, record, company)],
                    (SPACE + number * (WIDE + SPACE), top),
                    (SPACE + column * (WIDE + SPACE), narrow_top + line * (HIGH + SPACE)),
                )
            )
        across = max(across, len(row))
        top += HIGH + 2 * SPACE
        narrow_top += -(-len(row) // NARROW) * (HIGH + SPACE) + SPACE
    tokens = list(_loco_tokens(state, ruleset, words))
    if tokens:
        content.append(_at(tokens, (SPACE, top), (SPACE, narrow_top)))
        top += 80
        narrow_top += 80
    return Sheet(
        "trains",
        words._("Trains"),
        SPACE + across * (WIDE + SPACE),
        top,
        content,
        (SPACE + NARROW * (WIDE + SPACE), narrow_top),
    )


def _at(content: Iterable[str], wide: tuple[float, float], narrow: tuple[float, float]) -> str:
    """Place a group, elsewhere on a narrow screen."""
    places = [f"translate({svg.number(x)} {svg.number(y)})" for x, y in (wide, narrow)]
    return svg.group(content, transform=places[0], data_narrow=places[1])


def _card(state: State1853, texts: Texts1853, record: Train1853, company: str) -> str:
    """Draw a train card; one on sale can be pointed at."""
    _, ruleset, train = texts.words._, texts.ruleset, record.id
    offered = train in ruleset.depot.new_trains(state, company)
    left = texts.left(state, train)
    pool = ruleset.trains(state, POOL).count(train)
    phase = ruleset.phase(state).number
    if train == SIDE:
        count = _("back of the {train}", train=CARD)
    elif left != "0":
        count = _("{count} left", count=left)
    else:
        count = _("none left")
    lines = [count]
    if offered:
        lines.append(_("on offer"))
    elif record.phase > phase:
        lines.append(_("from phase {phase}", phase=record.phase))
    ends = record.scrapped_by
    if ends and ruleset.components.phase_row[ends] <= state.phase:
        lines = [_("out of the game")]
    elif ends:
        lines.append(_("until the first {train}", train=ends))
    used = (_("pool: {count}", count=pool), _("{train} in the pool", train=train)) if pool else None
    return _drawn_card(train, texts.money(record.price), offered, tuple(lines), used)


@lru_cache(maxsize=256)
def _drawn_card(
    train: str, price: str, offered: bool, lines: tuple[str, ...], used: tuple[str, str] | None
) -> str:
    """Draw a card with these lines; `used` is the number in the pool, and its title."""
    look = ROW_LOOK if offered else ROW_IDLE
    if offered:
        look = look | {"class_": "lane offered", "stroke": INK, "stroke_width": 2.5}
    parts = [
        svg.card(0, 0, WIDE, HIGH, rx=6, **look),
        left_text(12, 33, train, 26, font_weight="bold"),
        left_text(WIDE - 12, 31, price, 19, text_anchor="end", font_weight="bold"),
    ]
    for number, line in enumerate(lines):
        bold = "bold" if offered and number == 1 else None
        parts.append(left_text(12, 56 + 19 * number, line, 14, font_weight=bold))
    key = f"train:{BANK}:{train}" if offered else None
    card = svg.group(parts, title=f"{train}: {price}, {', '.join(lines)}", data_pick=key)
    if used is None:
        return card
    count, title = used
    box = svg.rect(WIDE - 66, HIGH - 14, 60, 26, rx=5, **(ROW_LOOK | {"stroke": INK}))
    text = svg.text(
        WIDE - 36,
        HIGH + 4,
        count,
        class_="ink",
        font_size=13,
        font_weight="bold",
        fill=INK,
    )
    return card + svg.group([box, text], title=title, data_pick=f"train:{POOL}:{train}")


def _loco_tokens(state: State1853, ruleset: Ruleset1853, words: Words) -> Iterator[str]:
    """Draw the loco tokens of small companies; a used one is an empty ring."""
    small = [
        name
        for name, charter in state.charters.items()
        if not charter.large and (charter.token or state.companies[name].operating)
    ]
    if not small:
        return
    looks = token_colours(ruleset)
    yield left_text(0, 21, words._("Loco tokens"), 20, font_weight="bold")
    for number, company in enumerate(small):
        x = 18 + 78 * number
        if state.charters[company].token:
            sign = map_look(ruleset.components).signs[company]
            yield draw_marker(company, x, 50, 15, looks, sign)
            yield left_text(x + 20, 55, company, 14)
        else:
            yield svg.circle(
                x, 50, 15, fill="none", class_="spent", stroke="#8d8672", stroke_dasharray="4 3"
            )
            yield left_text(x + 20, 55, company, 14, class_="note", text_decoration="line-through")
