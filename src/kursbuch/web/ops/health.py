"""Health checks."""

from __future__ import annotations

import asyncio
import logging

from litestar import get

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Unavailable
from kursbuch.web.http.requests import AnyRequest, tables_of
from kursbuch.web.live.streams import check_redis
from kursbuch.web.ops.logs import ThrottledLog

#: How long the database and Redis may take to answer, in seconds.
PATIENCE = 3.0
seldom = ThrottledLog(logging.getLogger(__name__))


@get("/health", include_in_schema=False, media_type="text/plain")
async def health() -> str:
    """The process lives. Asks nobody else, so it answers at once whatever is wrong with them."""
    return "ok"


@get("/ready", include_in_schema=False, media_type="text/plain")
async def ready(request: AnyRequest) -> str:
    """Requests can be answered: refused with 503 unless the database and Redis answer, and the database is as
    this version of the program needs it."""
    try:
        async with asyncio.timeout(PATIENCE):
            tables = tables_of(request)
            async with tables.refusing():
                current = await tables.database.is_current()
            if not current:
                raise Unavailable(
                    N_("The database belongs to another version of the program than this server.")
                )
            if request.app.state.redis:
                await check_redis(request.app.state.redis)
    except TimeoutError:
        raise Unavailable(
            N_("The server does not get an answer in time: please try again.")
        ) from None
    except Unavailable:
        raise
    except KursbuchError as error:
        # Where it was looked for is nobody's business.
        seldom.write("redis", "%s", error)
        raise Unavailable(N_("Redis does not answer.")) from None
    return "ready"


HANDLERS = [
    health,
    ready,
]
