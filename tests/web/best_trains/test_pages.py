"""The page that finds the best trains: addresses, changes, files, positions of tables, refusals."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from kursbuch.core.planner import read_plan
from kursbuch.web.ai import jobs as bot_jobs
from kursbuch.web.best_trains import routes as best_trains_routes
from tests.web.visitors import HTML, Browser

pytestmark = pytest.mark.asyncio(loop_scope="module")

Visit = Callable[..., Browser]

PAGE = "/routes/1835"
BASE = {"phase": "1", "tiles": "F14.57.0", "stations": "3.F14.0", "trains": "3.2", "company": "3"}
PART = {"x-part": "true", "accept": "text/html"}


def path(**fields: str) -> str:
    return f"{PAGE}?{urlencode({**BASE, **fields})}"


async def test_the_start_page_leads_to_the_empty_map(anna: Browser) -> None:
    assert f'href="{PAGE}"' in await anna.page("/")
    page = await anna.page(PAGE)
    assert page.count('data-pick="hex:') > 100
    assert "Choose trains for this company" in page
    assert await anna.page("/routes/rocket", status=404)
    assert await anna.page("/routes/1899", status=404)


async def test_the_address_holds_the_position(anna: Browser) -> None:
    page = await anna.page(path(hex="F14"))
    assert 'id="routes-total">40\N{NO-BREAK SPACE}M<' in page
    assert 'class="run-0"' in page
    assert "Braunschweig F12 <b>20</b>" in page
    assert "aria-pressed" in page
    german = Browser(anna.url, "de")
    assert '<html lang="de"' in await german.page(path())
    await german.client.aclose()


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("tile F14 57 1", "tiles=F14.57.1"),
        ("tile F14", "phase=1&stations=3.F14.0"),
        ("tile A11 5 2", "tiles=A11.5.2_F14.57.0"),
        ("station 3 F14 0", "tiles=F14.57.0&trains=3.2"),
        ("station BY O15 0", "stations=3.F14.0_BY.O15.0"),
        ("train 3 2%2B2", "trains=3.2.2%2B2"),
        ("untrain 3 2", "stations=3.F14.0&company=3"),
        ("phase 2", "phase=2"),
        ("company BY", "company=BY"),
        ("duty 3 F12 0", "duties=3.F12.0&company=3"),
        ("clear", "phase=1&company=3"),
    ],
)
async def test_every_change_leads_to_a_new_address(anna: Browser, wanted: str, found: str) -> None:
    wanted = wanted.replace("%2B", "+")
    answer = await anna.client.get(path(do=wanted), headers=HTML)
    assert answer.status_code == 303
    assert found in answer.headers["location"]
    assert await anna.page(answer.headers["location"])
    part = await anna.client.get(path(do=wanted), headers=PART)
    assert part.status_code == 200
    assert "<html" not in part.text
    assert f'data-url="{answer.headers["location"]}"'.replace("&", "&amp;") in part.text


async def test_trains_that_are_named_one_by_one_are_all_there(anna: Browser) -> None:
    answer = await anna.client.get(path(trains="3.2_3.2+2", do="train 3 2"), headers=HTML)
    assert "trains=3.2.2.2%2B2" in answer.headers["location"]


async def test_a_larger_tile_keeps_the_markers(anna: Browser) -> None:
    before = path(phase="2", tiles="G5.57.0", stations="4.G5.0_PR.H2.0", trains="")
    answer = await anna.client.get(f"{before}&do=tile+G5+14+0", headers=HTML)
    assert "stations=4.G5.0_PR.H2.0" in answer.headers["location"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"tiles": "F14.57"}, "is not a tile such as"),
        ({"tiles": "F14.57.0_F14.57.0"}, "more than one tile on F14"),
        ({"tiles": "\N{SNOWMAN}.1.1"}, "There is no hex"),
        ({"tiles": "F14.57.\N{SUPERSCRIPT TWO}"}, "is not a tile such as"),
        ({"tiles": "F14.57." + "9" * 5000}, "is not a tile such as"),
        ({"tiles": "F14.57.9"}, "in rotations"),
        ({"tiles": "F14.57.0005"}, "is not a tile such as"),
        ({"stations": "3.F14.0001"}, "is not a station such as"),
        ({"tiles": "x" * 9000}, "too long for a position"),
        ({"stations": "3.F14.7"}, "has the cities 0"),
        ({"trains": "3.12"}, "There is no train"),
        ({"trains": "3." + ".".join(["6+6"] * 7)}, "more than 6 trains"),
        ({"phase": "two"}, "not a whole number"),
        ({"phase": "9"}, "The phases are 1 to 3"),
        ({"company": "XY"}, "There is no company"),
        ({"hex": "Q99"}, "There is no hex"),
        ({"do": "dance"}, "Unknown change"),
        ({"do": "tile F14 7 0"}, "can never be laid on F14"),
        ({"do": "tile"}, "Unknown change"),
        ({"do": "station BY Q1 0"}, "There is no hex"),
        ({"do": "train XY 2"}, "There is no company"),
    ],
)
async def test_what_cannot_be_gets_one_sentence(
    anna: Browser, fields: dict[str, str], sentence: str
) -> None:
    page = await anna.page(path(**fields), status=422)
    assert sentence in page
    assert 'data-pick="hex:F14"' in page
    answer = await anna.client.get(path(**fields), headers=PART)
    assert answer.status_code == 422
    assert sentence in answer.json()["error"]


async def test_files_are_saved_and_opened(anna: Browser) -> None:
    answer = await anna.client.get(path().replace(PAGE, f"{PAGE}/position.toml"))
    assert "1835-position.toml" in answer.headers["content-disposition"]
    plan = read_plan(answer.text)
    assert (plan.tiles, plan.trains) == (("F14 57 0",), {"3": ("2",)})
    files = {"file": ("mine.toml", answer.content)}
    opened = await anna.client.post(f"{PAGE}/import", files=files, headers=HTML)
    assert opened.status_code == 303
    assert "tiles=F14.57.0" in opened.headers["location"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "Choose a position file"),
        (b"\xff\xfe\x00", "not a text file"),
        (b"title = ", "Line 1: This is not a position file"),
        (b'title = "1835"\nphase = 8\n', "Line 2, phase"),
        (b'{"title": "nimm"}', "This is a position of nimm"),
        (b"[" * 50_000, "position file"),
        (b"{" + b'"a":{' * 16_000, "nested too deeply"),
        (b'{"title": "1835", "tiles": ["' + b"\\u0000" + b'"]}', "is not a tile"),
        (b'{"title": "1835", "\\ud800": 1}', "an invalid character"),
        (b'{"title": "\\ud800"}', "an invalid character"),
        (b'title = "1835"\n#' + b"x" * 100_000 + b"\xff", "at most 100,000 bytes"),
    ],
)
async def test_files_that_cannot_be_opened(anna: Browser, content: bytes, sentence: str) -> None:
    files = {"file": ("mine.toml", content)}
    answer = await anna.client.post(f"{PAGE}/import", files=files, headers=HTML)
    assert answer.status_code == 422, answer.text[-500:]
    assert sentence in answer.text


INDIA = "/routes/1853"
CALCUTTA = {
    "phase": "3",
    "tiles": "H24.6.1_I25.8.4_I27.58.1",
    "stations": "EIR.J28.0",
    "trains": "EIR.3.2M",
    "company": "EIR",
}


def india(**fields: str) -> str:
    return f"{INDIA}?{urlencode({**CALCUTTA, **fields})}"


async def test_the_phases_of_1853(anna: Browser) -> None:
    page = await anna.page(INDIA)
    assert [f'value="phase {phase}"' in page for phase in range(1, 7)] == [False] + [True] * 4 + [
        False
    ]
    assert 'value="phase 2" class="chip" aria-pressed="true"' in page
    assert "The phases are 2 to 5" in await anna.page(india(phase="1"), status=422)
    answer = await anna.client.get(india(do="clear"), headers=HTML)
    assert answer.headers["location"] == f"{INDIA}?phase=2&company=EIR"


async def test_the_mail_stands_on_the_page(anna: Browser) -> None:
    page = await anna.page(india())
    assert 'id="routes-total">£150<' in page
    assert "£80 revenue and £70 mail" in page
    assert "= 80" in page
    assert "+ 70 mail" in page
    german = Browser(anna.url, "de")
    assert "und 70" in (await german.page(india())).replace("\N{NO-BREAK SPACE}", " ")
    await german.client.aclose()
    assert "mail" not in await anna.page(path())


#: Where the runs to pay out the most are others than those to save the most.
CHOICE = {
    "phase": "4",
    "tiles": "H22.716.0_H24.716.0_I23.58.2",
    "stations": "EIR.H24.0",
    "trains": "EIR.2",
    "company": "EIR",
}


async def test_the_runs_to_pay_out_and_to_save_stand_on_the_page(anna: Browser) -> None:
    address = f"{INDIA}?{urlencode(CHOICE)}"
    page = await anna.page(address)
    assert "£70 revenue and £40 mail" in page
    assert 'value="aim pay" class="chip" aria-pressed="true">Pay out £70<' in page
    assert 'value="aim save" class="chip" aria-pressed="false">Withhold £120<' in page
    answer = await anna.client.get(f"{address}&do=aim+save", headers=HTML)
    assert answer.headers["location"].endswith("&aim=save")
    page = await anna.page(answer.headers["location"])
    assert "£60 revenue and £60 mail" in page
    assert 'value="aim save" class="chip" aria-pressed="true"' in page
    assert 'value="aim save"' not in await anna.page(india()), "one plan is as good for both"


async def test_a_run_has_to_come_somewhere(anna: Browser) -> None:
    page = await anna.page(india(hex="I27"))
    assert 'value="duty EIR I27" aria-pressed="false"' in page
    answer = await anna.client.get(india(hex="I27", do="duty EIR I27"), headers=HTML)
    assert "duties=EIR.I27" in answer.headers["location"]
    page = await anna.page(answer.headers["location"])
    assert 'value="duty EIR I27" aria-pressed="true"' in page
    assert "A train of EIR must reach I27" in page
    assert 'id="routes-total">£150<' in page
    page = await anna.page(india(duties="EIR.K27"))
    assert "reaches every required place" in page
    assert 'id="routes-total">£0<' in page
    # Several stations on a hex are one city.
    page = await anna.page(india(duties="EIR.J28.1", hex="J28"))
    assert 'id="routes-total">£150<' in page
    assert 'value="duty EIR J28" aria-pressed="true"' in page
    assert 'value="duty EIR J28 1"' not in page
    page = await anna.page(india(duties="EIR.I27.7"), status=422)
    assert "There is no stop" in page
    assert "must reach" not in await anna.page(path(hex="F14")), "1835 knows no such duty"


async def test_the_position_of_a_table(anna: Browser, bernd: Browser) -> None:
    seats = ["me Anna", "bot random", "bot random"]
    table = await anna.open(*seats, title="1835", help=True)
    link = f"{PAGE}?table={table.rpartition('/')[2]}"
    assert link in await bernd.page(table)
    answer = await bernd.client.get(link, headers=HTML)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith(f"{PAGE}?phase=1")
    assert "no move" in (await bernd.page(f"{link}&move=9999", status=422)).lower()

    without = await anna.open(*seats, title="1835", help=False)
    assert "Best trains on this position" not in await anna.page(without)
    secret = f"{PAGE}?table={without.rpartition('/')[2]}"
    assert "does not allow help" in await anna.page(secret, status=403)
    assert await anna.page(f"{PAGE}?table=nothere", status=404)
    waiting = await anna.open("me Anna", "open", "open", title="1835")
    assert await anna.page(f"{PAGE}?table={waiting.rpartition('/')[2]}", status=422)


async def test_a_search_that_takes_too_long_is_given_up(
    anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*given: object) -> None:
        raise TimeoutError

    monkeypatch.setattr("kursbuch.web.ai.scheduler.AiScheduler.think", never)
    monkeypatch.setattr(best_trains_routes, "RESULTS", best_trains_routes.Results())
    assert "takes too long" in await anna.page(path())


async def test_the_alarm_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        def best(self, *given: object) -> object:
            while True:
                pass

    class Title:
        planner = Slow()

    monkeypatch.setattr(bot_jobs, "LONGEST_SEARCH", 0.05)
    monkeypatch.setattr("kursbuch.title", lambda name: Title)
    with pytest.raises(TimeoutError):
        bot_jobs.best_trains(bot_jobs.PlanJob(read_plan('title = "1835"'), ("BY",)))
