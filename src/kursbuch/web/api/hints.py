"""Hints for programs."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import post
from litestar.params import FromPath

from kursbuch.web.advising import advised
from kursbuch.web.api.errors import DOING
from kursbuch.web.limits import COSTLY
from kursbuch.web.present.hints import hint_card
from kursbuch.web.requests import AnyRequest


class ApiOtherChoice(msgspec.Struct, frozen=True):
    """Another choice, and how much worse the computer thinks it is, in words."""

    text: str
    difference: str


class ApiHint(msgspec.Struct, frozen=True):
    """What the computer would do after so many moves (`number`): the `action` as a move takes it and its text,
    what it certainly brings (`reasons`), and why it is better than the next best choice."""

    number: int
    action: dict[str, Any]
    text: str
    reasons: list[str]
    why: str
    others: list[ApiOtherChoice]


@post(
    "/tables/{table_id:str}/hint",
    status_code=200,
    opt={"cost": COSTLY},
    responses=DOING,
)
async def hint(request: AnyRequest, table_id: FromPath[str]) -> ApiHint:
    """What the computer would do, from what the caller may know, and why. It thinks for about half a second."""
    shown, advice = await advised(request, table_id)
    card = hint_card(shown, advice)
    return ApiHint(
        shown.number,
        advice.choices[0][0],
        card.label,
        card.reasons,
        card.why,
        [ApiOtherChoice(line.label, line.difference) for line in card.others],
    )


HANDLERS = [hint]
