"""Reviews of tables that are over: begun by a form, kept, and shown with links to the moments they tell of."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from kursbuch.bots.review import Point, Weighed
from kursbuch.bots.review.positions import Line, Verdict
from kursbuch.games.g18xx.actions import Done
from kursbuch.web.ai import jobs as bot_jobs
from kursbuch.web.ai.scheduler import AiScheduler
from kursbuch.web.db.models import StoredReview
from kursbuch.web.http.security import COOKIE
from kursbuch.web.reviews import routes as reviews
from tests.browser.positions import cookie_of_player, place, whole_game
from tests.web.visitors import Browser, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


def database_of(server: Server) -> Path:
    found = server.app.state.tables.database.engine.url.database
    assert found is not None
    return Path(found)


@dataclass
class Pretending:
    """Weighs without thinking: after move 60 everything is turned round, and move 20 was a mistake."""

    gate: asyncio.Event

    async def __call__(self, function: Callable[[Any], Any], job: Any) -> Any:
        assert function is bot_jobs.weigh
        await self.gate.wait()
        assert isinstance(job, Point)
        first, second = (0.7, 0.1) if job.number < 60 else (0.1, 0.7)
        results, chances = (50000.0, 40000.0, 30000.0, 20000.0), (first, second, 0.1, 0.1)
        verdict = None
        if job.number == 19:
            assert job.action is not None
            line = Line(job.action, results, chances)
            better = Line(job.action, (59000.0, *results[1:]), chances)
            seat = job.action["seat"]
            verdict = Verdict(seat, line, better, 9000.0, 10.0, 0.2, 9000.0)
        return Weighed(job.number, results, chances, None, verdict)


async def until(browser: Browser, path: str, wanted: str) -> str:
    """The page, once it says that."""
    for _ in range(500):
        page = await browser.page(path)
        if wanted in page:
            return page
        await asyncio.sleep(0.02)
    raise AssertionError(f"{wanted!r} does not come")


async def test_a_review_is_begun_kept_and_shown(
    server: Server, anna: Browser, bernd: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinker = Pretending(asyncio.Event())
    monkeypatch.setattr(AiScheduler, "think", lambda self, function, job: thinker(function, job))
    table = place(database_of(server), "rocket", "end")
    before = int(re.findall(r'data-version="(\d+)"', await anna.page(table))[0])
    page = await anna.page(f"{table}/review")
    assert "Review this game" in page
    await anna.done(f"{table}/review", depth="quick")
    page = await bernd.page(f"{table}/review")
    assert "<progress" in page
    assert 'http-equiv="refresh"' in page
    assert "Review this game" not in page
    await anna.done(f"{table}/review", depth="quick")  # is under way already
    thinker.gate.set()
    page = await until(anna, f"{table}/review", "Turning points")
    assert "<progress" not in page
    moves = len(whole_game("rocket").moves)
    assert len(re.findall(r'<svg class="chart', page)) == 2
    assert "wins goes from 70 to 10 %" in page
    assert f'href="{table}?move=60"' in page
    assert f'href="{table}?move=59"' in page
    assert "about £9,000 better" in page
    assert f'href="{table}?move={moves}"' in page
    german = Browser(server.url, "de")
    page = await german.page(f"{table}/review")
    assert "Wendepunkte" in page
    await german.client.aclose()
    # The table says what turned the game, and its open pages are told so.
    page = await until(anna, table, "wins goes from 70 to 10 %")
    assert f'href="{table}?move=60" data-history="60"' in page
    assert f'href="{table}/review"' in page
    assert int(re.findall(r'data-version="(\d+)"', page)[0]) > before


async def test_who_passed_is_told_what_was_passed_up(
    server: Server, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not what came after it, and nothing of luck where nothing is drawn."""
    game = whole_game("1835")
    passes = [number for number, move in enumerate(game.moves) if isinstance(move.action, Done)]
    number = passes[len(passes) // 2]

    async def think(self: AiScheduler, function: Callable[[Any], Any], job: Point) -> Weighed:
        seats = len(job.names)
        results, chances = (5000.0,) * seats, (1 / seats,) * seats
        verdict = None
        if job.number == number:
            assert job.action is not None
            line = Line(job.action, results, chances)
            verdict = Verdict(job.action["seat"], line, line, 900.0, 1.0, 0.0, 900.0)
        return Weighed(job.number, results, chances, None, verdict)

    monkeypatch.setattr(AiScheduler, "think", think)
    table = place(database_of(server), "1835", "end")
    await anna.done(f"{table}/review", depth="quick")
    page = await until(anna, f"{table}/review", "Costliest mistakes")
    name = game.names[game.moves[number].action.seat]
    (told,) = re.findall(r"</strong> ([^<]*)</p>", page.split("Costliest mistakes")[1])[:1]
    about = r" \((lay track for|place a token of|buy trains for|buy or sell) .*\)"
    assert re.fullmatch(rf"{name}{about}: (Pass|Buy no train|End .*|Lay no .*|Place no .*)", told)
    assert "Luck in draws" not in page


async def test_only_what_is_over_is_reviewed(server: Server, anna: Browser) -> None:
    table = place(database_of(server), "rocket", "middle")
    assert "Only a finished game" in await anna.refused(409, f"{table}/review", depth="quick")
    await anna.page(f"{table}/review", 409)
    over = place(database_of(server), "rocket", "end")
    assert "There is no depth" in await anna.refused(422, f"{over}/review", depth="endless")


async def test_who_plays_breaks_a_review_off_and_sees_how_long_it_takes(
    server: Server, anna: Browser, bernd: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretending = Pretending(asyncio.Event())
    pretending.gate.set()
    going_on = asyncio.Event()
    weighed: set[int] = set()

    async def think(self: AiScheduler, function: Callable[[Any], Any], job: Point) -> Any:
        weighed.add(job.number)
        if job.number > 100:
            await going_on.wait()
        return await pretending(function, job)

    monkeypatch.setattr(AiScheduler, "think", think)
    monkeypatch.setattr(reviews, "WRITTEN_EVERY", 0.0)
    table = place(database_of(server), "rocket", "end")
    anna.client.cookies.set(COOKIE, cookie_of_player(database_of(server)))
    await anna.done(f"{table}/review", depth="deep")
    page = await until(anna, f"{table}/review", "about 1 minute left")
    assert "First pass of two: every position" in page
    assert "Cancel the review" in page
    assert "Cancel the review" not in await bernd.page(f"{table}/review")
    assert "Only players of this table" in await bernd.refused(403, f"{table}/review/stop")

    await anna.done(f"{table}/review/stop")
    page = await anna.page(f"{table}/review")
    assert "<progress" not in page
    assert not server.app.state.reviews._under_way

    # What is broken off on another server ends here, too, and writes into no new one.
    await anna.done(f"{table}/review", depth="deep")
    first = server.app.state.reviews._under_way[table.rsplit("/", 1)[1]]
    await until(anna, f"{table}/review", "about 1 minute left")
    async with server.app.state.tables.database.writing() as session:
        await session.execute(delete(StoredReview).where(StoredReview.content.is_(None)))
    going_on.set()
    await asyncio.wait([first])
    assert not first.cancelled()
    assert first.exception() is None
    assert len(whole_game("rocket").moves) not in weighed
    assert not server.app.state.reviews._under_way
