"""Routes for hints."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import post
from litestar.params import FromPath
from litestar.response import Template
from litestar.status_codes import HTTP_200_OK

from kursbuch.web.ai.advice import advised
from kursbuch.web.ai.hints import hint_card
from kursbuch.web.http.operations import DOING
from kursbuch.web.http.rate_limits import COSTLY
from kursbuch.web.http.requests import AnyRequest
from kursbuch.web.http.templating import page


@post(
    "/t/{table_id:str}/hint", include_in_schema=False, status_code=HTTP_200_OK, opt={"cost": COSTLY}
)
async def hint_form(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """What the computer would do."""
    shown, advice = await advised(request, table_id)
    return page(request, "hint.html", hint_card(shown, advice), shown.words)


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


API_HANDLERS = [
    hint,
]


HANDLERS = [
    hint_form,
]
