"""Learning a game: five minutes, the player aid, the legend of a board, the guide."""

from __future__ import annotations

import msgspec
from markupsafe import Markup

from kursbuch.web.contexts.common import Fact


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


class Sign(msgspec.Struct, frozen=True):
    """A sign of a drawing and what it means."""

    svg: Markup
    meaning: str


class LegendPart(msgspec.Struct, frozen=True):
    """Signs that belong together."""

    heading: str
    signs: list[Sign]


class LegendPage(msgspec.Struct, frozen=True):
    """legend.html, legend_card.html: what the signs of a drawing mean, and the `marks` of choices by their
    class."""

    title: str
    title_name: str
    parts: list[LegendPart]
    marks: dict[str, str]
    rules_url: str


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
