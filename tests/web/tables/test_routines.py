"""Turns of companies that run by themselves, in the middle of recorded games of 1835 and 1853."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import kursbuch
from tests.web.visitors import Browser, Server, browsers, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def opened(
    director: Browser, others: Sequence[Browser], title: str, number: int, seat: int, undo: str
) -> str:
    """A table that goes on with the specimen of a title, with the director of a company at this seat."""
    players = ["open"] * 5
    players[seat] = "me"
    sent = {"text": kursbuch.title(title).specimen, "number": number, "players": players}
    answer = await director.done("/api/records", **sent, private=False, undo=undo)
    table = str(answer.json()["url"])
    free = [one for one in range(5) if one != seat]
    for other, person in zip(free, others, strict=True):
        await person.done(f"{table}/join", seat=other, name=f"Guest {other}")
    return table


@pytest.mark.parametrize(
    ("title", "number", "seat", "company", "moves"),
    [("1835", 356, 0, "PR", 4), ("1853", 499, 2, "BBCI", 3)],
)
@pytest.mark.parametrize("undo", ["ask", "own"])
async def test_a_turn_runs_by_itself(
    server: Server, title: str, number: int, seat: int, company: str, moves: int, undo: str
) -> None:
    async with browsers(server, 5) as (anna, *others):
        bernd, table = others[0], await opened(anna, others, title, number, seat, undo)
        sentence = f"{company}: no tile, no token, best run, pay out, no train"
        assert sentence in await anna.page(table)
        assert sentence not in await bernd.page(table)
        sent = {"seat": seat, "kind": "routine", "subject": company}
        await bernd.refused(403, f"{table}/ahead", **sent)
        api = table.replace("/t/", "/api/tables/")
        await anna.refused(422, f"{api}/ahead", **{**sent, "subject": "nothing"})
        await anna.done(f"{table}/ahead", **sent)
        game = await anna.game(table)
        assert game["number"] == number + moves
        notes = [note["text"] for note in game["notes"] if "By itself" in note["text"]]
        assert notes == [f"By itself for {game['seats'][seat]['name']} – {sentence}."]
        assert "Runs by itself:" in await anna.page(table)
        assert "Runs by itself:" not in await bernd.page(table)

        # All of it is taken back at once; then this turn is decided by hand.
        assert f'name="to" value="{number}"' in await anna.page(table)
        await anna.done(f"{table}/undo", **seen(game), to=number)
        for person in others:
            game = await person.game(table)
            if game["number"] > number:
                await person.done(f"{table}/undo/answer", **seen(game), answer="yes")
        game = await anna.game(table)
        assert game["number"] == number
        assert [one["number"] for one in game["seats"] if one["turn"]] == [seat]
        await anna.move(table, {"action": "done", "seat": seat})
        assert (await anna.game(table))["number"] == number + 1

        # It ends with a button.
        (plan,) = (await anna.client.get(f"{api}/ahead?seat={seat}")).json()["plans"]
        assert plan["text"] == f"{sentence}; until something changes"
        await anna.done(f"{table}/ahead/withdraw", seat=seat, row=plan["row"], quiet="1")
        assert "Runs by itself:" not in await anna.page(table)
