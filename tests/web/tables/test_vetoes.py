"""Veto offers: time limits, standing refusals; and money that is hidden from others."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kursbuch.web.settings import Settings
from tests.web.visitors import Browser, Server, browsers, choose, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def offered(table: str, anna: Browser, bernd: Browser) -> tuple[Browser, Browser, str]:
    """Play until a move of one can be objected to by the other; returns both and the line."""
    rng = random.Random(1)
    for _ in range(60):
        for mover, other in ((anna, bernd), (bernd, anna)):
            game = await mover.game(table)
            if not game["choices"]:
                continue
            extend = [
                choice["action"]
                for choice in game["choices"]
                if choice["action"]["action"] == "extend-line"
            ]
            action = rng.choice(extend) if extend else game["choices"][0]["action"]
            await mover.move(table, action)
            asked = await other.game(table)
            if [choice["action"]["action"] for choice in asked["choices"]] == [
                "let-stand",
                "call-veto",
            ]:
                return mover, other, str(action["line"])
    raise AssertionError("nothing can be objected to")


async def test_without_a_time_everybody_is_waited_for(
    server: Server, anna: Browser, bernd: Browser
) -> None:
    table = await anna.open("me Anna", "open")
    await seated(table, bernd)
    _, asked, line = await offered(table, anna, bernd)
    page = await asked.page(table)
    assert f'value="{line}"' in page
    assert "data-seconds" not in page
    assert "If time runs out" not in page
    assert (await server.app.state.tables.load(table[3:])).table.deadline is None
    await asked.move(table, choose(await asked.game(table), "call-veto"))


async def test_those_asked_at_once_do_not_make_each_others_answers_stale(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open("me Anna", "open", "open")
    await seated(table, bernd, clara)
    people = (anna, bernd, clara)
    rng = random.Random(2)
    for _ in range(200):
        games = [await person.game(table) for person in people]
        asked = [number for number, game in enumerate(games) if game["choices"]]
        if len(asked) == 2:
            break
        actions = [choice["action"] for choice in games[asked[0]]["choices"]]
        extend = [action for action in actions if action["action"] == "extend-line"]
        await people[asked[0]].move(table, rng.choice(extend or actions))
    number = games[0]["number"]
    move = f"{table}/move"
    one, two = asked
    await people[one].done(move, number=number, action={"action": "let-stand", "seat": one})
    # The same answer again is stale, that of the other is not.
    await people[one].refused(409, move, number=number, action={"action": "let-stand", "seat": one})
    await people[two].done(move, number=number, action={"action": "let-stand", "seat": two})
    await people[two].refused(409, move, number=number, action={"action": "let-stand", "seat": two})
    assert (await anna.game(table))["number"] == number + 2


async def test_whoever_does_not_answer_in_time_lets_it_stand(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "open", objection=1)
    await seated(table, bernd)
    _, asked, _ = await offered(table, anna, bernd)
    game = await asked.game(table)
    page = await asked.page(table)
    assert "data-seconds" in page
    assert "If time runs out, that counts as a pass." in page
    later = await asked.until(table, lambda now: now["number"] > game["number"])
    assert later["number"] == game["number"] + 1
    assert all(decision["step"] != "objection" for decision in later["pending"])
    # An answer that comes too late.
    sentence = await asked.refused(
        409, f"{table}/move", number=game["number"], action=choose(game, "call-veto")
    )
    assert "moved on" in sentence


async def test_a_deadline_outlasts_the_server(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "tables.sqlite3"), bot_processes=1)
    async with Server(settings) as server, browsers(server, 2) as (anna, bernd):
        table = await anna.open("me Anna", "open", objection=2)
        await seated(table, bernd)
        _, asked, _ = await offered(table, anna, bernd)
        game = await asked.game(table)
        cookies = asked.client.cookies
    async with Server(settings) as server, browsers(server, 1) as (again,):
        again.client.cookies = cookies
        assert (await again.game(table))["number"] == game["number"]
        await again.until(table, lambda now: now["number"] == game["number"] + 1)


async def test_never_ask_me_about_this_line(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "open")
    await seated(table, bernd)
    mover, asked, line = await offered(table, anna, bernd)
    number = (await asked.game(table))["number"]
    for wrong in ("", "x" * 100, 7, None):
        await asked.refused(422, f"{table}/never-ask", subject=wrong, on=True)
    await asked.done(f"{table}/never-ask", subject=line, on="1")
    # What was being asked is answered by it.
    game = await asked.game(table)
    assert game["number"] == number + 1
    assert "not asked about" in await asked.page(table)
    assert "not asked about" not in await mover.page(table)
    # Later offers on this line are, too; those on others are not.
    for _ in range(40):
        current, _, moved = await offered(table, anna, bernd)
        waiting = asked if current is mover else mover
        if waiting is asked:
            assert moved != line
        await waiting.move(table, choose(await waiting.game(table), "let-stand"))
        if (await asked.game(table))["status"] != "running":
            break
        if any(
            event["event"].get("event") == "let-stood" and event["number"] > number + 10
            for event in (await asked.game(table))["log"]
        ):
            break
    await asked.done(f"{table}/never-ask", subject=line)
    assert "not asked about" not in await asked.page(table)


async def test_only_players_have_standing_refusals(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open("me Anna", "open")
    await bernd.done(f"{table}/join", seat=1, name="Bernd")
    await bernd.refused(409, f"{table}/never-ask", subject="GWR", on=True)
    await bernd.done(f"{table}/start")
    await clara.refused(403, f"{table}/never-ask", subject="GWR", on=True)
    await bernd.refused(403, f"{table}/never-ask", subject="GWR", on=True, seat=0)


def money(state: dict[str, Any]) -> dict[str, int]:
    """What the ledger of a state says about money."""
    found: dict[str, int] = state["ledger"]["items"]["money"]
    return found


async def test_hidden_money_does_not_leak(
    anna: Browser, bernd: Browser, visit: Callable[..., Browser]
) -> None:
    clara = visit()
    table = await anna.open("me Anna", "open", options={"money": "hidden"})
    await seated(table, bernd)
    rng = random.Random(3)
    people = (anna, bernd)
    for _ in range(150):
        games = [await person.game(table) for person in people]
        mover = next(number for number, game in enumerate(games) if game["choices"])
        kinds = [choice["action"] for choice in games[mover]["choices"]]
        extend = [action for action in kinds if action["action"] == "extend-line"]
        await people[mover].move(table, rng.choice(extend or kinds))
        rich = [(await person.game(table)) for person in people]
        if all(money(game["state"]).get(str(seat), 0) for seat, game in enumerate(rich)):
            break
    games = [await person.game(table) for person in (*people, clara)]
    sums = [money(games[seat]["state"])[str(seat)] for seat in (0, 1)]
    for viewer, game in enumerate(games):
        for seat in (0, 1):
            if seat != viewer:
                assert str(seat) not in money(game["state"])
                assert game["seats"][seat]["score"] is None
    assert [game["seats"][seat]["score"] for seat, game in enumerate(games[:2])] == sums
    # No one's page contains the sum of another; what was paid is public.
    for viewer, person in enumerate((*people, clara)):
        for path in (table, f"{table}/live", f"{table}?move={games[0]['number']}"):
            page = await person.page(path)
            assert "–" in page
            for seat in (0, 1):
                if seat != viewer:
                    shown = page.split(f'id="seat-{seat}"')
                    if len(shown) > 1:
                        assert f"{sums[seat]:,}" not in shown[1].split("</li>")[0]
    texts = [json.dumps(game) for game in games]
    assert "amounts" in texts[2]
