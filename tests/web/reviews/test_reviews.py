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

from kursbuch.bots.review import Cause, Line, Look, Sample, Survey, Verdict
from kursbuch.bots.review.positions import Looked, Rated, Sampled, Surveyed
from kursbuch.games.g18xx.actions import Done
from kursbuch.web.ai import jobs as bot_jobs
from kursbuch.web.ai.scheduler import AiScheduler
from kursbuch.web.db.models import StoredReview
from kursbuch.web.http.security import COOKIE
from tests.browser.positions import cookie_of_player, place, whole_game
from tests.web.visitors import Browser, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


def database_of(server: Server) -> Path:
    found = server.app.state.tables.database.engine.url.database
    assert found is not None
    return Path(found)


@dataclass
class Pretending:
    """Does the tasks without thinking: from move 60 on the second player leads, and `mistake` cost the one who made it
    half the chances. Each task takes `seconds`."""

    gate: asyncio.Event
    mistake: int = 19
    seconds: float = 0.5
    seats: int = 4

    async def __call__(self, function: Callable[[Any], Any], job: Any) -> Any:
        assert function is bot_jobs.weigh
        await self.gate.wait()
        match job:
            case Sample():
                first, second = (0.7, 0.1) if job.at.number < 60 else (0.1, 0.7)
                chances = (first, second, *[0.1] * (self.seats - 2))
                results = (50000.0, 40000.0, *[30000.0] * (self.seats - 2))
                return Sampled(job.at.number, results, chances, seconds=self.seconds, playouts=2)
            case Survey():
                rated = [
                    Rated(at.number, at.plan[0]["seat"], 9000.0, False, 9000.0, True)
                    for at in job.at
                    if at.number == self.mistake
                ]
                return Surveyed(tuple(rated), seconds=self.seconds)
        assert isinstance(job, Look)
        seat, then, now = job.at.plan[0]["seat"], 0.4, 0.2

        def line(result: float, chance: float) -> Line:
            rest = [(1 - chance) / (self.seats - 1)] * self.seats
            chances = (*rest[:seat], chance, *rest[seat + 1 :])
            return Line(job.at.plan[:1], (result,) * self.seats, chances)

        better, played = line(59000.0, then), line(50000.0, now)
        causes = (Cause(("operating-rounds",), 2.0, 1.0),)
        verdict = Verdict(seat, played, better, 9000.0, 10.0, then - now, job.rounds, causes)
        return Looked(job.at.number, verdict, seconds=self.seconds, playouts=8)


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
    await anna.done(f"{table}/review", budget="30s")
    page = await bernd.page(f"{table}/review")
    assert "<progress" in page
    assert 'http-equiv="refresh"' in page
    assert "Review this game" not in page
    await anna.done(f"{table}/review", budget="30s")  # is under way already
    thinker.gate.set()
    page = await until(anna, f"{table}/review", "Review it again")
    assert "<progress" not in page
    moves = len(whole_game("rocket").moves)
    assert len(re.findall(r'<svg class="chart', page)) == 2
    assert "wins is 20 % after this move; the alternative would have made it 40 %" in page
    assert f'href="{table}?move=20"' in page
    assert f'href="{table}?move=19"' in page
    assert "about £9,000 better" in page
    assert f'href="{table}?move={moves}"' in page
    german = Browser(server.url, "de")
    page = await german.page(f"{table}/review")
    assert "Wendepunkte" in page
    await german.client.aclose()
    # The table says what turned the game, and its open pages are told so.
    page = await until(anna, table, "the alternative would have made it 40 %")
    assert f'href="{table}?move=20" data-history="20"' in page
    assert f'href="{table}/review"' in page
    assert int(re.findall(r'data-version="(\d+)"', page)[0]) > before


async def test_who_passed_is_told_what_was_passed_up(
    server: Server, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not what came after it, and nothing of luck where nothing is drawn."""
    game = whole_game("1835")
    passes = [number for number, move in enumerate(game.moves) if isinstance(move.action, Done)]
    number = passes[len(passes) // 2]
    thinker = Pretending(asyncio.Event(), number, seats=len(game.names))
    thinker.gate.set()
    monkeypatch.setattr(AiScheduler, "think", lambda self, function, job: thinker(function, job))
    table = place(database_of(server), "1835", "end")
    await anna.done(f"{table}/review", budget="30s")
    page = await until(anna, f"{table}/review", "Review it again")
    name = game.names[game.moves[number].action.seat]
    (told,) = re.findall(r"</strong> ([^<]*)</p>", page.split("Costliest mistakes")[1])[:1]
    about = r" \((lay track for|place a token of|buy trains for|buy or sell) .*\)"
    assert re.fullmatch(rf"{name}{about}: (Pass|Buy no train|End .*|Lay no .*|Place no .*)", told)
    assert "Operating rounds still to come: 2 instead of 1." in page
    assert "Luck in draws" not in page


async def test_only_what_is_over_is_reviewed(server: Server, anna: Browser) -> None:
    table = place(database_of(server), "rocket", "middle")
    assert "Only a finished game" in await anna.refused(409, f"{table}/review", budget="30s")
    await anna.page(f"{table}/review", 409)
    over = place(database_of(server), "rocket", "end")
    assert "A review cannot take" in await anna.refused(422, f"{over}/review", budget="endless")


async def test_who_plays_stops_a_review_and_keeps_what_there_is(
    server: Server, anna: Browser, bernd: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretending = Pretending(asyncio.Event())
    pretending.gate.set()
    going_on = asyncio.Event()

    async def think(self: AiScheduler, function: Callable[[Any], Any], job: Any) -> Any:
        if isinstance(job, Look):
            await going_on.wait()
        return await pretending(function, job)

    monkeypatch.setattr(AiScheduler, "think", think)
    table = place(database_of(server), "rocket", "end")
    anna.client.cookies.set(COOKIE, cookie_of_player(database_of(server)))
    await anna.done(f"{table}/review", budget="15min")
    # The curve is there while the rest is still under way.
    page = await until(anna, f"{table}/review", "Winning chances")
    assert "None is certain yet." in page
    assert "of 900 s" in page
    assert "Stop here and keep what there is" in page
    assert "Stop here" not in await bernd.page(f"{table}/review")
    assert "Only players of this table" in await bernd.refused(403, f"{table}/review/stop")

    await anna.done(f"{table}/review/stop")
    page = await anna.page(f"{table}/review")
    assert "<progress" not in page
    assert "Winning chances" in page
    assert "Review it again" in page
    assert not server.app.state.reviews._under_way

    # What is stopped on another server ends here, too, and writes into no new one.
    await anna.done(f"{table}/review", budget="15min")
    first = server.app.state.reviews._under_way[table.rsplit("/", 1)[1]]
    await until(anna, f"{table}/review", "<progress")
    async with server.app.state.tables.database.writing() as session:
        await session.execute(delete(StoredReview).where(StoredReview.running))
    going_on.set()
    await asyncio.wait([first])
    assert not first.cancelled()
    assert first.exception() is None
    assert not server.app.state.reviews._under_way
