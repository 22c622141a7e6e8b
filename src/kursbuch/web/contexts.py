"""What the templates get: plain structs whose texts are already in the reader's language.

Every template also gets `page` (the struct), `_` and `ngettext` (for the texts of the template
itself), `language`, `languages`, `notice` (a sentence or an empty text), `path` (of this page),
`asset(name)` (the address of a file of the bundle) and `drawing_style(title)` (that of the style sheet
of a title's drawing).
"""

from __future__ import annotations

from typing import Any

import msgspec
from markupsafe import Markup

from kursbuch.core.voice import Grid


class FieldChoice(msgspec.Struct, frozen=True):
    """One value of a form field: what is sent, and its text."""

    value: str
    label: str
    selected: bool = False


class Fact(msgspec.Struct, frozen=True):
    """A labelled value to show."""

    label: str
    value: str


# ---- start page


class TableLine(msgspec.Struct, frozen=True):
    """A table in a list."""

    id: str
    url: str
    title: str
    title_name: str
    status: str
    status_label: str
    players: list[str]
    free_seats: int
    seats: int
    my_turn: bool
    is_mine: bool
    moves: int
    updated: str
    result: str


class TitleLine(msgspec.Struct, frozen=True):
    """A game that can be played here."""

    id: str
    name: str
    edition: str
    players: str
    minutes: int
    new_url: str
    rules_url: str
    routes_url: str


class HomePage(msgspec.Struct, frozen=True):
    """home.html: the visitor's tables, tables waiting for players, running and finished ones."""

    mine: list[TableLine]
    waiting: list[TableLine]
    running: list[TableLine]
    finished: list[TableLine]
    titles: list[TitleLine]


# ---- a new table


class OptionField(msgspec.Struct, frozen=True):
    """An option of the title; the field is called `name` ("option_money")."""

    name: str
    label: str
    rule: str
    rule_url: str
    choices: list[FieldChoice]


class SeatField(msgspec.Struct, frozen=True):
    """A seat of the form: fields `seat{n}_kind`, `seat{n}_name`, `seat{n}_bot`."""

    number: int
    kinds: list[FieldChoice]
    name: str
    bots: list[FieldChoice]


class NewTablePage(msgspec.Struct, frozen=True):
    """new.html: the form for POST /tables (multipart, because of the file `data`).

    Fields: title, seats (their number), seat{n}_kind (me, open, hotseat, bot, none), seat{n}_name,
    seat{n}_bot, option_{name}, undo, help (1 or missing), listed (1 or missing), objection,
    language, pace, data (file). `error` is a sentence after a refused form; everything given is
    filled in again.
    """

    titles: list[FieldChoice]
    title: str
    title_name: str
    least: int
    most: int
    count: int
    seats: list[SeatField]
    options: list[OptionField]
    undo: list[FieldChoice]
    objection_name: str
    objection: list[FieldChoice]
    languages: list[FieldChoice]
    paces: list[FieldChoice]
    help: bool
    listed: bool
    error: str


# ---- the table


class TableInfo(msgspec.Struct, frozen=True):
    """The table itself. `status` is lobby, running, finished or closed; `objection_name` is empty if
    this game has no use for a clock, `record_url` if there is no record to be had now."""

    id: str
    url: str
    link: str
    title: str
    title_name: str
    status: str
    status_label: str
    options: list[Fact]
    undo: str
    undo_label: str
    help: bool
    listed: bool
    objection_name: str
    objection_label: str
    seed_hash: str
    seed: str | None
    own_data: bool
    rules_url: str
    record_url: str
    check_url: str
    routes_url: str
    pieces_url: str


class SeatInfo(msgspec.Struct, frozen=True):
    """A seat. `kind` is person, hotseat or bot; `state` free, mine, other or bot; `note` is what should
    be seen of it besides the score."""

    number: int
    name: str
    kind: str
    kind_label: str
    bot: str
    is_free: bool
    is_mine: bool
    is_turn: bool
    connected: bool
    score: str
    note: str
    hand_on_link: str
    is_winner: bool


class Me(msgspec.Struct, frozen=True):
    """The visitor at this table: own seats, and the one that decides now."""

    seats: list[int]
    acting: int | None
    is_spectator: bool
    is_creator: bool
    may_start: bool
    may_join: bool


class LogLine(msgspec.Struct, frozen=True):
    """A log line: the number of its move (0: set-up), its text and its rule. `seat` is the
    one that moved, on the first line of a move. `opens`: another part of the game begins. `automatic`
    says that nobody made the move: the time was over, or the seat never wants to be asked."""

    number: int
    text: str
    rule: str
    rule_url: str
    seat: int | None
    automatic: bool
    opens: bool


class PaymentLine(msgspec.Struct, frozen=True):
    """A payment to one seat."""

    number: int
    text: str
    amount: str
    value: int
    rule: str
    rule_url: str


class SeatPayments(msgspec.Struct, frozen=True):
    """Every payment a seat received, in order."""

    seat: int
    name: str
    total: str
    lines: list[PaymentLine]


class PanelRow(msgspec.Struct, frozen=True):
    """A line of holdings."""

    label: str
    value: str
    key: str
    note: str


class PanelInfo(msgspec.Struct, frozen=True):
    """A list of holdings, of a seat or (None) of the table."""

    title: str
    seat: int | None
    rows: list[PanelRow]
    pieces: bool


class ChatLine(msgspec.Struct, frozen=True):
    """A chat message. `time` is ISO 8601, UTC."""

    name: str
    seat: int | None
    text: str
    time: str
    is_mine: bool


class Wish(msgspec.Struct, frozen=True):
    """What the visitor may ask the others for: to take the last move back, to end the game without a
    result. `kind` is undo or end, as in the addresses. `asks` says that there are others who have to agree;
    `pending` that somebody has asked and waits for answers."""

    kind: str
    allowed: bool
    asks: bool
    pending: bool
    sentence: str
    may_answer: bool
    is_mine: bool


class CurtainSeat(msgspec.Struct, frozen=True):
    """Somebody who may be in front of a shared device; `is_due` if it is that player's turn."""

    seat: int
    label: str
    is_due: bool


class Curtain(msgspec.Struct, frozen=True):
    """A shared device is being handed over: who takes it? The page shows what everybody may know
    until then. `is_due` says that it is somebody's turn."""

    sentence: str
    people: list[CurtainSeat]
    is_due: bool


class Refusal(msgspec.Struct, frozen=True):
    """A standing "never ask me about this" of one of the visitor's seats."""

    seat: int
    name: str
    subject: str
    sentence: str


class Objection(msgspec.Struct, frozen=True):
    """The offer to object that is open now, if one is.

    `seconds_left` is None without a time limit. `mine` says whether the visitor is asked; `subject`
    is what POST /never-ask names, `never` the text of that button.
    """

    is_offer: bool
    mine: bool
    subject: str
    never: str
    seconds_left: float | None
    sentence: str
    standing: list[Refusal]


class RankLine(msgspec.Struct, frozen=True):
    """A place of the ranking; `note` is how the score came about, if the game says so."""

    place: int
    seat: int
    name: str
    score: str
    note: str
    is_winner: bool


class ResultInfo(msgspec.Struct, frozen=True):
    """How the game ended."""

    sentence: str
    ranking: list[RankLine]


class Steps(msgspec.Struct, frozen=True):
    """The moves to go to from what is shown: the next ones, where turns of other players begin, and parts
    of the game; `parts` says whether it has any."""

    back: int
    on: int
    turn_back: int
    turn_on: int
    part_back: int
    part_on: int
    parts: bool


class TablePage(msgspec.Struct, frozen=True):
    """table.html and its fragment live.html.

    `version` grows with every change of the table; `number` is how many moves were made. POST /move
    sends both along. `position` changes with every move made or taken back. `log` has the newest lines,
    `log_earlier` says how many older ones there are; `thinking` says that only the computer is waited
    for. `choices` are what the acting seat may do, or one that may act although nobody waits for it
    (`may_also` then introduces them): {action, keys, label, group, several, amount: {field, low, high,
    step} or null, confirm, ask}.
    `at` is the number of moves after which the table is shown, None for now: then everything but the
    chat is as it was, `past` says what that move did, and `steps` where to go from there.
    `shares_device` says that people at this device have secrets from each other; `face` then changes
    with who sits in front of it.
    """

    table: TableInfo
    seats: list[SeatInfo]
    me: Me
    version: int
    number: int
    position: str
    board_svg: Markup
    prompt: str
    may_also: str
    status: str
    waiting_sentence: str
    thinking: bool
    choices: list[dict[str, Any]]
    panels: list[PanelInfo]
    grids: list[Grid]
    log: list[LogLine]
    log_earlier: int
    payments: list[SeatPayments]
    chat: list[ChatLine]
    undo: Wish
    ending: Wish
    at: int | None
    past: list[LogLine]
    steps: Steps
    curtain: Curtain | None
    shares_device: bool
    face: str
    objection: Objection
    hint_allowed: bool
    result: ResultInfo | None
    share_link: str
    link_is_local: bool


class HintLine(msgspec.Struct, frozen=True):
    """Another choice, and how much worse the computer thinks it is."""

    label: str
    difference: str


class HintCard(msgspec.Struct, frozen=True):
    """hint.html: what the computer would do in that position. `action_json` is the action as POST /move takes it."""

    label: str
    sentence: str
    why: str
    keys: list[str]
    position: str
    action_json: str
    others: list[HintLine]


class TakePage(msgspec.Struct, frozen=True):
    """take.html: a seat is handed on; a POST to the same address takes it."""

    table_url: str
    title_name: str
    seat: int
    name: str
    action: str


class CheckPage(msgspec.Struct, frozen=True):
    """check.html: the seed after the end, and what checking it gave."""

    id: str
    table_url: str
    title_name: str
    seed: str
    seed_hash: str
    draws: int
    passed: bool
    sentence: str


# ---- rules


class RuleCard(msgspec.Struct, frozen=True):
    """rule.html, rule_card.html: one rule."""

    id: str
    reference: str
    title: str
    title_name: str
    url: str
    kind: str
    section: str
    text: str
    source: str
    ambiguity: str
    ruling: str
    ruling_source: str
    given: str
    expect: str
    table_head: list[str]
    table_rows: list[list[str]]
    depends: list[Fact]
    dependents: list[Fact]


class RuleSection(msgspec.Struct, frozen=True):
    """The rules under one heading."""

    name: str
    rules: list[RuleCard]


class RulesPage(msgspec.Struct, frozen=True):
    """rules.html: all rules of a title in the order of the book; `query` filters them. `reconstructed` says
    what of its components is."""

    title: str
    title_name: str
    edition: str
    designer: str
    query: str
    reconstructed: str
    sections: list[RuleSection]
    components: list[Fact]


class ErrorPage(msgspec.Struct, frozen=True):
    """error.html: one sentence."""

    status: int
    sentence: str
    rule: str
    rule_url: str


# ---- best trains


class CompanyChip(msgspec.Struct, frozen=True):
    """A company to choose; `total` is what it earns, empty if it has no trains."""

    do: str
    id: str
    name: str
    selected: bool
    total: str


class TrainButton(msgspec.Struct, frozen=True):
    """A kind of train of the chosen company; an empty `add` or `remove` cannot be done."""

    train: str
    count: int
    add: str
    remove: str


class TileButton(msgspec.Struct, frozen=True):
    """A tile for the chosen hex; the one that lies there is turned by choosing it."""

    do: str
    tile: str
    label: str
    svg: Markup
    selected: bool
    left: int


class SpotPanel(msgspec.Struct, frozen=True):
    """A city of the chosen hex; the values of `markers` take one away, those of `free_for` place
    one, that of the chosen company being selected. `duty` asks for a run to it, where the hex has
    several cities."""

    label: str
    value: int
    spaces: int
    markers: list[FieldChoice]
    free_for: list[FieldChoice]
    duty: FieldChoice | None


class HexPanel(msgspec.Struct, frozen=True):
    """The chosen hex; `duty` asks for a run over it, if the title knows such a duty."""

    id: str
    name: str
    tiles: list[TileButton]
    duty: FieldChoice | None
    turn: str
    turn_back: str
    remove: str
    spots: list[SpotPanel]


class RunLine(msgspec.Struct, frozen=True):
    """The run of a train; `calls` are its stops with their values, `mail` is what it earns beside
    them for the mail."""

    number: int
    sample: Markup
    train: str
    calls: list[Fact]
    ferry: int
    value: str
    mail: int


class BestRuns(msgspec.Struct, frozen=True):
    """What the chosen company earns, or a sentence why nothing. `parts` says how much of it is mail,
    empty if nothing is."""

    total: str
    parts: str
    runs: list[RunLine]
    idle: list[str]
    sentence: str


class RoutesPage(msgspec.Struct, frozen=True):
    """routes.html and parts/routes.html: best trains on a position.

    The form is sent by GET with `fields` (the position), `hex` and, from a button, `do`.
    """

    title: str
    title_name: str
    action: str
    url: str
    link: str
    export_url: str
    fields: list[Fact]
    hex: str
    board_svg: Markup
    phases: list[FieldChoice]
    companies: list[CompanyChip]
    company_name: str
    trains: list[TrainButton]
    duties: list[FieldChoice]
    panel: HexPanel | None
    best: BestRuns
    error: str
