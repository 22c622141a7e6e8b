"""The table of 1835 as SVG: map, stock market with shareholdings, and start packet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kursbuch.core.words import Words
from kursbuch.games.g18xx.components import PACKET, PLAYERS
from kursbuch.games.g18xx.drawing import sheets
from kursbuch.games.g18xx.drawing.look import MapLook
from kursbuch.games.g18xx.drawing.sheets import MARKED, ROW_LOOK, Sheet, left_text
from kursbuch.games.g18xx.g1835.components import Paper
from kursbuch.games.g18xx.g1835.ruleset import Ruleset1835
from kursbuch.games.g18xx.g1835.state import PacketTurn, State1835
from kursbuch.games.g18xx.g1835.text import Texts1835
from kursbuch.hexmap import svg
from kursbuch.hexmap.scenery import Range, Surroundings

CARD_WIDTH, CARD_HEIGHT, SPACE = 184.0, 104.0, 10.0

#: Rivers from their sources: Elbe, Weser, Rhine, Main, Neckar and Danube.
RIVERS = (
    "I19 H20 H18 G17 G15 F14 E15 D14 D12 C11 C9 C7",
    "H10 G9 F8 E9 D8 C7",
    "P4 O5 N6 M7 L6 K7 J6 J4 I3 H2 G3 F2",
    "K15 K13 K11 K9 J8 J6",
    "N10 M9 L8 K7",
    "O7 O9 N10 N12 M13 M15 M17 M19",
)

#: Germany between the North Sea, the Baltic and the Alps, with Lake Constance.
AROUND = Surroundings(
    title="DEUTSCHLAND",
    year="1835",
    at=(3.4, 0.15),
    inland=True,
    water=(
        (
            *((-30, -9), (7.4, -9), (7.2, -0.6), (7.6, 0.6), (7.4, 1.4), (5.8, 1.1), (4.2, 1.2)),
            *((2.6, 2.4), (1.8, 3.4), (0.4, 4), (-1, 5.6), (-30, 7)),
        ),
        (
            *((11.4, -9), (11.2, -0.8), (12.6, -0.1), (14, 0.3), (15.6, -0.2), (17.4, -0.3)),
            *((18.4, 1), (19.4, 1.3), (21.4, 1.15), (23, 1.3), (26, 0.6), (60, -9)),
        ),
        ((8.3, 14.5), (8.9, 14.5), (9.5, 14.85), (9.1, 14.95), (8.5, 14.8)),
    ),
    ranges=(
        Range(
            "high_mountain",
            ((3.1, 15.2), (7.9, 15.3), (11.9, 15.25), (17.1, 15.1), (18.6, 15.3)),
        ),
        Range("mountain", ((19.3, 9.2), (20.3, 10.4), (1.4, 12.9))),
    ),
)  # fmt: skip
MAP_LOOK = MapLook(rivers=RIVERS, around=AROUND, track_legend="A19")

#: Maximum length of a buyer's name on a card.
LONGEST_NAME = 18

#: Style of a paper of the start packet, and of the space of a sold one.
CARD: svg.Look = ROW_LOOK | {"stroke_width": 1.2}
CARD_GONE: svg.Look = CARD | {"class_": "lane gone", "fill": "none", "stroke_dasharray": "5 4"}


def draw(state: State1835, ruleset: Ruleset1835, words: Words, marks: Sequence[str] = ()) -> str:
    """Draw the whole table, with the start packet until it is sold."""
    companies = Texts1835(ruleset, words).shown_companies(state)
    if not any(_unsold(state, paper) for paper in ruleset.components.packet.values()):
        return sheets.draw(state, ruleset, words, companies, "1835", marks, look=MAP_LOOK)
    packet = _packet(state, ruleset, words, marks)
    first = "packet" if state.agenda and isinstance(state.agenda[-1], PacketTurn) else ""
    return sheets.draw(
        state, ruleset, words, companies, "1835", marks, [packet], first, look=MAP_LOOK
    )


# ---- the start packet


def _unsold(state: State1835, paper: Paper) -> bool:
    return state.ledger.held(paper.item, PACKET) > 0


def _packet(state: State1835, ruleset: Ruleset1835, words: Words, marks: Sequence[str]) -> Sheet:
    most = max(len(row) for row in ruleset.components.rows)
    width = most * (CARD_WIDTH + SPACE) + SPACE
    content: list[str] = []
    for line, row in enumerate(ruleset.components.rows):
        left = (width - len(row) * (CARD_WIDTH + SPACE) + SPACE) / 2
        for place, paper in enumerate(row):
            x = left + place * (CARD_WIDTH + SPACE)
            y = SPACE + line * (CARD_HEIGHT + SPACE)
            content.append(
                _paper(state, ruleset, words, paper, (x, y), f"paper:{paper.id}" in marks)
            )
    height = SPACE + len(ruleset.components.rows) * (CARD_HEIGHT + SPACE)
    return Sheet("packet", words._("Start packet"), width, height, content)


def _paper(
    state: State1835,
    ruleset: Ruleset1835,
    words: Words,
    paper: Paper,
    at: tuple[float, float],
    marked: bool,
) -> str:
    x, y = at
    texts = Texts1835(ruleset, words)
    unsold = _unsold(state, paper)
    look = CARD if unsold else CARD_GONE
    if marked:
        look = look | MARKED | {"class_": "lane mark"}
    draw_card = svg.card if unsold else svg.rect
    parts = [draw_card(x, y, CARD_WIDTH, CARD_HEIGHT, rx=6, **look)]
    parts += _paper_text(state, ruleset, texts, paper, x, y, unsold)
    key = f"paper:{paper.id}" if unsold else None
    return svg.group(parts, title=texts.full_paper(paper.id), data_pick=key)


def _buyer(state: State1835, texts: Texts1835, paper: Paper) -> list[str]:
    """Lines that say a paper is sold, and to whom if that is certain: equal certificates cannot be
    told apart."""
    holders = [seat for seat in range(state.seats) if state.ledger.held(paper.item, PLAYERS[seat])]
    if len(holders) != 1:
        return [texts.words._("sold")]
    name = texts.words.name(holders[0])
    if len(name) > LONGEST_NAME:
        name = name[: LONGEST_NAME - 1] + "…"
    return [texts.words._("sold to"), name]


def _paper_text(
    state: State1835,
    ruleset: Ruleset1835,
    texts: Texts1835,
    paper: Paper,
    x: float,
    y: float,
    unsold: bool,
) -> Iterator[str]:
    _ = texts.words._
    name = paper.company or paper.id
    yield left_text(
        x + 12, y + 30, name, 24, font_weight="bold", class_="ink" if unsold else "note"
    )
    if not unsold:
        for place, text in enumerate(_buyer(state, texts, paper)):
            yield left_text(x + 12, y + 54 + place * 19, text, 15, class_="note")
        return
    price = texts.money(texts.paper_price(state, paper.id))
    yield left_text(x + CARD_WIDTH - 12, y + 30, price, 21, text_anchor="end")
    components = ruleset.components
    lines = []
    if paper.company:
        lines.append(texts.certificate(paper.certificate))
    elif paper.id in components.minors:
        minor = components.minors[paper.id]
        lines.append(minor.name)
        share = f"{minor.exchange.company} {texts.percent(minor.exchange.percent)}"
        lines.append(_("later {share}", share=share))
    else:
        private = components.privates[paper.id]
        lines.append(private.name)
        lines.append(
            _("income {amount}", amount=texts.money(ruleset.market.income(state, paper.id)))
        )
    if paper.free is not None:
        company, certificate = paper.free
        lines.append(f"+ {company} {texts.certificate(certificate)}")
    for number, line in enumerate(lines):
        yield left_text(x + 12, y + 54 + number * 19, line, 15 if len(line) < 19 else 13)
