"""Operations: one handler for the form of a page and the JSON request of a program."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import wraps
from inspect import isawaitable
from types import ModuleType
from typing import Annotated, Any, get_args, get_type_hints

import msgspec
from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.response import Redirect
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from kursbuch.core.errors import KursbuchError
from kursbuch.web.http.requests import AnyRequest, RequestFields, read, wants_page

#: An integer that fits a database column.
Number = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]


class ApiError(msgspec.Struct, frozen=True):
    """Why a request was refused: one sentence, and the rule of the game that forbids it with its name, or ""."""

    error: str
    rule: str
    rule_name: str = ""


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


#: Refusals of API requests that only read.
READING = _refusing(400, 401, 403, 404, 409, 421, 422, 429, 503)

#: Refusals of API requests that change something.
DOING = _refusing(*_MEANINGS)


def done(request: AnyRequest, target: str) -> Response[Any]:
    """Answer a form: redirect browsers to `target`, send scripts nothing."""
    if wants_page(request):
        return Redirect(target, status_code=HTTP_303_SEE_OTHER)
    return Response(None, status_code=204)


class Operation:
    """An operation with its routes: `pages` take forms, `api` takes JSON and is in the OpenAPI document."""

    def __init__(self, pages: list[HTTPRouteHandler], api: HTTPRouteHandler, module: str) -> None:
        self.pages = pages
        self.api = api
        self.module = module


def operation(
    page_path: str | Mapping[str, Mapping[str, str]],
    api_path: str,
    *,
    done: Callable[[AnyRequest, Any], Any],
    answer: Callable[[AnyRequest, Any], Awaitable[Any]] | None = None,
    form: Callable[[AnyRequest, RequestFields], Any] | None = None,
    refused: Callable[[AnyRequest, KursbuchError], Awaitable[Any]] | None = None,
    status_code: int = HTTP_200_OK,
    page_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> Callable[[Callable[..., Awaitable[Any]]], Operation]:
    """Serve the decorated function under a page path for forms and under an API path for JSON.

    The function takes the request, the parameters in the API path and perhaps `data`, a struct. A form
    is read into the same struct by the names and types of its fields, or by `form`. A field that the
    page has in its path is taken from there. Several page paths each come with the parameters they fix.

    `done` answers forms, `answer` answers API requests; both get the request and the function's result.
    Without `answer`, the result itself is the answer. `refused` answers a refused form instead of the
    usual error page, and raises what it does not handle. Further options go to all routes,
    `page_options` to those of pages only.
    """

    def declare(function: Callable[..., Awaitable[Any]]) -> Operation:
        hints = get_type_hints(function)
        schema = _struct(hints["data"]) if "data" in hints else None
        parameters = hints.keys() - {"request", "data", "return"}

        def form_handler(path: str, fixed: Mapping[str, str]) -> HTTPRouteHandler:
            async def handle(request: AnyRequest) -> Any:
                try:
                    given = {**request.path_params, **fixed}
                    wanted: dict[str, Any] = {name: given[name] for name in parameters}
                    if schema is not None:
                        sent = await read(request)
                        sent.fields.update(request.path_params)
                        found = form(request, sent) if form else sent.fill(schema)
                        wanted["data"] = await _awaited(found)
                    return await _awaited(done(request, await function(request, **wanted)))
                except KursbuchError as error:
                    if refused is None:
                        raise
                    return await refused(request, error)

            handle.__name__ = f"{function.__name__}_form"
            chosen = {**options, **(page_options or {})}
            return post(path, include_in_schema=False, **chosen)(handle)

        paths = {page_path: {}} if isinstance(page_path, str) else page_path
        pages = [form_handler(path, fixed) for path, fixed in paths.items()]
        api = post(api_path, status_code=status_code, responses=DOING, **options)
        handler = api(_with_answer(function, answer) if answer else function)
        return Operation(pages, handler, function.__module__)

    return declare


def _struct(hint: Any) -> type[msgspec.Struct]:
    """The struct in the type of a request body that may be missing."""
    found: type[msgspec.Struct] = next(iter(get_args(hint)), hint)
    return found


def _with_answer(
    function: Callable[..., Awaitable[Any]], answer: Callable[[AnyRequest, Any], Awaitable[Any]]
) -> Callable[..., Awaitable[Any]]:
    """A handler with the parameters of `function` and the response of `answer`."""

    @wraps(function)
    async def handle(request: AnyRequest, **given: Any) -> Any:
        return await answer(request, await function(request, **given))

    handle.__annotations__ = {
        **get_type_hints(function, include_extras=True),
        "return": get_type_hints(answer)["return"],
    }
    return handle


async def _awaited(found: Any) -> Any:
    return await found if isawaitable(found) else found


def collect_routes(
    modules: Iterable[ModuleType],
) -> tuple[list[HTTPRouteHandler], list[HTTPRouteHandler]]:
    """The routes that modules define: those of pages, and those of the API."""
    pages: list[HTTPRouteHandler] = []
    api: list[HTTPRouteHandler] = []
    for module in modules:
        for found in vars(module).values():
            if isinstance(found, Operation) and found.module == module.__name__:
                pages += found.pages
                api.append(found.api)
            elif isinstance(found, HTTPRouteHandler) and found.fn.__module__ == module.__name__:
                (pages if found.include_in_schema is False else api).append(found)
    return pages, api
