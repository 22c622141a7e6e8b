"""Moves: whose turn it is, numbers, many at once, taking back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import kursbuch
from tests.web.visitors import Browser, choose, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def two(anna: Browser, bernd: Browser, **fields: Any) -> tuple[str, Browser, Browser]:
    """A running table of two; the second and third value are who moves first and who does not."""
    table = await anna.open("me Anna", "open", **fields)
    await seated(table, bernd)
    first = bool((await anna.game(table))["choices"])
    return table, *((anna, bernd) if first else (bernd, anna))


async def test_a_move_and_what_is_wrong_with_others(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table, mover, other = await two(anna, bernd)
    before = await mover.game(table)
    action = choose(before, "take-token")
    move = f"{table}/move"
    # Not at the table, not one's own seat, not one's turn.
    assert "not yours" in await clara.refused(403, move, number=0, action=action)
    assert "not yours" in await other.refused(403, move, number=0, action=action)
    seat = 1 - action["seat"]
    sentence = await other.refused(422, move, number=0, action={**action, "seat": seat})
    assert "not your turn" in sentence
    assert before["seats"][action["seat"]]["name"] in sentence
    await mover.refused(404, move, number=0, action={**action, "seat": 9})
    await mover.refused(404, move, number=0, action={**action, "seat": -1})
    # Old, future and unusable numbers.
    for number in (-1, 1, 99):
        await mover.refused(409, move, number=number, action=action)
    for wrong in ("x", None, 1.5, True, [0], 10**30, ""):
        await mover.refused(422, move, number=wrong, action=action)
    # Unusable actions.
    unusable: list[object] = [None, 7, "x", [], {}, {"action": "fly"}, {**action, "metropolis": 7}]
    for junk in unusable:
        await mover.refused(422, move, number=0, action=junk)
    answer = await mover.send(move, number=0, action={**action, "metropolis": "Atlantis"})
    assert answer.status_code == 422
    assert answer.json()["rule"] == "rocket:token-1"
    for body in (b"", b"{", b"\xff", b"null", b"[1]", b"[" * 60_000, b'{"number": 0}'):
        junk_answer = await mover.client.post(move, content=body)
        assert junk_answer.status_code == 422, body[:20]
    assert await mover.game(table) == before
    await mover.done(move, number=0, action=action)
    after = await mover.game(table)
    assert after["number"] == 1
    assert after["version"] > before["version"]
    await mover.refused(409, move, number=0, action=action)
    assert (await mover.game(table)) == after


async def test_the_programs_interface_refuses_alike(anna: Browser, bernd: Browser) -> None:
    table, mover, other = await two(anna, bernd)
    path = f"/api/tables{table.removeprefix('/t')}/move"
    action = choose(await mover.game(table), "take-token")
    await other.refused(403, path, number=0, action=action)
    await mover.refused(409, path, number=5, action=action)
    await mover.refused(422, path, number=0, action={**action, "metropolis": "Atlantis"})
    for body in (b"", b"{", b"[]", b'{"number": "x", "action": {}}', b"\xff"):
        answer = await mover.client.post(path, content=body)
        assert answer.status_code in (400, 422)
        assert answer.json()["error"]
    answer = await mover.done(path, number=0, action=action)
    assert answer.json() == {"number": 1}


async def test_of_two_moves_for_one_number_exactly_one_wins(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    for number in range(6):
        game = await anna.game(table)
        chosen = [choice["action"] for choice in game["choices"][:8]]
        answers = await asyncio.gather(
            *(anna.send(f"{table}/move", number=number, action=action) for action in chosen)
        )
        assert sorted(answer.status_code for answer in answers) == [204] + [409] * (len(chosen) - 1)
    game = await anna.game(table)
    assert game["number"] == 6


async def test_many_tables_at_once(anna: Browser) -> None:
    tables = [await anna.open("me Anna", "hotseat Bernd") for _ in range(8)]

    async def play(table: str) -> None:
        for _ in range(8):
            await anna.move(table)

    await asyncio.gather(*map(play, tables))
    for table in tables:
        record = (await anna.client.get(f"{table}/record")).text
        assert len(kursbuch.load(record).moves) == 8


async def test_history(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    await anna.move(table)
    await anna.move(table)
    first, last = await anna.page(f"{table}?move=0"), await anna.page(f"{table}?move=2")
    assert "<svg" in first
    assert first != last
    assert (await anna.client.get(f"{table}?move=3")).status_code == 422
    assert (await anna.client.get(f"{table}?move=-1")).status_code == 422
    assert (await anna.client.get(f"{table}?move=x")).status_code == 400
    board = await anna.client.get(f"{table}/board.svg?move=1")
    assert board.headers["content-type"].startswith("image/svg+xml")
    assert board.text.startswith("<svg")
    assert (await anna.client.get(f"{table}/board.svg?move=9")).status_code == 422
    assert (await anna.client.get(f"{table}/board.svg?move=x")).status_code == 400


async def test_the_seed_is_secret_until_the_end(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    await anna.move(table)
    game = await anna.game(table)
    assert game["seed"] is None
    assert game["seed_hash"] in await anna.page(table)
    record = (await anna.client.get(f"{table}/record")).text
    assert "seed hash:" in record
    assert "\nseed:" not in record
    assert "secret" in (await anna.client.get(f"{table}/check")).json()["error"]


# ---- taking back


async def test_never(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", undo="none")
    await anna.move(table)
    await anna.refused(403, f"{table}/undo")
    assert (await anna.game(table))["number"] == 1


async def test_ones_own_last_move_until_another_has_moved(anna: Browser, bernd: Browser) -> None:
    table, mover, other = await two(anna, bernd, undo="own")
    await mover.refused(403, f"{table}/undo")
    first = await mover.move(table, choose(await mover.game(table), "take-token"))
    await other.refused(403, f"{table}/undo")
    await mover.done(f"{table}/undo")
    game = await mover.game(table)
    assert game["number"] == 0
    assert all(event["number"] == 0 for event in game["log"])
    for _ in range(2):
        await mover.move(table, choose(await mover.game(table), "take-token"))
    await other.move(table, choose(await other.game(table), "take-token"))
    await mover.refused(403, f"{table}/undo")
    await other.done(f"{table}/undo")
    # Only what was not taken back is in the record.
    record = (await mover.client.get(f"{table}/record")).text
    game_again = kursbuch.load(record)
    assert [move.action.seat for move in game_again.moves] == [first["seat"]] * 2


async def test_any_player(anna: Browser, bernd: Browser, clara: Browser) -> None:
    table, mover, other = await two(anna, bernd, undo="free")
    await mover.move(table, choose(await mover.game(table), "take-token"))
    await clara.refused(403, f"{table}/undo")
    await other.done(f"{table}/undo")
    assert (await mover.game(table))["number"] == 0
    await other.refused(403, f"{table}/undo")


async def test_the_computers_moves_are_taken_back_with_ones_own(anna: Browser) -> None:
    table = await anna.open("me Anna", "bot random", undo="ask")
    game = await anna.until(table, lambda game: bool(game["choices"]))
    start = game["number"]
    await anna.move(table, choose(game, "take-token"))
    game = await anna.until(table, lambda game: bool(game["choices"]))
    await anna.move(table, choose(game, "take-token"))
    await anna.until(table, lambda game: game["number"] > start + 2 and bool(game["choices"]))
    await anna.done(f"{table}/undo")
    game = await anna.game(table)
    assert game["number"] == start + 1
    assert game["choices"]


async def test_with_everybodys_consent(anna: Browser, bernd: Browser, clara: Browser) -> None:
    table = await anna.open("me Anna", "open", "open", undo="ask")
    await seated(table, bernd, clara)
    people = (anna, bernd, clara)
    games = [await person.game(table) for person in people]
    mover = next(person for person, game in zip(people, games, strict=True) if game["choices"])
    others = [person for person in people if person is not mover]
    await mover.move(table, choose(await mover.game(table), "take-token"))
    undo, answer = f"{table}/undo", f"{table}/undo/answer"
    await mover.refused(409, answer, answer="yes")
    await mover.done(undo)
    assert (await mover.game(table))["number"] == 1
    await others[0].refused(409, undo)
    await mover.refused(403, answer, answer="yes")
    await others[0].refused(422, answer, answer="perhaps")
    assert "take back" in await others[0].page(table)
    # Anyone who refuses ends it.
    await others[0].done(answer, answer="no")
    await others[1].refused(409, answer, answer="yes")
    # All have to agree.
    await mover.done(undo)
    await others[0].done(answer, answer="yes")
    await others[0].done(answer, answer="yes")
    assert (await mover.game(table))["number"] == 1
    await others[1].done(answer, answer="yes")
    assert (await mover.game(table))["number"] == 0
    # A move of the one who asks ends the request.
    await mover.move(table, choose(await mover.game(table), "take-token"))
    await mover.done(undo)
    await mover.move(table, choose(await mover.game(table), "take-token"))
    await others[0].refused(409, answer, answer="yes")


async def test_moves_after_taking_back_get_the_same_numbers(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", undo="free")
    for _ in range(3):
        await anna.move(table)
        await anna.move(table)
        await anna.done(f"{table}/undo")
    game = await anna.game(table)
    assert game["number"] == 3
    await anna.refused(409, f"{table}/move", number=4, action=game["choices"][0]["action"])


@pytest.mark.parametrize("policy", ["own", "free"])
async def test_what_has_been_rolled_is_taken_back_with_everybodys_consent(
    anna: Browser, bernd: Browser, policy: str
) -> None:
    table, mover, other = await two(anna, bernd, undo=policy, title="dice")
    roll = next(
        choice["action"]
        for choice in (await mover.game(table))["choices"]
        if choice["action"]["action"] == "roll"
    )
    await mover.move(table, roll)
    assert "Ask to take back" in await mover.page(table)
    await mover.done(f"{table}/undo")
    assert (await mover.game(table))["number"] == 1
    await mover.refused(403, f"{table}/undo/answer", answer="yes")
    await other.done(f"{table}/undo/answer", answer="yes")
    assert (await mover.game(table))["number"] == 0
    # What turned nothing up needs no consent.
    share = [
        choice["action"]
        for choice in (await mover.game(table))["choices"]
        if choice["action"]["action"] == "buy-share"
    ]
    await mover.move(table, share[0])
    assert "Ask to take back" not in await mover.page(table)
    await mover.done(f"{table}/undo")
    assert (await mover.game(table))["number"] == 0


async def test_nobody_else_has_to_agree_to_taking_a_roll_back(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", undo="free", title="dice")
    await anna.move(table, choose(await anna.game(table), "roll"))
    await anna.done(f"{table}/undo")
    assert (await anna.game(table))["number"] == 0
