"""The page that corrects component data: drafts, files, new tables, refusals."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import httpx
import pytest

import kursbuch
from kursbuch.core.title import Title
from tests import bombs
from tests.core.test_components import CORRECTIONS
from tests.web.visitors import HTML, Browser

pytestmark = pytest.mark.asyncio(loop_scope="module")

PART = {"x-part": "true", "accept": "text/html"}
TITLES = sorted(kursbuch.titles())


def draft_of(page: str) -> str:
    """The draft that a page sends on."""
    found = re.search(r"<textarea name=\"draft\" hidden data-draft>(.*?)</textarea>", page, re.S)
    assert found is not None
    return html.unescape(found[1])


def entered(title: Title[Any]) -> dict[str, str]:
    """The fields of a form with the corrections of a title."""
    fields: dict[str, str] = {}
    for name, text in CORRECTIONS[title.id].items():
        kind = "value"
        if name.endswith((".companies", ".paths")):
            # In any order, as browsers and frameworks like it.
            fields |= {f"pick:{option}:{name}": "1" for option in reversed(text.split(","))}
            text = ""
        fields[f"{kind}:{name}"] = text.replace("\n", "\r\n")
    return fields


async def post(browser: Browser, title: str, **fields: str) -> httpx.Response:
    return await browser.client.post(f"/components/{title}", data=fields, headers=HTML)


async def page_of(browser: Browser, title: str, **fields: str) -> str:
    answer = await post(browser, title, **fields)
    assert answer.status_code == 200, answer.text[:500]
    return html.unescape(answer.text)


async def complaint(browser: Browser, title: str, **fields: str) -> str:
    """The page after something that is refused."""
    answer = await post(browser, title, **fields)
    assert answer.status_code == 422, answer.text[:500]
    return html.unescape(answer.text)


@pytest.mark.parametrize("name", TITLES)
async def test_from_the_page_to_a_file_to_a_table(anna: Browser, bernd: Browser, name: str) -> None:
    title = kursbuch.title(name)
    page = await anna.page(f"/components/{name}")
    assert draft_of(page) == ""
    assert page.count('<article class="component') > 5
    page = await page_of(anna, name, **entered(title))
    draft = draft_of(page)
    assert "differences from ours" in page
    # The file can be opened again, by others, too.
    answer = await post(anna, name, draft=draft, do="download")
    assert f'filename="kursbuch-{name}.json"' in answer.headers["content-disposition"]
    assert json.loads(answer.content)["variant_of"] == name
    own = title.with_data(answer.content)
    assert not own.data_is_standard
    files = {"file": ("mine.json", answer.content)}
    fields = {"do": "open"}
    again = await bernd.client.post(f"/components/{name}", data=fields, files=files, headers=HTML)
    assert json.loads(draft_of(again.text))["changes"] == json.loads(answer.content)["changes"]
    # It leads to the form for a table.
    form = (await post(anna, name, draft=draft, do="use")).text
    assert "This table uses your corrected components." in form
    found = re.search(r"<textarea name=\"data\" hidden>(.*?)</textarea>", form, re.S)
    assert found is not None
    seats = title.seats[0]
    sent = {"title": name, "seats": str(seats), "data": html.unescape(found[1])}
    sent["data"] = sent["data"].replace("\n", "\r\n")
    for seat in range(seats):
        sent |= {f"seat{seat}_kind": "hotseat", f"seat{seat}_name": f"P{seat}"}
    # A form that is refused does not lose it.
    refused = await anna.client.post("/tables", data=sent | {"seats": "99"}, headers=HTML)
    assert refused.status_code == 422
    assert "This table uses your corrected components." in refused.text
    opened = await anna.client.post("/tables", data=sent, headers=HTML)
    assert opened.status_code == 303, opened.text[:500]
    table = await anna.page(opened.headers["location"])
    assert "changed by the players" in table
    if not title.hides(title.option_values({})):
        record = (await anna.client.get(f"{opened.headers['location']}/record")).text
        assert f"data: {own.data_hash}" in record
    # There everyone sees what differs.
    address = f"/components/{name}?table={opened.headers['location'].removeprefix('/t/')}"
    assert f'href="{address}"' in table
    shown = await bernd.page(address)
    assert json.loads(draft_of(shown))["changes"] == json.loads(draft)["changes"]
    other = next(one for one in TITLES if one != name)
    await bernd.page(address.replace(f"/{name}?", f"/{other}?"), status=422)
    # From there the corrections can be changed.
    back = await page_of(anna, name, data=sent["data"], do="open")
    assert json.loads(draft_of(back))["changes"] == json.loads(draft)["changes"]


async def test_the_differences_are_listed_and_can_be_undone(anna: Browser) -> None:
    title = kursbuch.title("1853")
    page = await page_of(anna, "1853", **entered(title))
    assert "Nagpur (K17)</a>, Value in a contract: <strong>30</strong>" in page
    assert "<small>instead of 20</small>" in page
    draft = draft_of(page)
    assert "Nagpur (K17), Value in a contract: 30 (20)" in json.loads(draft)["about"]
    page = await page_of(anna, "1853", draft=draft, do="undo:cities.Nagpur.value")
    assert "Value in a contract: <strong>30" not in page
    assert "Track to these sides: <strong>E, SW, NW" in page
    page = await page_of(anna, "1853", draft=draft_of(page), do="reset")
    assert draft_of(page) == ""
    assert "difference" not in page


async def test_known_doubts_and_files_with_more_than_values(anna: Browser) -> None:
    page = await page_of(anna, "1853", do="variant:waltair-n22")
    assert "In the file: <strong>map hexes N22</strong>" in page
    page = await page_of(anna, "1853", draft=draft_of(page), do="variant:tile-717-four-exits")
    assert "Tile 717</a>, Track to these sides" in page
    page = await page_of(anna, "1853", draft=draft_of(page), do="besides")
    assert "In the file:" not in page
    assert "Tile 717</a>, Track to these sides" in page
    page = await complaint(anna, "1853", do="variant:../board")
    assert "There is no such variant." in page


async def test_what_was_compared_is_counted(anna: Browser) -> None:
    page = await anna.page("/components/1853")
    assert "0 of 29 compared" in page
    page = await page_of(anna, "1853", **{"checked:tile-716": "1", "checked:tile-717": ""})
    assert "1 of 29 compared" in page
    assert "difference" not in page
    page = await page_of(anna, "1853", draft=draft_of(page), **{"checked:tile-716": ""})
    assert "0 of 29 compared" in page


async def test_what_is_refused_is_not_lost(anna: Browser) -> None:
    fields = {"value:tiles.716.count": "many", "value:tiles.717.count": "3"}
    page = await complaint(anna, "1853", **fields)
    sentence = "Number of tiles must be a number from 0 to 1000, not 'many'."
    assert page.count(sentence) == 2
    assert 'name="value:tiles.716.count" value="many"' in page
    assert 'aria-invalid="true"' in page
    # What is right is taken all the same.
    assert "Tile 717</a>, Number of tiles: <strong>3</strong>" in page
    # Nothing else is done.
    for do in ("use", "download"):
        page = await complaint(anna, "1853", **fields, do=do)
        assert sentence in page
    part = await anna.client.post("/components/1853", data=fields, headers=PART)
    assert part.status_code == 200
    assert part.text.lstrip().startswith('<div id="components"')
    assert sentence in html.unescape(part.text)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "Choose a file of component data first."),
        (b"{ half", "The file of component data cannot be read"),
        (b"[]", "The file of component data cannot be read"),
        (b'{"variant_of": "1835", "changes": {}}', "is a variant of '1835', not of 1853"),
        (b'{"variant_of": "1853", "changes": {"cats": 9}}', "The variant changes 'cats'"),
        (b"x" * 1_100_000, "The component data file is too large"),
    ],
)
async def test_files_that_cannot_be_used(anna: Browser, content: bytes, sentence: str) -> None:
    page = await page_of(anna, "1853", do="variant:waltair-as-bombay")
    draft = draft_of(page)
    answer = await anna.client.post(
        "/components/1853",
        data={"draft": draft, "do": "open"},
        files={"file": ("x.json", content)},
        headers=HTML,
    )
    assert answer.status_code == 422
    assert sentence in html.unescape(answer.text)
    # The draft stays.
    assert json.loads(draft_of(answer.text)) == json.loads(draft)


async def test_a_draft_that_cannot_be_used(anna: Browser) -> None:
    for draft in ("{", "\ud7ff", '{"variant_of": "1853", "changes": {"map": {"hexes": 7}}}'):
        page = await complaint(anna, "1853", draft=draft)
        assert 'role="alert"' in page
        assert draft_of(page) == ""
    await anna.refused(422, "/components/1853", draft="{")
    assert (await post(anna, "nope")).status_code == 404
    assert await anna.page("/components/nope", status=404)


async def test_a_whole_file_without_remarks_can_be_corrected(anna: Browser) -> None:
    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            wanted = {
                key: bare(one)
                for key, one in value.items()
                if key not in ("source", "note", "note_de") and not key.endswith("_source")
            }
            return wanted
        return [bare(one) for one in value] if isinstance(value, list) else value

    for name in TITLES:
        title = kursbuch.title(name)
        content = json.dumps(bare(title.packaged_data)).encode()
        answer = await anna.client.post(
            f"/components/{name}",
            data={"do": "open"},
            files={"file": ("x.json", content)},
            headers=HTML,
        )
        assert answer.status_code == 200, (name, html.unescape(answer.text)[:300])
        page = await page_of(anna, name, draft=draft_of(answer.text), **entered(title))
        assert "differences from ours" in page


async def test_traps_are_refused(anna: Browser) -> None:
    for name, (title, make) in bombs.DATA.items():
        answer = await anna.client.post(
            f"/components/{title}", data={"do": "open"}, files={"file": ("x.json", make())}
        )
        assert 400 <= answer.status_code < 500, (name, answer.text[:300])
        assert re.fullmatch(r"[A-Z][^\n]*[.!?]", answer.json()["error"]), name


async def test_pages_lead_there(anna: Browser) -> None:
    for path in ("/new?title=1853", "/rules/1853", "/rules/dice"):
        title = path.rpartition("/")[2].removeprefix("new?title=")
        assert f'href="/components/{title}"' in await anna.page(path)
