"""What was decided for a position that is no more: after something was taken back and something else
was done, the number of moves is the same again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kursbuch.bots import Advice
from tests.web.visitors import Browser, Server, choose, seated, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")

#: Where a move can be sent to.
WAYS = ("{table}/move", "/api/tables/{id}/move")


def address(way: str, table: str) -> str:
    return way.format(table=table, id=table.removeprefix("/t/"))


def tokens(game: dict[str, Any]) -> list[dict[str, Any]]:
    """The tokens that can be taken."""
    return [
        choice["action"] for choice in game["choices"] if choice["action"]["action"] == "take-token"
    ]


async def taken_back(anna: Browser, table: str) -> None:
    """Take the last move back and make another one."""
    before = await anna.game(table)
    made = max(event["number"] for event in before["log"])
    (last,) = {event["event"]["metropolis"] for event in before["log"] if event["number"] == made}
    await anna.done(f"{table}/undo")
    again = await anna.game(table)
    other = next(action for action in tokens(again) if action["metropolis"] != last)
    await anna.move(table, other)
    assert (await anna.game(table))["number"] == before["number"]


@pytest.mark.parametrize("way", WAYS)
async def test_a_move_for_a_position_that_was_taken_back(anna: Browser, way: str) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", undo="free")
    await anna.move(table, tokens(await anna.game(table))[0])
    game = await anna.game(table)
    await taken_back(anna, table)
    after = await anna.game(table)
    sentence = await anna.refused(
        409, address(way, table), **seen(game), action=game["choices"][0]["action"]
    )
    assert "moved on" in sentence
    assert await anna.game(table) == after
    # Nor is a version accepted that there has never been.
    later = {**seen(after), "version": after["version"] + 1}
    await anna.refused(409, address(way, table), **later, action=after["choices"][0]["action"])
    await anna.done(address(way, table), **seen(after), action=after["choices"][0]["action"])


@pytest.mark.parametrize("way", WAYS)
async def test_a_late_retry_does_not_play_again(anna: Browser, way: str) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", undo="free")
    game = await anna.game(table)
    sent = {**seen(game), "action": tokens(game)[0]}
    await anna.done(address(way, table), **sent)
    await anna.done(f"{table}/undo")
    await anna.refused(409, address(way, table), **sent)
    assert (await anna.game(table))["number"] == 0


@pytest.mark.parametrize("way", WAYS)
async def test_without_a_version_only_as_long_as_the_number_says_all(
    anna: Browser, way: str
) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", undo="free")
    move = address(way, table)
    for number in range(2):
        game = await anna.game(table)
        await anna.done(move, number=number, action=tokens(game)[0])
    await anna.done(f"{table}/undo")
    game = await anna.game(table)
    sentence = await anna.refused(409, move, number=1, action=tokens(game)[0])
    assert "taken back" in sentence
    assert "field version" in sentence
    await anna.done(move, **seen(game), action=tokens(game)[0])


async def test_what_others_say_meanwhile_makes_no_move_stale(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    game = await anna.game(table)
    await anna.done(f"{table}/chat", text="Let me think.")
    assert (await anna.game(table))["version"] > game["version"]
    await anna.done(f"{table}/move", **seen(game), action=game["choices"][0]["action"])


async def test_an_answer_to_an_objection_that_was_taken_back(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "open", undo="free")
    await seated(table, bernd)
    people = (anna, bernd)
    asked: dict[str, Any] = {}
    for number in range(200):
        games = [await person.game(table) for person in people]
        mover = next(seat for seat, game in enumerate(games) if game["choices"])
        kinds = [choice["action"] for choice in games[mover]["choices"]]
        extend = [action for action in kinds if action["action"] == "extend-line"]
        await people[mover].move(table, (extend or kinds)[number % len(extend or kinds)])
        asked = await people[1 - mover].game(table)
        if asked["pending"][0]["step"] == "objection" and len(extend) > 1:
            break
    asking = people[1 - mover]
    assert asked["choices"]
    # The mover thinks better of it, and extends a line in another way.
    await people[mover].done(f"{table}/undo")
    for other in extend:
        if other == extend[number % len(extend)]:
            continue
        await people[mover].move(table, other)
        again = await asking.game(table)
        if again["number"] == asked["number"] and again["pending"][0]["step"] == "objection":
            break
        await people[mover].done(f"{table}/undo")
    else:
        raise AssertionError("no other move can be objected to")
    for kind in ("let-stand", "call-veto"):
        await asking.refused(409, f"{table}/move", **seen(asked), action=choose(asked, kind))
    assert (await asking.game(table))["number"] == again["number"]
    await asking.done(f"{table}/move", **seen(again), action=choose(again, "let-stand"))


async def test_the_computers_move_for_a_position_that_was_taken_back(
    server: Server, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinkers = server.app.state.thinkers
    thoughts: list[dict[str, Any]] = []
    slow = False
    thinking, go_on = asyncio.Event(), asyncio.Event()

    async def think(function: Any, job: Any) -> Any:
        """The first thought takes long; every one comes to another result."""
        view = job.view()
        takes = [
            data
            for choice in view.legal_actions()
            if (data := view.title.action_to_json(choice.action))["action"] == "take-token"
        ]
        if not slow:
            return takes[0]
        thoughts.append(takes[len(thoughts)])
        if len(thoughts) == 1:
            thinking.set()
            await go_on.wait()
            return thoughts[0]
        return thoughts[-1]

    monkeypatch.setattr(thinkers, "think", think)
    table = await anna.open("me Anna", "bot random", undo="free")
    await anna.until(table, lambda game: bool(game["choices"]))
    slow = True
    while (game := await anna.game(table))["choices"]:
        await anna.move(table, tokens(game)[0])
    async with asyncio.timeout(60):
        await thinking.wait()
    number = game["number"]
    await taken_back(anna, table)
    go_on.set()
    await anna.until(table, lambda game: game["number"] > number)
    game = await anna.game(table)
    (event,) = [event["event"] for event in game["log"] if event["number"] == number + 1]
    assert event["metropolis"] == thoughts[1]["metropolis"]
    assert event["metropolis"] != thoughts[0]["metropolis"]
    await anna.done(f"{table}/close")


async def test_a_hint_for_a_position_that_was_taken_back(
    server: Server, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", undo="free")
    await anna.move(table, tokens(await anna.game(table))[0])
    thinkers = server.app.state.thinkers
    rounds: list[Any] = []

    async def think(function: Any, job: Any) -> Any:
        view = job.view()
        action = view.title.action_to_json(view.legal_actions()[0].action)
        rounds.append(job)
        if len(rounds) == 1:
            await taken_back(anna, table)
        return Advice(((action, 1.0),))

    monkeypatch.setattr(thinkers, "think", think)
    hint = (await anna.done(f"{table}/hint")).text
    assert len(rounds) == 2
    assert rounds[0].state != rounds[1].state
    # The page shows it only as long as it is about the position on the page.
    position = hint.split('data-position="')[1].split('"')[0]
    assert f'data-position="{position}"' in await anna.page(f"{table}/live")
    await taken_back(anna, table)
    assert f'data-position="{position}"' not in await anna.page(f"{table}/live")


@pytest.mark.parametrize("way", ["{table}/undo", "/api/tables/{id}/undo"])
async def test_taking_back_twice_by_mistake(anna: Browser, way: str) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", undo="free")
    for _ in range(3):
        await anna.move(table, tokens(await anna.game(table))[0])
    game = await anna.game(table)
    undo = address(way, table)
    await anna.done(undo, **seen(game))
    await anna.refused(409, undo, **seen(game))
    # Nor the move that was made in its place.
    await anna.move(table, tokens(await anna.game(table))[1])
    await anna.refused(409, undo, **seen(game))
    assert (await anna.game(table))["number"] == 3
    # Anyone who does not say what he has seen means the last move, whatever it is.
    await anna.done(undo)
    assert (await anna.client.post(undo)).status_code in (200, 204)
    assert (await anna.game(table))["number"] == 1


async def test_an_answer_to_an_earlier_wish_to_take_back(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "open", undo="ask")
    await seated(table, bernd)
    mover, other = (anna, bernd) if (await anna.game(table))["choices"] else (bernd, anna)
    await mover.move(table, tokens(await mover.game(table))[0])
    await mover.done(f"{table}/undo")
    asked = await other.game(table)
    page = await other.page(table)
    form = page.split('id="undo-answer"')[1].split("</form>")[0]
    for name, value in seen(asked).items():
        assert f'name="{name}" value="{value}"' in form
    # A move ends the wish; then there is another one.
    await mover.move(table, tokens(await mover.game(table))[0])
    await mover.done(f"{table}/undo")
    await other.refused(409, f"{table}/undo/answer", **seen(asked), answer="yes")
    assert (await other.game(table))["number"] == 2
    await other.done(f"{table}/undo/answer", **seen(await other.game(table)), answer="yes")
    assert (await other.game(table))["number"] == 1
