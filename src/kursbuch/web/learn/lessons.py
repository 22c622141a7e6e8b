"""Learning pages: five minutes, player aid, guide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from kursbuch.core.explain import LEARNER, GuidedGame, guided_game
from kursbuch.core.title import Title
from kursbuch.core.tutorial import Chapter, Lessons
from kursbuch.core.words import N_, Words
from kursbuch.web.ai.hints import action_label
from kursbuch.web.cache import LruCache
from kursbuch.web.http.errors import NotFound
from kursbuch.web.labels import Fact, rule_link
from kursbuch.web.tables import guide_course
from kursbuch.web.tables.viewer import Viewer

#: Drawn pictures, by title, number of moves and language.
DRAWN = LruCache[tuple[object, ...], Markup](60)


def lessons_of(title: Title[Any]) -> Lessons:
    """What a title teaches; refused if that is nothing."""
    if title.lessons is None:
        raise NotFound(N_("There is nothing to learn {title} with yet."), title=title.name)
    return title.lessons


def learn_url(title: Title[Any]) -> str:
    """Where the title is explained, empty if nowhere."""
    return f"/learn/{title.id}" if title.lessons and title.lessons.chapters else ""


def aid_url(title: Title[Any]) -> str:
    """Where the player aid is, empty if there is none."""
    return f"/aid/{title.id}" if title.lessons and title.lessons.aid else ""


class LearnPicture(msgspec.Struct, frozen=True):
    """A board of the guided game; `focus` are the keys of what is pointed out and, unless the `whole`
    board is to be seen, looked at closely."""

    svg: Markup
    focus: list[str]
    whole: bool
    caption: str


class LearnChapter(msgspec.Struct, frozen=True):
    """A chapter of the page to read in five minutes; `rules` are links by the sections of the rules."""

    id: str
    heading: str
    paragraphs: list[str]
    rules: list[Fact]
    picture: LearnPicture | None


class LearnPage(msgspec.Struct, frozen=True):
    """learn.html: a game in five minutes. `guide_url` takes a POST with `name` that opens a table for the
    guided first game; empty without one, as `aid_url` is without a player aid."""

    title: str
    title_name: str
    players: str
    lasts: str
    chapters: list[LearnChapter]
    guide_url: str
    guide_steps: int
    aid_url: str
    rules_url: str
    new_url: str


def learn_page(words: Words, title: Title[Any]) -> LearnPage:
    """A title in five minutes."""
    lessons = lessons_of(title)
    found = guided_game(title)
    low, high = title.seats[0], title.seats[-1]
    return LearnPage(
        title=title.id,
        title_name=title.name,
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
    """The board of the guided game as the reader sees it, without anything to point at."""
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
    """Links to rules, called by their sections, since ids mean nothing to newcomers: the first of each."""
    links: dict[str, str] = {}
    for id_ in ids:
        name = title.rules[id_].in_language("section", words.language) or id_
        links.setdefault(name, rule_link(title.id, id_)[1])
    return [Fact(name, url) for name, url in links.items()]


class AidSection(msgspec.Struct, frozen=True):
    """A section of the player aid."""

    heading: str
    lines: list[str]


class AidPage(msgspec.Struct, frozen=True):
    """aid.html, aid_card.html: the player aid."""

    title: str
    title_name: str
    sections: list[AidSection]
    learn_url: str
    rules_url: str


def aid_page(words: Words, title: Title[Any]) -> AidPage:
    """The player aid of a title."""
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
    """What the guide of a guided first game says now. `state` is "step" (the reader is to `do`
    something), "others" (somebody else moves), "jump" (some rounds are left out; `jump` says what happens
    in them), "left" (the reader has done something else) or "end". `notes` say what has happened since the
    reader's last move. `label`, `keys` and `action_json` are those of the move of the guide; POST /guide
    takes `answer`: back, jump or leave."""

    state: str
    step: int
    steps: int
    do: str
    because: str
    rules: list[Fact]
    notes: list[str]
    label: str
    keys: list[str]
    action_json: str
    jump: list[str]
    summary: list[str]
    over: bool
    learn_url: str
    new_url: str


def guide_info(shown: Viewer) -> GuideInfo | None:
    """What the guide says to the reader at a guided table."""
    game = shown.game
    if game is None or shown.at is not None or LEARNER not in shown.own:
        return None
    found = guide_course.course_of(shown.table, shown.title)
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
