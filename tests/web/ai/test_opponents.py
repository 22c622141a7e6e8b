"""The computer at a table: whole games, hints, and what happens when thinking fails."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest

import kursbuch
from kursbuch.web.ai import jobs as bot_jobs
from kursbuch.web.ai.levels import bot_label, bot_spec
from kursbuch.web.ai.opponents import Opponents
from kursbuch.web.ai.scheduler import AiScheduler
from kursbuch.web.ops.metrics import COUNTS
from kursbuch.web.settings import Settings
from tests.web.visitors import Browser, Server, browsers

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def play(person: Browser, table: str, moves: int | None = None) -> dict[str, Any]:
    """Play random moves (mostly extending lines, so that it ends) until the game is over."""
    rng = random.Random(5)
    made = 0
    while True:
        game = await person.until(
            table, lambda game: bool(game["choices"]) or game["status"] != "running"
        )
        if game["status"] != "running" or made == moves:
            return game
        actions = [choice["action"] for choice in game["choices"]]
        extend = [action for action in actions if action["action"] == "extend-line"]
        action = rng.choice(extend if extend and rng.random() < 0.8 else actions)
        answer = await person.send(f"{table}/move", number=game["number"], action=action)
        # The computer may have objected first where several are asked at once.
        assert answer.status_code in (204, 409)
        made += answer.status_code == 204


async def test_a_whole_game_with_the_computer(anna: Browser) -> None:
    table = await anna.open("me Anna", "bot random", "bot greedy")
    game = await play(anna, table)
    assert game["status"] == "finished"
    assert game["winners"]
    assert game["choices"] == []
    assert game["seed"]
    record = (await anna.client.get(f"{table}/record")).text
    replayed = kursbuch.load(record)
    assert replayed.over
    assert len(replayed.moves) == game["number"]
    assert list(replayed.result.scores) == [seat["score"] for seat in game["seats"]]  # type: ignore[union-attr]
    replayed.verify_seed(game["seed"])
    checked = (await anna.client.get(f"/api{table.replace('/t/', '/tables/')}/check")).json()
    assert checked["passed"]
    assert checked["seed"] == game["seed"]
    assert game["seed"] in await anna.page(f"{table}/check")
    page = await anna.page(table)
    winners = [game["seats"][seat]["name"] for seat in game["winners"]]
    assert all(name in page for name in winners)
    await anna.refused(409, f"{table}/move", number=game["number"], action={})
    await anna.refused(409, f"{table}/undo")
    assert winners[0] in await anna.page("/")


@pytest.mark.parametrize("spec", ["careless:10", "mcts:20ms", "mcts:300ms", "mcts:3000ms"])
async def test_earlier_levels_have_names_and_play(spec: str) -> None:
    assert bot_spec(spec) == spec
    assert bot_label(kursbuch.title("1835"), spec) != spec


async def test_only_the_computer_plays(anna: Browser) -> None:
    table = await anna.open("bot random", "bot random")
    game = await anna.until(table, lambda game: game["number"] >= 10)
    assert game["my_seats"] == []
    await anna.done(f"{table}/close")


async def test_hints(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    await bernd.refused(403, f"{table}/hint")
    hint = await anna.done(f"{table}/hint")
    assert "data-play-hint" in hint.text
    assert "worse" in hint.text or "as good" in hint.text
    without = await anna.open("me Anna", "hotseat Bernd", help=False)
    assert "does not allow" in await anna.refused(403, f"{without}/hint")
    assert "does not allow" in await anna.refused(403, f"/api/tables{without[2:]}/hint")
    waiting = await anna.open("me Anna", "open")
    await anna.refused(409, f"{waiting}/hint")


async def test_the_computer_goes_on_after_a_restart(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "tables.sqlite3"), bot_processes=1)
    async with Server(settings) as server, browsers(server, 1) as (anna,):
        table = await anna.open("bot random", "bot random", pace=0.3)
        before = await anna.until(table, lambda game: game["number"] >= 1)
    async with Server(settings) as server, browsers(server, 1) as (anna,):
        await anna.until(table, lambda game: game["number"] > before["number"] + 1)


def job() -> bot_jobs.Job:
    """Something to think about."""
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7)
    return bot_jobs.make_job(game.view(game.pending[0].seat), None, "random")


def crash(job: bot_jobs.Job) -> None:
    os._exit(1)


async def test_thinking_survives_the_end_of_its_process() -> None:
    thinkers = AiScheduler(1)
    try:
        first = await thinkers.think(bot_jobs.choose, job())
        assert first["action"]
        for process in multiprocessing.active_children():
            process.kill()
        assert (await thinkers.think(bot_jobs.choose, job()))["action"]
        with pytest.raises(Exception, match="abruptly"):
            await thinkers.think(crash, job())
        assert (await thinkers.think(bot_jobs.choose, job()))["action"]
    finally:
        await thinkers.stop()


async def test_the_game_goes_on_when_the_computer_cannot_think(
    server: Server, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(self: AiScheduler, function: Any, job: bot_jobs.Job) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(AiScheduler, "think", fail)
    table = await anna.open("bot random", "bot random")
    await anna.until(table, lambda game: game["number"] >= 4)
    await anna.done(f"{table}/close")
    person = await anna.open("me Anna", "hotseat Bernd")
    assert "no advice" in await anna.refused(503, f"{person}/hint")


async def test_a_hint_speaks_of_an_amount_only_where_there_is_one(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", title="dice")
    await anna.done(f"{table}/face", seat=(await anna.game(table))["pending"][0]["seat"])
    # Nothing is behind a screen yet, so no dice can be taken from there.
    hint = await anna.done(f"{table}/hint")
    assert "question mark" in hint.text
    assert not re.search(r": \d", hint.text.split("</strong>")[0])
    assert "behind the screen" not in hint.text


async def test_a_hint_is_thought_about_again_when_the_game_goes_on(
    server: Server, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    thinkers = server.app.state.thinkers
    think, rounds = thinkers.think, []

    async def disturbed(*given: Any) -> Any:
        ranked = await think(*given)
        rounds.append(ranked)
        if len(rounds) == 1:
            await anna.move(table)
        return ranked

    monkeypatch.setattr(thinkers, "think", disturbed)
    assert "data-play-hint" in (await anna.done(f"{table}/hint")).text
    assert len(rounds) == 2


async def test_a_hint_fits_whoever_else_answers_at_the_same_time(
    server: Server,
    anna: Browser,
    bernd: Browser,
    clara: Browser,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = await anna.open("me Anna", "open", "open", title="1853")
    await bernd.done(f"{table}/join", seat="1", name="Bernd")
    await clara.done(f"{table}/join", seat="2", name="Clara")
    await anna.done(f"{table}/start")
    thinkers = server.app.state.thinkers
    think, rounds = thinkers.think, []

    async def disturbed(*given: Any) -> Any:
        rounds.append(await think(*given))
        await bernd.move(table)
        return rounds[-1]

    monkeypatch.setattr(thinkers, "think", disturbed)
    # All write their bonds in secret, at the same time.
    first = (await anna.done(f"{table}/hint")).text
    assert "data-play-hint" in first
    await clara.move(table)
    again = (await anna.done(f"{table}/hint")).text
    assert len(rounds) == 1
    assert re.findall(r"<strong>.*?</strong>", first) == re.findall(r"<strong>.*?</strong>", again)


async def test_a_hint_says_what_speaks_for_it(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", "hotseat Clara", title="1835")
    hint = (await anna.done(f"{table}/hint")).text
    # In the first stock round buying is worth more than passing.
    assert "Hint: Buy" in re.sub("<[^>]*>", "", hint)
    assert re.search(r'class="reasons[^>]*>\s*<li>It (pays|runs|shares in) ', hint)
    assert "than the second-best choice. It is worth more in the long run" in hint
    # Programs get the same, in their language.
    german = {"accept-language": "de"}
    answer = (await anna.client.post(f"/api/tables{table[2:]}/hint", headers=german)).json()
    assert answer["number"] == 0
    assert answer["action"] in [each["action"] for each in (await anna.game(table))["choices"]]
    assert "als die nächstbeste Möglichkeit. Das verspricht" in answer["why"]
    assert answer["reasons"]
    assert answer["others"][0]["difference"].endswith("schlechter")


async def test_computers_rest_where_nobody_sits_or_looks(
    server: Server, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = server.app.state.tables
    opponents = Opponents(tables, server.app.state.thinkers, "never")
    table = (await anna.open("bot random", "bot random", pace=60))[3:]
    monkeypatch.setattr(tables.presence, "watched", lambda table_id: False)
    snapshot = await tables.load(table)
    assert opponents._rests(snapshot)
    assert (table, True) in await tables.due_for_bots()
    # Now and then they move all the same, unless that is switched off.
    slow = Opponents(tables, server.app.state.thinkers, "slow")
    slow._slowly.add(table)
    assert not slow._rests(snapshot)
    assert slow._rests(snapshot)
    assert not Opponents(tables, server.app.state.thinkers, "always")._rests(snapshot)
    monkeypatch.setattr(tables.presence, "watched", lambda table_id: True)
    assert not opponents._rests(snapshot)
    # People who sit there get an answer, whether they look or not.
    monkeypatch.setattr(tables.presence, "watched", lambda table_id: False)
    with_people = (await anna.open("me Anna", "bot random"))[3:]
    assert not opponents._rests(await tables.load(with_people))
    await anna.done(f"/t/{table}/close")


async def test_whoever_comes_wakes_the_computers(tmp_path: Path) -> None:
    settings = Settings(
        database=str(tmp_path / "tables.sqlite3"), bot_processes=1, unwatched="never"
    )
    async with Server(settings) as server, browsers(server, 1) as (anna,):
        watched = await anna.open("bot random", "bot random")
        moved = (await anna.until(watched, lambda game: game["number"] >= 1))["number"]
        table = await anna.open("bot random", "bot random")
        # The process has started, and moves meanwhile where someone looks.
        await anna.until(watched, lambda game: game["number"] >= moved + 10)
        assert (await server.app.state.tables.load(table[3:])).table.number == 0
        await anna.until(table, lambda game: game["number"] >= 3)


async def test_quick_moves_and_long_ones_have_lanes_of_their_own() -> None:
    thinkers = AiScheduler(1)
    assert thinkers.expected("rocket", "mcts:1500ms") == 1.5
    assert thinkers.expected("rocket", "greedy") < 0.5
    ran: list[str] = []

    async def move(bot: str, owner: str, table: str) -> None:
        async with thinkers.moving("rocket", [bot], owner, table, lambda: True):
            ran.append(owner)
            await asyncio.sleep(0)

    async with thinkers.moving("rocket", ["mcts:1500ms"], "many", "t0", lambda: True):
        strong = [asyncio.create_task(move("mcts:1500ms", "many", f"t{n}")) for n in range(30)]
        await asyncio.sleep(0)
        waiting = COUNTS.get_sample_value("kursbuch_thoughts_waiting", {"lane": "long"})
        assert waiting == 30
        await move("greedy", "anna", "hers")
        async with thinkers.asking():
            ran.append("a hint")
    await asyncio.gather(*strong)
    assert COUNTS.get_sample_value("kursbuch_thoughts_waiting", {"lane": "long"}) == 0
    assert ran[:2] == ["anna", "a hint"]
