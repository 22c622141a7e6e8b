"""Requests: visitor, language and fields."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, lru_cache
from types import GenericAlias
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar, get_args, get_origin
from urllib.parse import urlsplit

import msgspec
from litestar import Request
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.datastructures.headers import Accept
from litestar.exceptions import ClientException, SerializationException

from kursbuch.core.words import LANGUAGES, N_, Words
from kursbuch.web.http.errors import Refused
from kursbuch.web.http.idempotency import IdempotencyKey, carried_out
from kursbuch.web.http.rate_limits import address_of_visitor
from kursbuch.web.http.security import (
    LANGUAGE_COOKIE,
    REMOVED_COOKIE,
    Visitor,
    cookie_of,
    visitor_of,
)
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.store import TableStore
from kursbuch.web.uploads import parsers
from kursbuch.web.uploads.parser_pool import OF_DATA, UploadParser

#: The fields of a struct. Evaluating its annotations takes longer than reading a request.
_fields = cache(msgspec.structs.fields)

TABLE_CODE = re.compile(r"[a-z0-9-]{1,16}")
AnyRequest = Request[Any, Any, Any]
DeedT = ParamSpec("DeedT")
ResultT = TypeVar("ResultT")
StructT = TypeVar("StructT", bound=msgspec.Struct)

#: Header and field of the idempotency key.
KEY_HEADER, KEY_FIELD = "idempotency-key", "key"


def language_of(request: AnyRequest, table_language: str = "") -> str:
    """Return the reader's language: the chosen one, that in the address, the table's, or the browser's."""
    person = who(request).account
    return _language(request, person.language if person else "", table_language)


def language_of_stranger(request: AnyRequest) -> str:
    """Return the language before the visitor is identified."""
    return _language(request)


def _language(request: AnyRequest, own: str = "", table_language: str = "") -> str:
    for wanted in (
        own,
        cookie_of(request, LANGUAGE_COOKIE),
        request.query_params.get("lang"),
        table_language,
    ):
        if wanted in LANGUAGES:
            return str(wanted)
    return _best_language(request.headers.get("accept-language", "")[:500])


@lru_cache
def _best_language(accepted: str) -> str:
    """Return the language for an accept-language header."""
    # A language range ("de-AT;q=0.8") is written like a media type, except for its hyphen.
    ranges = accepted.lower().replace("-", "/")
    try:
        return Accept(ranges).best_match(["en/*", "de/*"], "en/*").partition("/")[0]
    except OverflowError:  # "q=inf"
        return "en"


def base_url(request: AnyRequest) -> str:
    """Return the URL of this server for links. If the browser uses a local name, it is the configured address."""
    host = request.headers.get("host") or request.url.netloc
    if is_local(host) and request.app.state.address:
        return str(request.app.state.address)
    return f"{request.url.scheme}://{host}"


def is_local(host: str) -> bool:
    """Tell whether a host, with or without a port, is this device.

    >>> [is_local(host) for host in ("localhost:8000", "[::1]", "127.0.0.1:80", "localhost.example")]
    [True, True, True, False]
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name in ("localhost", "::1") or re.fullmatch(r"127(\.\d+){3}", name) is not None


def wants_page(request: AnyRequest) -> bool:
    """Tell whether the client expects a whole page, not data or a fragment."""
    if request.url.path.startswith("/api") or wants_part(request):
        return False
    return "text/html" in request.headers.get("accept", "")


def wants_part(request: AnyRequest) -> bool:
    """Tell whether a script of a page asks for a fragment."""
    return "x-part" in request.headers


def safe_path(given: object) -> str:
    """Return a path on this server to redirect to, "/" for anything else.

    >>> safe_path("/t/abc?x=1"), safe_path("https://elsewhere.example/"), safe_path("//elsewhere")
    ('/t/abc?x=1', '/', '/')
    """
    if not isinstance(given, str) or not given.startswith("/") or "\\" in given:
        return "/"
    parts = urlsplit(given)
    if parts.scheme or parts.netloc or given.startswith("//") or not given.isprintable():
        return "/"
    return given


class RequestFields:
    """Fields of a form or of a JSON object."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields

    def text(self, name: str, usual: str = "") -> str:
        """Return a text field."""
        value = self.fields.get(name, usual)
        if not isinstance(value, str):
            raise Refused(N_("The field {name} must contain text."), name=name)
        if "\0" in value:  # PostgreSQL knows no such text
            raise Refused(N_("The field {name} contains an invalid character."), name=name)
        return value

    def number(self, name: str) -> int:
        """Return an integer field."""
        value = self.fields.get(name)
        if isinstance(value, str) and value.strip().isdecimal() and len(value) <= 10:
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31:
            return value
        raise Refused(N_("The field {name} is not a whole number."), name=name)

    def optional_number(self, name: str) -> int | None:
        """Return an integer field, None if it is missing."""
        return None if self.fields.get(name) in (None, "") else self.number(name)

    def texts(self, prefix: str) -> list[str]:
        """The texts of fields that are numbered from 0 after a prefix."""
        texts: list[str] = []
        while (name := f"{prefix}{len(texts)}") in self.fields:
            texts.append(self.text(name))
        return texts

    def seen(self) -> Seen:
        """Return the version of the table that the visitor has seen."""
        return Seen(self.number("number"), self.optional_number("version"))

    def optional_seen(self, prefix: str = "") -> Seen | None:
        """Return the version seen, None if it is missing; `prefix` precedes its field names."""
        number = self.optional_number(f"{prefix}number")
        return None if number is None else Seen(number, self.optional_number(f"{prefix}version"))

    def flag(self, name: str) -> bool:
        """Return a boolean field; missing means false."""
        return self.fields.get(name) in (True, "1", "true", "on", "yes", 1)

    def fill(self, schema: type[StructT]) -> StructT:
        """Read a struct: every field by its name and type."""
        return schema(**{field.name: self._value(field) for field in _fields(schema)})

    def _value(self, field: msgspec.structs.FieldInfo) -> object:
        name, types = field.name, _types(field.type)
        if bool in types:
            return self.flag(name)
        if int in types:
            if field.required:
                return self.number(name)
            number = self.optional_number(name)
            return field.default if number is None else number
        if str in types:
            missing = not field.required and name not in self.fields
            return field.default if missing else self.text(name)
        if field.required:
            return self.data(name)
        found = self.data(name) if self.fields.get(name) else None
        if found is not None and not isinstance(found, dict):
            raise Refused(N_("The field {name} is not a JSON object."), name=name)
        return found

    def data(self, name: str) -> object:
        """Return any JSON value; in a form it is JSON text."""
        value = self.fields.get(name)
        if isinstance(value, str):
            try:
                return msgspec.json.decode(value)
            except (msgspec.DecodeError, RecursionError):
                raise Refused(N_("The field {name} is not valid JSON."), name=name) from None
        return value


def _types(given: object) -> set[object]:
    """The types a field may have, without `Annotated`."""
    parts = get_args(given)
    if not parts or isinstance(given, GenericAlias):
        return {given}
    if get_origin(given) is Annotated:
        return _types(parts[0])
    return set().union(*map(_types, parts))


def removed_tables(request: AnyRequest) -> list[str]:
    """Return the tables hidden from the visitor's list on the start page, the newest last."""
    return [name for name in cookie_of(request, REMOVED_COOKIE).split(".") if name]


async def read(request: AnyRequest) -> RequestFields:
    """Read the form or the JSON object of a request."""
    kind = request.content_type[0]
    try:
        if kind in ("application/x-www-form-urlencoded", "multipart/form-data"):
            return RequestFields(_form(await request.form()))
        body = await request.body()
        if not body:
            return RequestFields({})
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, SerializationException, UnicodeDecodeError, RecursionError):
        raise Refused(N_("The request is not valid JSON.")) from None
    except (ValueError, ClientException) as error:
        if isinstance(error, ClientException) and error.status_code != 400:
            raise
        raise Refused(N_("The request cannot be read.")) from None
    if found is None:
        return RequestFields({})
    if not isinstance(found, dict):
        raise Refused(N_("The request is not a JSON object."))
    return RequestFields(found)


def _form(form: FormMultiDict) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in form.multi_items():
        if isinstance(value, str | UploadFile):
            fields[name] = value
    return fields


def tables_of(request: AnyRequest) -> TableStore:
    """Return the tables of this server."""
    tables: TableStore = request.app.state.tables
    return tables


def words_for(request: AnyRequest, table_language: str = "") -> Words:
    """Return the words in the reader's language."""
    return Words(language_of(request, table_language))


def who(request: AnyRequest) -> Visitor:
    """Return the browser or account of a request."""
    return visitor_of(request)


def reader_of(request: AnyRequest) -> UploadParser:
    """Return the parser of a visitor's uploads; each address has one call at a time."""

    async def gone() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    owner = address_of_visitor(request) or who(request).id
    return UploadParser(request.app.state.readers, owner, gone)


async def read_data(
    request: AnyRequest, data: bytes, title: str, seats: int, options: Mapping[str, str]
) -> None:
    """Refuse component data with which no such game can start."""
    names = [f"{seat}" for seat in range(1, seats + 1)]
    read_it = reader_of(request)
    await read_it(parsers.component_data, title, data, names, dict(options), limits=OF_DATA)


async def once(
    request: AnyRequest,
    deed: Callable[DeedT, Awaitable[ResultT]],
    *args: DeedT.args,
    **kwargs: DeedT.kwargs,
) -> ResultT:
    """Carry out a request once per idempotency key; return its result."""
    fields = (await read(request)).fields
    key = request.headers.get(KEY_HEADER) or fields.get(KEY_FIELD)
    if not isinstance(key, str) or not key:
        return await deed(*args, **kwargs)
    sent = sorted(
        [(name, await _told(value)) for name, value in fields.items() if name != KEY_FIELD]
    )
    about = hashlib.sha256(msgspec.json.encode([request.url.path, sent])).hexdigest()
    intent = IdempotencyKey(who(request).id, key, about)
    return await carried_out(intent, tables_of(request).database, deed(*args, **kwargs))


async def _told(value: object) -> str:
    """Return text for the value of a field; for a file, its name and hash."""
    if not isinstance(value, UploadFile):
        return str(value)
    await value.seek(0)  # it may have been read before
    content = await value.read()
    await value.seek(0)
    return f"{value.filename} {hashlib.sha256(content).hexdigest()}"


async def carry_out(
    request: AnyRequest,
    deed: Callable[Concatenate[TableStore, str, str, DeedT], Awaitable[ResultT]],
    table_id: str,
    *args: DeedT.args,
    **kwargs: DeedT.kwargs,
) -> ResultT:
    """Carry out the visitor's request at a table `once`."""
    return await once(request, deed, tables_of(request), table_id, who(request).id, *args, **kwargs)
