"""What every address may refuse, for the description of the interface."""

from __future__ import annotations

from litestar.openapi.datastructures import ResponseSpec

from kursbuch.web.api.shapes import ApiError

_MEANINGS = {
    400: "What was sent cannot be read.",
    401: "The token is none.",
    403: "The caller may not do that.",
    404: "There is no such thing.",
    409: "The table is no longer as the caller saw it, or does not stand where this is possible.",
    413: "What was sent is too large.",
    415: "What was sent is of the wrong type.",
    421: "The server does not go by the name it was asked by.",
    422: "The rules or the table do not allow that.",
    429: "Too many requests: the header `Retry-After` says after how many seconds to try again.",
    503: "The server cannot do that just now: the header `Retry-After` says when to try again.",
}


def _refusing(*statuses: int) -> dict[int, ResponseSpec]:
    return {
        status: ResponseSpec(ApiError, description=_MEANINGS[status], generate_examples=False)
        for status in statuses
    }


#: What may come of asking.
READING = _refusing(400, 401, 403, 404, 409, 421, 422, 429, 503)

#: What may come of doing something.
DOING = _refusing(*_MEANINGS)
