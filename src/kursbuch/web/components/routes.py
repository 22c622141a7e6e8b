"""Routes of the page that corrects component data."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Template
from litestar.status_codes import HTTP_200_OK

from kursbuch.core.components import SEPARATOR
from kursbuch.core.errors import KursbuchError
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web.components.sheet import ComponentSheet, Edit, make_sheet
from kursbuch.web.http.admission import in_thread
from kursbuch.web.http.errors import NotFound, Refused
from kursbuch.web.http.rate_limits import COSTLY
from kursbuch.web.http.requests import (
    AnyRequest,
    RequestFields,
    read,
    reader_of,
    tables_of,
    wants_page,
    wants_part,
    who,
    words_for,
)
from kursbuch.web.http.templating import find_title, page
from kursbuch.web.labels import Fact, components_url
from kursbuch.web.tables.lobby import MAX_DATA, check_data
from kursbuch.web.tables.new_table import new_table_page
from kursbuch.web.tables.viewer import viewer
from kursbuch.web.uploads import parsers
from kursbuch.web.uploads.parser_pool import OF_DATA

#: Maximum body: a draft, what is entered, and a file.
BODY = 2 * MAX_DATA + 200_000


class ComponentsPage(msgspec.Struct, frozen=True):
    """components.html: the components of a title, which owners of the game can correct.

    The form (POST to `url`) has the fields draft (the file of the draft), value:{name} (a value; for lists empty,
    with pick:{option}:{name} for what is chosen), checked:{id} (empty or 1), file, and do: empty, undo:{name},
    besides, reset, variant:{name}, open (the file), download or use. `variants` are known doubts with their names.
    """

    title: str
    title_name: str
    reconstructed: str
    url: str
    draft: str
    sheet: ComponentSheet
    variants: list[Fact]
    error: str


@lru_cache(maxsize=20)
def _packaged(title: str, language: str) -> ComponentSheet:
    """The packaged components, which everyone sees first."""
    return make_sheet(title, b"", Edit(), language)


def _page(title: Title[Any], sheet: ComponentSheet, words: Words, error: str) -> ComponentsPage:
    return ComponentsPage(
        title=title.id,
        title_name=title.name,
        reconstructed=words._(title.reconstructed) if title.reconstructed else "",
        url=components_url(title),
        draft=sheet.draft.decode(),
        sheet=sheet,
        variants=[Fact(words._(text), name) for name, text in title.data_variants.items()],
        error=error or sheet.error,
    )


def _title(name: str) -> Title[Any]:
    title = find_title(name)
    if not title.data_file:
        raise NotFound(N_("{title} has no component data."), title=title.name)
    return title


def _edit(sent: RequestFields) -> Edit:
    """What a form wants."""
    entered: dict[str, str] = {}
    checked: dict[str, bool] = {}
    for field, text in sent.fields.items():
        if not isinstance(text, str):
            continue
        kind, _, name = field.partition(":")
        if kind == "value":
            entered[name] = text.replace("\r\n", "\n").strip()
        elif kind == "checked":
            checked[name] = bool(text)
    for field in sent.fields:
        kind, _, chosen = field.partition(":")
        option, _, name = chosen.partition(":")
        if kind == "pick" and name in entered:
            entered[name] = SEPARATOR.join(filter(None, (entered[name], option)))
    do, _, name = sent.text("do").partition(":")
    return Edit(
        entered=entered,
        checked=checked,
        undo=name if do == "undo" else "",
        besides=do == "besides",
        reset=do == "reset",
        variant=name if do == "variant" else "",
    )


async def _file(sent: RequestFields) -> bytes:
    upload = sent.fields.get("file")
    content = await upload.read() if isinstance(upload, UploadFile) else b""
    if not content:
        raise Refused(N_("Choose a file of component data first."))
    check_data(content)
    return content


@get("/components/{title:str}", include_in_schema=False)
async def show(request: AnyRequest, title: FromPath[str]) -> Template:
    """The packaged components, or those of a table."""
    found, words = _title(title), words_for(request)
    if name := request.query_params.get("table"):
        table = (await viewer(request, name[:60])).table
        if table.title != found.id:
            raise Refused(N_("This table is not playing {title}."), title=found.name)
        data = await tables_of(request).component_data(table) or b""
        task = (found.id, data, Edit(), words.language)
        sheet = await reader_of(request)(parsers.components, *task, limits=OF_DATA)
    else:
        sheet = await in_thread(_packaged, found.id, words.language)
    return page(request, "components.html", _page(found, sheet, words, ""), words)


@post(
    "/components/{title:str}",
    include_in_schema=False,
    request_max_body_size=BODY,
    status_code=HTTP_200_OK,
    opt={"cost": COSTLY},
)
async def change(request: AnyRequest, title: FromPath[str]) -> Response[Any] | Template:
    """Change a draft, and show it, send it as a file, or use it for a new table."""
    found, words = _title(title), words_for(request)
    sent = await read(request)
    do = sent.text("do")
    draft = (sent.text("draft") or sent.text("data")).encode()
    check_data(draft)
    read_it, edit, error = reader_of(request), _edit(sent), ""

    async def sheet_of(content: bytes, wanted: Edit) -> ComponentSheet:
        task = (found.id, content, wanted, words.language)
        return await read_it(parsers.components, *task, limits=OF_DATA)

    try:
        if do == "open" and not sent.text("data"):
            sheet = await sheet_of(await _file(sent), Edit())
        else:
            sheet = await sheet_of(draft, edit)
    except KursbuchError as refusal:
        if not wants_page(request) and not wants_part(request):
            raise
        error = refusal.text(words)
        if do != "open" or sent.text("data"):
            # The draft itself cannot be used.
            draft, edit = b"", Edit()
        sheet = await sheet_of(draft, edit)
    shown = _page(found, sheet, words, error)
    status = 422 if shown.error else HTTP_200_OK
    if wants_part(request):
        return page(request, "parts/components.html", shown, words)
    if shown.error or do not in ("download", "use"):
        return page(request, "components.html", shown, words, status)
    if do == "use":
        person = who(request).account
        form = new_table_page(words, found, {"data": shown.draft}, person=person)
        return page(request, "new.html", form, words)
    headers = {"content-disposition": f'attachment; filename="kursbuch-{found.id}.json"'}
    return Response(sheet.draft, headers=headers, media_type="application/json")
