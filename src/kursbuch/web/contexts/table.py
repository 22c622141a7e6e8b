"""The table."""

from __future__ import annotations

from typing import Any

import msgspec
from markupsafe import Markup

from kursbuch.core.voice import Grid, Row
from kursbuch.web.contexts.asking import Copying, Course, Curtain, Objection, Wish
from kursbuch.web.contexts.common import Fact, FieldChoice, PanelRow, RuleLink
from kursbuch.web.contexts.doors import Doors
from kursbuch.web.contexts.learning import GuideInfo
from kursbuch.web.contexts.moderating import Moderation
from kursbuch.web.contexts.results import ResultInfo
from kursbuch.web.contexts.slow import AheadInfo, SeatTimes
from kursbuch.web.contexts.told import ChatLine, LogLine, Since


class TableInfo(msgspec.Struct, frozen=True):
    """The table itself. `status` is lobby, running, finished or closed; `objection_name` is empty if
    this game has no use for a clock, `record_url` if there is no record to be had now. `copied` is how many
    moves come from another table (`origin_url`, if the visitor may know it); `again_url` is where the same
    people play once more, `may_again` says that the visitor may open that table. `set_up` are the corrections with
    which the game will begin, in words."""

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
    learn_url: str
    aid_url: str
    legend_url: str
    record_url: str
    check_url: str
    routes_url: str
    numbers_url: str
    review_url: str
    pieces_url: str
    copied: int | None
    from_record: bool
    origin_url: str
    again_url: str
    may_again: bool
    slow: bool
    time_label: str
    overrun_label: str
    votes: bool
    vacation_label: str
    language_note: str
    rated: bool
    set_up: list[str]


class SeatInfo(msgspec.Struct, frozen=True):
    """A seat. `kind` is person, hotseat, bot or gone; it `has_player` if somebody has it who could be asked; `note` is
    what should be seen of it besides the score, `score_note` says what counts in the score, `profile_url` is the page
    of who has an account."""

    number: int
    name: str
    kind: str
    kind_label: str
    bot: str
    is_free: bool
    is_gone: bool
    has_player: bool
    is_mine: bool
    is_turn: bool
    connected: bool
    score: str
    score_note: str
    payments_url: str
    note: str
    hand_on_link: str
    is_winner: bool
    times: SeatTimes
    profile_url: str


class Me(msgspec.Struct, frozen=True):
    """The visitor at this table: own seats, and the one that decides now; how far behind he looks on, if he does."""

    seats: list[int]
    acting: int | None
    is_spectator: bool
    is_creator: bool
    may_close: bool
    may_start: bool
    may_join: bool
    delay: str


class PanelInfo(msgspec.Struct, frozen=True):
    """A list of holdings, of a seat or (None) of the table."""

    title: str
    seat: int | None
    rows: list[PanelRow]
    pieces: bool


class ElementInfo(msgspec.Struct, frozen=True):
    """card.html: what an element of the board is. `sentence` says why pointing at it leads to nothing
    (empty if it leads on), with its rule; `piece_url` is its picture."""

    title: str
    rows: list[PanelRow]
    notes: list[str]
    rules: list[RuleLink]
    piece_url: str
    sentence: str
    rule: RuleLink | None


class ForeseenInfo(msgspec.Struct, frozen=True):
    """What an action brings for certain, what follows `if_unopposed` nobody objects (empty if nobody can
    object), and the changes of all these payments together."""

    lines: list[str]
    unopposed: list[str]
    if_unopposed: str
    totals: str


class ChipInfo(msgspec.Struct, frozen=True):
    """Something somebody has; `strong` says that it gives the lead."""

    text: str
    key: str
    note: str
    strong: bool


class CardInfo(msgspec.Struct, frozen=True):
    """A player (`seat`) or something else of the table at a glance; `held` says what the chips are."""

    title: str
    seat: int | None
    key: str
    figures: tuple[Row, ...]
    chips: list[ChipInfo]
    note: str
    active: bool
    held: str


class Held(msgspec.Struct, frozen=True):
    """What a player has: at a glance, and as a list."""

    cards: list[CardInfo]
    panels: list[PanelInfo]


class Standing(msgspec.Struct, frozen=True):
    """What a page says of a position, to all who know the same of it: a few lines on where the game is and what will
    end it; what every player has, by seat, with a note that is always in sight; companies and whatever else is compared
    all the time (`cards`), tables that are narrow enough to stand beside them (`brief`), all others, and lists.
    `seating` are the seats as people sit."""

    status: str
    near_end: str
    seating: list[int]
    held: list[Held]
    notes: list[str]
    cards: list[CardInfo]
    brief: list[Grid]
    grids: list[Grid]
    panels: list[PanelInfo]


class AboutInfo(msgspec.Struct, frozen=True):
    """The tab about the table. `seats` and `me` are without what changes with every move."""

    seats: list[SeatInfo]
    me: Me
    share_link: str
    doors: Doors
    copying: bool
    replacing: Wish
    replacers: list[FieldChoice]
    ending: Wish
    moderation: Moderation | None


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
    `log_earlier` says how many older ones there are; `since` is what the reader has to be told of
    them; `thinking` says that only the computer is waited for. `choices` are what the acting seat may
    do, or one that may act although nobody waits for it (`may_also` then introduces them): {action,
    keys, label, group, several, cost, amount: {field, low, high, step, send, written, quick, atOnce} or
    null, confirm, ask}.
    `at` is the number of moves after which the table is shown, None for now: then everything but the
    chat is as it was, `past` says what that move did, and `steps` where to go from there.
    `shares_device` says that people at this device have secrets from each other; `face` then changes
    with who sits in front of it. `note` says what happened at the table since the last move: something was
    taken back, or done again. `back_here` leads back to the move that is looked at, `copying` on from there
    at a table of one's own. `chat_read` is the last message the reader
    has seen. `replacers` are who can play the seat of somebody who is replaced. `head` is that of the chain of hashes
    after the move that is shown.
    """

    table: TableInfo
    seats: list[SeatInfo]
    me: Me
    version: int
    number: int
    position: str
    board_svg: Markup
    board: str
    prompt: str
    may_also: str
    standing: Standing
    waiting_sentence: str
    thinking: bool
    choices: list[dict[str, Any]]
    names: tuple[str, ...]
    about: AboutInfo
    log: list[LogLine]
    log_earlier: int
    since: Since | None
    chat: list[ChatLine]
    chat_read: int
    undo: Wish
    redo: Wish
    note: str
    back_here: Course | None
    copying: Copying | None
    ending: Wish
    doors: Doors
    replacing: Wish
    ahead: AheadInfo | None
    replacers: list[FieldChoice]
    at: int | None
    past: list[LogLine]
    steps: Steps
    curtain: Curtain | None
    shares_device: bool
    face: str
    objection: Objection
    hint_allowed: bool
    guide: GuideInfo | None
    result: ResultInfo | None
    moderation: Moderation | None
    share_link: str
    link_is_local: bool
    head: str


class Place(msgspec.Struct, frozen=True):
    """An element of the board in words; `kind` is the first part of its key."""

    kind: str
    title: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


class PlacesPage(msgspec.Struct, frozen=True):
    """places.html, places_card.html: the board in words."""

    table_url: str
    title_name: str
    places: list[Place]


class HintLine(msgspec.Struct, frozen=True):
    """Another choice, and how much worse the computer thinks it is."""

    label: str
    difference: str


class HintCard(msgspec.Struct, frozen=True):
    """hint.html: what the computer would do in that position, and what speaks for it. `action_json` is the
    action as POST /move takes it."""

    label: str
    sentence: str
    reasons: list[str]
    why: str
    keys: list[str]
    position: str
    action_json: str
    others: list[HintLine]


class TakePage(msgspec.Struct, frozen=True):
    """take.html: a seat is handed on; a POST to the same address takes it, unless the visitor must log in before
    (`needs_account`)."""

    table_url: str
    title_name: str
    seat: int
    name: str
    action: str
    needs_account: bool


class CheckPage(msgspec.Struct, frozen=True):
    """check.html: the seed after the end, and what checking it gave. `draws` are those that come from it;
    `copied` has a sentence for every game whose draws were copied instead, `head` is the last one of its chain."""

    id: str
    table_url: str
    title_name: str
    seed: str
    seed_hash: str
    draws: int
    passed: bool
    sentence: str
    copied: list[str]
    head: str
