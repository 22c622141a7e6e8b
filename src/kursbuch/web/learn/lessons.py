"""Lessons and guided first games."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from markupsafe import Markup
from sqlalchemy import delete, select

import kursbuch
from kursbuch.bots import usual_strength
from kursbuch.core.explain import LEARNER, GuidedGame, guided_game
from kursbuch.core.title import Title
from kursbuch.core.tutorial import Chapter, Lessons
from kursbuch.core.words import N_, Words
from kursbuch.web.ai.hints import action_label
from kursbuch.web.cache import LruCache
from kursbuch.web.db.models import StandingRefusal, Table
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound
from kursbuch.web.labels import Fact, aid_url, learn_url, rule_link, rule_name
from kursbuch.web.tables import games, lobby
from kursbuch.web.tables.lobby import NewSeat, NewTable
from kursbuch.web.tables.policies import FINISHED, GUIDED_PACE, RUNNING
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import TableTransaction
from kursbuch.web.tables.viewer import Viewer
from kursbuch.web.tables.votes import UNDO

#: Drawn pictures, by title, data, move and language.
DRAWN = LruCache[tuple[object, ...], Markup](60)


def lessons_of(title: Title[Any]) -> Lessons:
    """Return the lessons of a title; refuse a title without any."""
    if title.lessons is None:
        raise NotFound(N_("There is no lesson for {title} yet."), title=title.name)
    return title.lessons


class LearnPicture(msgspec.Struct, frozen=True):
    """A board of the guided game. `focus` are the keys of the highlighted pieces; the page zooms to
    them unless `whole` is set."""

    svg: Markup
    focus: list[str]
    whole: bool
    caption: str


class LearnChapter(msgspec.Struct, frozen=True):
    """A chapter of the five-minute lesson; `rules` are links named by section."""

    id: str
    heading: str
    paragraphs: list[str]
    rules: list[Fact]
    picture: LearnPicture | None


class LearnPage(msgspec.Struct, frozen=True):
    """learn.html: a game in five minutes. `guide_url` takes a POST with `name` and opens a guided
    first game. `guide_url` and `aid_url` are empty where there is none."""

    title: str
    title_name: str
    summary: str
    players: str
    lasts: str
    chapters: list[LearnChapter]
    guide_url: str
    guide_steps: int
    aid_url: str
    rules_url: str
    new_url: str


def learn_page(words: Words, title: Title[Any]) -> LearnPage:
    """Return the lesson of a title."""
    lessons = lessons_of(title)
    found = guided_game(title)
    low, high = title.seats[0], title.seats[-1]
    return LearnPage(
        title=title.id,
        title_name=title.name,
        summary=words._(title.summary) if title.summary else "",
        players=words._("{low} to {high} players", low=low, high=high),
        lasts=words.lasting(title.minutes),
        chapters=[_chapter(words, title, found, one) for one in lessons.chapters],
        guide_url=f"/learn/{title.id}/guide" if found else "",
        guide_steps=len(found.guide.step) if found else 0,
        aid_url=aid_url(title),
        rules_url=f"/rules/{title.id}",
        new_url=f"/new?title={title.id}",
    )


def _chapter(
    words: Words, title: Title[Any], found: GuidedGame | None, chapter: Chapter
) -> LearnChapter:
    picture = None
    if chapter.picture is not None and found is not None:
        picture = LearnPicture(
            svg=_drawn(words, title, found, chapter.picture.move),
            focus=list(chapter.picture.focus),
            whole=chapter.picture.whole,
            caption=chapter.picture.caption.text(words.language),
        )
    return LearnChapter(
        id=chapter.id,
        heading=chapter.heading.text(words.language),
        paragraphs=_paragraphs(chapter.text.text(words.language)),
        rules=rule_names(words, title, chapter.rules),
        picture=picture,
    )


def _drawn(words: Words, title: Title[Any], found: GuidedGame, move: int) -> Markup:
    """Draw the board of the guided game as the reader sees it, without interaction."""
    key = (title.id, title.data_hash, move, words.language)
    known = DRAWN.get(key)
    if known is not None:
        return known
    others = found.game.names[LEARNER + 1 :]
    named = Words(words.language, (words._("You"), *others))
    state = title.view(found.game.at(move).state, LEARNER)
    # The title's own drawing escapes every text it contains.
    return DRAWN.put(key, Markup(title.draw(state, named)))


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def rule_names(words: Words, title: Title[Any], ids: Sequence[str]) -> list[Fact]:
    """Return links to rules, named by section and without repetition: newcomers do not know ids."""
    links: dict[str, str] = {}
    for id_ in ids:
        reference, url = rule_link(title.id, id_)
        links.setdefault(rule_name(reference, words.language), url)
    return [Fact(name, url) for name, url in links.items()]


class AidSection(msgspec.Struct, frozen=True):
    """A section of the player aid."""

    heading: str
    lines: list[str]


class AidPage(msgspec.Struct, frozen=True):
    """aid.html, as a page or a card: the player aid."""

    title: str
    title_name: str
    sections: list[AidSection]
    learn_url: str
    rules_url: str


def aid_page(words: Words, title: Title[Any]) -> AidPage:
    """Return the player aid of a title."""
    lessons = lessons_of(title)
    if not lessons.aid:
        raise NotFound(N_("There is no player aid for {title} yet."), title=title.name)
    return AidPage(
        title=title.id,
        title_name=title.name,
        sections=[
            AidSection(
                section.heading.text(words.language),
                [line.text(words.language) for line in section.lines],
            )
            for section in lessons.aid
        ],
        learn_url=learn_url(title),
        rules_url=f"/rules/{title.id}",
    )


class GuideInfo(msgspec.Struct, frozen=True):
    """The current words of the guide in a guided game."""

    #: "step" (the reader is to `do` something), "others" (other players move), "jump" (rounds are
    #: skipped), "left" (the reader has chosen another move) or "end". POST /guide takes `answer`:
    #: back, jump or leave.
    state: str
    step: int
    steps: int
    do: str
    because: str
    rules: list[Fact]
    #: Events since the reader's last move.
    notes: list[str]
    #: The move of the guide.
    label: str
    keys: list[str]
    action_json: str
    #: What happens in the skipped rounds.
    jump: list[str]
    summary: list[str]
    over: bool
    learn_url: str
    new_url: str


def guide_info(shown: Viewer) -> GuideInfo | None:
    """Return the words of the guide for the reader at a guided table."""
    game = shown.game
    if game is None or shown.at is not None or LEARNER not in shown.own:
        return None
    found = games.course_of(shown.table, shown.title)
    if found is None:
        return None
    words, title = shown.words, shown.title
    told = found.guide
    actions = [move.action for move in game.moves]
    number = found.followed(actions)
    left = number < min(len(actions), told.stop)
    done = sum(step.at < number for step in told.step)
    step = next((step for step in told.step if step.at == number), None)
    now = None if left or step is None else step
    own = max((place + 1 for place in range(number) if actions[place].seat == LEARNER), default=0)
    label, keys, action_json = "", list[str](), ""
    if now is not None and shown.acting == LEARNER and shown.view is not None:
        action = found.game.moves[number].action
        label = action_label(shown, shown.view, action)
        keys = list(shown.voice.pick(shown.view.state, action).keys)
        action_json = msgspec.json.encode(title.action_to_json(action)).decode()
    ended = not left and number == told.stop
    jump = None if left else found.jump(number)
    going = "jump" if jump else "step" if now else "others"
    state = "left" if left else "end" if ended else going
    return GuideInfo(
        state=state,
        step=done + (now is not None),
        steps=len(told.step),
        do=now.do.text(words.language) if now else "",
        because=now.because.text(words.language) if now else "",
        rules=rule_names(words, title, now.rules) if now else [],
        notes=[
            note.text.text(words.language)
            for note in told.note
            if own <= note.at <= number and not left
        ],
        label=label,
        keys=keys,
        action_json=action_json,
        jump=_paragraphs(jump.text.text(words.language)) if jump else [],
        summary=_paragraphs(told.summary.text(words.language)) if ended else [],
        over=game.over,
        learn_url=learn_url(title),
        new_url=f"/new?title={title.id}",
    )


async def open_guide(tables: TableStore, name: str, visitor: str, player: str) -> str:
    """Open a table for the guided game of a title and return its id. One that the visitor has left
    before its end is closed."""
    title = kursbuch.titles().get(name)
    found = None if title is None else guided_game(title)
    if title is None or found is None:
        raise NotFound(N_("There is no guided game of {name}."), name=name[:40])
    guide = found.guide
    await _close_others(tables, name, visitor)
    spec = usual_strength(title)
    seats = [NewSeat("me", player), *(NewSeat("bot", one, spec) for one in guide.players)]
    new = NewTable(
        title=name,
        seats=seats,
        options=guide.options,
        undo="free",
        listed=False,
        pace=GUIDED_PACE,
    )
    return await lobby.open_table(tables, new, visitor, guide=guide)


async def _close_others(tables: TableStore, name: str, visitor: str) -> None:
    query = select(Table.id).where(
        Table.creator == visitor, Table.title == name, Table.guided, Table.status == RUNNING
    )
    async with tables.refusing(), tables.database.reading() as session:
        left = list(await session.scalars(query))
    for table_id in left:
        # Someone else may play it by now.
        with suppress(Forbidden, Conflict):
            await lobby.close(tables, table_id, visitor)


async def take_back_to_guide(tables: TableStore, table_id: str, visitor: str) -> None:
    """Go back to where the game left the course of the guide."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        _require_guided(change, visitor)
        assert change.game is not None
        found = games.course_of(change.table, change.game.title)
        if found is None:
            raise Conflict(N_("This is not a guided game."))
        target = found.followed([move.action for move in change.game.moves])
        if target == len(change.game.moves):
            raise Conflict(N_("There is nothing to take back here."))
        seat = change.any_own_seat(visitor)
        # Otherwise what is not to be asked is declined at once, and the guide is left again.
        own = StandingRefusal.table_id == table_id, StandingRefusal.seat == seat.number
        await change.session.execute(delete(StandingRefusal).where(*own))
        await change.note(UNDO, seat.number, await change.rewind(target))


async def jump_ahead(tables: TableStore, table_id: str, visitor: str) -> None:
    """Play what the guide leaves out, for everybody."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        _require_guided(change, visitor)
        assert change.game is not None
        made = [move.action for move in change.game.moves]
        found = games.followed(change.table, change.game.title, made)
        left_out = found.jumped(len(made)) if found is not None else []
        if not left_out:
            raise Conflict(N_("There is nothing to skip here."))
        for action in left_out:
            change.play(action)


async def leave_guide(tables: TableStore, table_id: str, visitor: str) -> None:
    """Go on without the guide."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING, FINISHED)
        _require_guided(change, visitor)
        change.table.guided = False
        if change.table.status == RUNNING:
            await change.settle()


def _require_guided(change: TableTransaction, visitor: str) -> None:
    change.any_own_seat(visitor)
    if not change.table.guided:
        raise Conflict(N_("This is not a guided game."))
