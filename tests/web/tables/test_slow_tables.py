"""Slow tables: the time for moves over days and restarts, absences, replaced players."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import kursbuch
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Seat, now
from kursbuch.web.settings import Settings
from kursbuch.web.tables import deadlines, lobby, premove_routes
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables.lobby import NewSeat, NewTable
from kursbuch.web.tables.premove_routes import PremoveRequest
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.store import TableStore
from tests.web.visitors import Browser, Server, SetClock, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY = {"slow": True, "move_hours": 24}


async def seats(server: Server, table: str) -> list[Seat]:
    """The seats of a table as they are stored."""
    tables: TableStore = server.app.state.tables
    snapshot = await tables.load(table.removeprefix("/t/"))
    async with tables.database.reading() as session:
        found = [
            await session.get(Seat, (snapshot.table.id, n)) for n in range(len(snapshot.seats))
        ]
    return [seat for seat in found if seat is not None]


async def run_out(server: Server, table: str) -> None:
    """Let the clock look at once."""
    await deadlines.run_out(server.app.state.tables, table.removeprefix("/t/"))


def waits_for_people(number: int, game: dict[str, Any]) -> bool:
    """Whether there are more moves than that, and one of the first two seats is to move."""
    turns = [seat["turn"] for seat in game["seats"][:2]]
    return bool(game["number"] > number and any(turns))


async def test_time_runs_for_whoever_has_to_decide(
    server: Server, anna: Browser, bernd: Browser, clara: Browser, clock: SetClock
) -> None:
    """Every decision has the whole time; it is shown on the table; when it is up that is noted once."""
    table = await anna.open("me Anna", "open", "open", **DAY, language_note="we write German")
    begun = clock()
    await seated(table, bernd, clara)
    game = await anna.game(table)
    first = next(seat["number"] for seat in game["seats"] if seat["turn"])
    players = [anna, bernd, clara]
    due = (await seats(server, table))[first].due_at
    assert due == begun + timedelta(days=1)
    assert [seat.due_at for seat in await seats(server, table)].count(None) == 2
    page = await players[first].page(table)
    assert f'datetime="{due.isoformat(timespec="seconds")}" data-moment' in page
    assert "we write German" in page
    assert "slow, 1 day per move" in page

    clock.on(hours=5)
    await players[first].move(table)
    asked = (await seats(server, table))[first]
    game = await anna.game(table)
    if game["seats"][first]["turn"]:  # the second action of the turn
        assert asked.due_at == clock() + timedelta(days=1)

    version = game["version"]
    clock.on(hours=23)
    await run_out(server, table)
    assert (await anna.game(table))["version"] == version
    clock.on(hours=2)
    for _ in range(2):
        await run_out(server, table)
    game = await anna.game(table)
    late = [seat for seat in await seats(server, table) if seat.late]
    assert game["version"] == version + 1
    assert late
    assert [note["text"] for note in game["notes"]] == [
        f"The time of {game['seats'][seat.number]['name']} is up." for seat in late
    ]
    assert "Time is up" in await anna.page(table)
    for seat in late:
        await players[seat.number].move(table)
    assert not any(seat.late for seat in await seats(server, table))


async def test_the_computer_moves_on_and_clocks_survive_restarts(
    tmp_path: Path, clock: SetClock
) -> None:
    """Over simulated weeks with a restart every day the computer plays for someone who never comes."""
    settings = Settings(database=str(tmp_path / "tables.sqlite3"), bot_processes=1)
    async with Server(settings) as server:
        anna, bernd = Browser(server.url), Browser(server.url)
        try:
            seats_wanted = ["me Anna", "open", "bot random"]
            table = await anna.open(*seats_wanted, **DAY, overrun="bot", objection=None)
            await seated(table, bernd)
        finally:
            cookies = anna.client.cookies
            await anna.client.aclose()
            await bernd.client.aclose()
    for _ in range(2):
        clock.on(days=3)
        async with Server(settings) as server:
            anna = Browser(server.url)
            anna.client.cookies = cookies
            try:
                number = (await anna.game(table))["number"]
                game = await anna.until(table, partial(waits_for_people, number))
                automatic = [
                    auto
                    for seat, auto in (await server.app.state.tables.load(table[3:])).moves
                    if seat < 2
                ]
                assert all(automatic)
            finally:
                await anna.client.aclose()
    texts = [note["text"] for note in game["notes"]]
    assert texts
    assert all(text.endswith("is up.") for text in texts)


async def test_nobody_is_hurried_while_away(
    server: Server, anna: Browser, bernd: Browser, clock: SetClock
) -> None:
    """The time stands still for as many days as the table gives, and runs on afterwards."""
    table = await anna.open("me Anna", "open", **DAY, vacation=10)
    await seated(table, bernd)
    turn = next(seat.number for seat in await seats(server, table) if seat.asked_at is not None)
    player, other = (anna, bernd) if turn == 0 else (bernd, anna)
    clock.on(hours=6)
    until = (clock() + timedelta(days=7)).date().isoformat()
    await player.done(f"{table}/away", seat=turn, until=until, offset="-60")
    seat = (await seats(server, table))[turn]
    # It is noon and six hours; the day ends for someone one hour east of UTC at 23:00.
    away_until = clock().replace(hour=23) + timedelta(days=7)
    assert seat.away_until == away_until
    assert seat.vacation == 2
    assert seat.due_at == away_until + timedelta(hours=18)
    assert "Away until" in await other.page(table)
    assert "5 more days away, but you have 2 left" in await player.refused(
        422, f"{table}/away", seat=turn, until=(clock() + timedelta(days=11)).date().isoformat()
    )
    await player.refused(422, f"{table}/away", seat=turn, until="tomorrow")
    await player.refused(422, f"{table}/away", seat=turn, until="2031-01-01")
    await other.refused(403, f"{table}/away", seat=turn, until=until)
    clock.on(days=5)
    await run_out(server, table)
    assert not (await seats(server, table))[turn].late
    await player.done(f"{table}/present", seat=turn)
    seat = (await seats(server, table))[turn]
    assert seat.away_until is None
    assert seat.vacation == 4
    assert seat.due_at == clock() + timedelta(hours=18)
    name = "Anna" if turn == 0 else "Guest 1"
    notes = [note["text"] for note in (await player.game(table))["notes"]]
    assert notes == [f"{name} is away for some time.", f"{name} is back."]


async def test_a_player_is_replaced_and_comes_back(
    server: Server,
    visit: Callable[..., Browser],
    anna: Browser,
    bernd: Browser,
    clara: Browser,
    clock: SetClock,
) -> None:
    """All have to agree, but not the one whose time is up; the log says it; secrets go with the seat."""
    table = await anna.open("me Anna", "open", "open", **DAY, overrun="vote", listed=False)
    await seated(table, bernd, clara)
    people = [anna, bernd, clara]
    late = next(seat.number for seat in await seats(server, table) if seat.asked_at is not None)
    gone, asker, third = people[late], people[late - 1], people[late - 2]
    await gone.refused(422, f"{table}/replace", seat=late, by="deep thought")
    await asker.refused(404, f"{table}/replace", seat=9, by="")
    await visit().refused(403, f"{table}/replace", seat=late, by="")

    # In time everybody has to agree, the player too.
    await asker.done(f"{table}/replace", seat=late, by="greedy")
    await third.done(f"{table}/replace/answer", answer="yes")
    assert (await seats(server, table))[late].owner is not None
    assert "would like the computer to play for" in await gone.page(table)
    await gone.done(f"{table}/replace/answer", answer="no")

    clock.on(days=2)
    await run_out(server, table)
    await asker.done(f"{table}/replace", seat=late, by="random")
    number = (await third.game(table))["number"]
    await third.done(f"{table}/replace/answer", answer="yes")
    seat = (await seats(server, table))[late]
    assert seat.is_bot
    assert seat.owner is None
    await third.until(table, lambda game: game["number"] > number)
    await gone.refused(403, f"{table}/chat", text="hello")
    assert "Take my seat back" in await gone.page(table)
    assert "Take my seat back" not in await visit().page(table)
    await asker.refused(403, f"{table}/come-back", seat=late)
    await gone.done(f"{table}/come-back", seat=late)
    assert (await seats(server, table))[late].kind == "person"

    # Someone else takes the seat: then it is that person's.
    await gone.done(f"{table}/replace", seat=late, by="")
    await asker.done(f"{table}/replace/answer", answer="yes")
    await third.done(f"{table}/replace/answer", answer="yes")
    assert (await seats(server, table))[late].is_free
    await asker.refused(403, f"{table}/join", seat=late, name="Twice")
    dora = visit()
    assert "Play on here" in await dora.page(table)
    await dora.done(f"{table}/join", seat=late, name="Dora")
    await gone.refused(403, f"{table}/come-back", seat=late)
    game = await dora.game(table)
    assert game["my_seats"] == [late]
    kinds = [note["text"].split(" ", 2)[-1] for note in game["notes"]]
    assert len(game["notes"]) == 6, kinds
    assert "agree to replace a player." in kinds[0]
    assert game["notes"][-1]["text"] == "Dora takes over this seat."


async def test_programs_come_and_go(
    server: Server, anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open(
        "me Anna", "open", "open", slow=True, move_hours=24, vacation=7, moderation="opener"
    )
    api = "/api/tables" + table.removeprefix("/t")
    await seated(table, bernd, clara)
    tomorrow = f"{now() + timedelta(days=1):%Y-%m-%d}"
    assert "not a date" in await bernd.refused(422, f"{api}/away", seat=1, until="tomorrow")
    await bernd.refused(403, f"{api}/away", seat=0, until=tomorrow)
    await bernd.done(f"{api}/away", seat=1, until=tomorrow, offset=-60)
    [_, away, _] = await seats(server, table)
    assert away.away_until is not None
    await bernd.done(f"{api}/present", seat=1)
    [_, back, _] = await seats(server, table)
    assert back.away_until is None
    # Who is asked to agree reads it, and answers.
    asking = (await anna.done(f"{api}/replace", seat=1, by="random")).json()["wishes"]
    assert [(one["kind"], one["mine"], one["may_answer"]) for one in asking] == [
        ("replace", True, False)
    ]
    asked = (await clara.game(table))["wishes"]
    assert [(one["kind"], one["mine"], one["may_answer"]) for one in asked] == [
        ("replace", False, True)
    ]
    assert asked[0]["text"] == "Anna would like the computer to play for Guest 1."
    await clara.done(f"{api}/answer/replace", answer="no")
    assert (await clara.game(table))["wishes"] == []
    await anna.done(f"{api}/replace", seat=1, by="random")
    for player in (bernd, clara):
        await player.done(f"{api}/answer/replace", answer="yes")
    assert (await bernd.game(table))["my_seats"] == []
    await clara.refused(403, f"{api}/come-back", seat=1)
    assert (await bernd.done(f"{api}/come-back", seat=1)).json()["my_seats"] == [1]
    # A moderator goes back, and says who else may.
    game = (await anna.done(f"{api}/correct", line="money 1000 from bank to Anna")).json()
    number = game["number"]
    await bernd.refused(403, f"{api}/rewind", to=number - 1)
    await anna.done(f"{api}/moderators", moderation="opener", seats=[1])
    game = (await bernd.done(f"{api}/rewind", to=number - 1)).json()
    assert game["number"] == number - 1
    await bernd.refused(403, f"{api}/moderators", moderation="players")


async def test_what_waits_longest_comes_first(
    server: Server, anna: Browser, bernd: Browser, clock: SetClock
) -> None:
    """The start page shows what waits with a picture and the time left; one click leads on to the next."""
    tables = []
    for hours in (48, 24):
        table = await anna.open("me Anna", "hotseat Clara", slow=True, move_hours=hours)
        tables.append(table)
        clock.on(hours=3)
    old, new = tables
    page = await anna.page("/")
    assert page.index(f'href="{old}"') < page.index(f'href="{new}"')
    assert "waiting for 6 hours" in page
    assert "42 hours left" in page
    pictures = re.findall(r'src="(/t/[^"]+/picture\.svg[^"]*)"', page)
    assert len(pictures) == 4
    for picture in pictures:
        answer = await anna.client.get(unescape(picture))
        assert answer.status_code == 200
        assert answer.text.startswith("<svg")
    waits = (await anna.client.get("/waiting", params={"table": old[3:]})).json()
    assert (waits["count"], waits["elsewhere"]) == (2, 1)
    assert (await bernd.client.get("/waiting")).json()["count"] == 0

    async def next_after(table: str) -> str:
        answer = await anna.client.get("/next", params={"after": table[3:]})
        assert answer.status_code == 303
        return answer.headers["location"]

    assert await next_after(old) == new
    assert await next_after(new) == old
    assert await next_after("/t/nowhere") == old
    clock.on(hours=1)
    await anna.move(old)
    fresh = (await anna.client.get("/waiting")).json()
    assert fresh["stamp"] != waits["stamp"]
    page = await anna.page("/")
    assert page.index(f'href="{new}"') < page.index(f'href="{old}"')
    await anna.done("/removed", table=new[3:])
    assert await next_after(old) == "/"


async def test_a_game_over_weeks_and_restarts(tmp_path: Path, clock: SetClock) -> None:
    """Three people play Nimm den Zug to the end, a restart every day: some move, some have planned moves ahead,
    for some the computer decides. Nothing is lost: the record replays."""
    database = str(tmp_path / "weeks.sqlite3")
    people = ["anna", "bernd", "clara"]
    new = NewTable(
        title="nimm",
        seats=[NewSeat("me", "Anna"), NewSeat("open"), NewSeat("open")],
        slow=True,
        move_hours=24,
        overrun="bot",
    )
    rng, table_id = random.Random(7), ""
    counted = {"moved": 0, "late": 0, "ahead": 0}
    for day in range(400):
        store = Database(database)
        await store.start()
        tables = TableStore(store)
        try:
            if not table_id:
                table_id = await lobby.open_table(tables, new, people[0])
                await lobby.join(tables, table_id, people[1], 1, "Bernd")
                await lobby.join(tables, table_id, people[2], 2, "Clara")
                await lobby.start(tables, table_id, people[0])
            for _ in range(rng.randrange(1, 9)):
                snapshot = await tables.load(table_id)
                game = snapshot.game
                assert game is not None
                if snapshot.table.status != "running":
                    break
                seat = rng.choice(game.pending).seat
                view = game.view(seat)
                lot = view.title.premoves.lot(view.state, seat)
                before = len(game.moves)
                if lot and rng.random() < 0.5:
                    wanted = PremoveRequest("bid", most=rng.choice([100, 400, 900]))
                    await premove_routes.add_premove(tables, table_id, people[seat], seat, wanted)
                    counted["ahead"] += 1
                elif day % 5 == 4 and await late(tables, table_id, clock):
                    counted["late"] += 1
                    action = view.title.action_to_json(view.legal_actions()[0].action)
                    version = (await tables.load(table_id)).table.version
                    await table_moves.bot_move(tables, table_id, Seen(before, version), action)
                else:
                    choice = rng.choice(view.legal_actions())
                    action = view.title.action_to_json(choice.action)
                    seen = Seen(before, snapshot.table.version)
                    await table_moves.move(tables, table_id, people[seat], seen, action)
                    counted["moved"] += 1
            clock.on(hours=7)
            snapshot = await tables.load(table_id)
            if snapshot.table.status != "running":
                break
        finally:
            await store.stop()
    assert snapshot.table.status == "finished"
    assert snapshot.game is not None
    assert kursbuch.load(snapshot.game.record()).result == snapshot.game.result
    assert min(counted.values()) > 0, counted
    assert any(automatic for _, automatic in snapshot.moves)


async def late(tables: TableStore, table_id: str, clock: SetClock) -> bool:
    """Let the time of the player who has to decide run out, if only one has."""
    snapshot = await tables.load(table_id)
    if len(snapshot.table.turn) != 1:
        return False
    clock.on(days=2)
    await deadlines.run_out(tables, table_id)
    return (await tables.load(table_id)).seats[snapshot.table.turn[0]].late
