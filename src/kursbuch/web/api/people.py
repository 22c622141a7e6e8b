"""What programs learn of who they are."""

from __future__ import annotations

import msgspec
from litestar import get

from kursbuch.web.api.errors import READING
from kursbuch.web.requests import AnyRequest, who


class ApiMe(msgspec.Struct, frozen=True):
    """Who asks: the name of the account, None for a browser without one."""

    name: str | None


@get("/me", responses=READING)
async def me(request: AnyRequest) -> ApiMe:
    """Who the caller is."""
    person = who(request).account
    return ApiMe(person.name if person is not None else None)


HANDLERS = [me]
