"""A seat that goes to someone else: what its player planned and may do goes with him, what he has done stays his."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from sqlalchemy import select

from kursbuch.core.title import Result
from kursbuch.web.accounts import ratings
from kursbuch.web.accounts.models import Account, RatedGame
from kursbuch.web.db import models
from tests.web.registration import register
from tests.web.visitors import Browser, Server, seated, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def on_turn(table: str, *players: Browser) -> tuple[int, Browser]:
    """The seat that has to decide, and who plays it; the players are given by their seats."""
    seat = (await players[0].game(table))["pending"][0]["seat"]
    return seat, players[seat]


async def handed_on(table: str, seat: int, giver: Browser, taker: Browser) -> None:
    """Someone gives a seat to someone else."""
    api = f"/api/tables/{table[3:]}"
    link = (await giver.done(f"{api}/hand-on", seat=seat)).json()["link"]
    await taker.done(f"{api}/take-over", token=link.rpartition("/")[2])


async def fixed(table: str, player: Browser, seat: int) -> list[str]:
    """What a seat has planned ahead, in words."""
    answer = await player.client.get(f"/api/tables/{table[3:]}/ahead", params={"seat": seat})
    return [plan["text"] for plan in answer.json()["plans"]]


async def test_what_was_fixed_does_not_go_with_a_seat_that_is_handed_on(
    server: Server, anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open(
        "me Anna", "open", slow=True, move_hours=24, vacation=7, moderation="opener"
    )
    await seated(table, bernd)
    turn, _ = await on_turn(table, anna, bernd)
    giver, seat = (anna, bernd)[1 - turn], 1 - turn
    await giver.done(f"/api/tables/{table[3:]}/ahead", seat=seat, kind="object", always=False)
    await giver.done(f"{table}/never-ask", subject="line:GWR", on=True, seat=seat)
    day = f"{models.now():%Y-%m-%d}"
    await giver.done(f"{table}/away", seat=seat, until=day, offset="0")
    await anna.done(f"{table}/moderators", moderation="opener", seat1="1")
    assert await fixed(table, giver, seat) == ["Never object"]
    await handed_on(table, seat, giver, clara)
    told = [note["text"] for note in (await clara.game(table))["notes"]]
    assert re.fullmatch(r"The seat of (Anna|Guest 1) was handed on\.", told[-1])
    assert await fixed(table, clara, seat) == []
    snapshot = await server.app.state.tables.load(table[3:])
    assert snapshot.seats[seat].away_until is None
    assert snapshot.refusals == []
    assert snapshot.table.moderators == []
    # Anyone who opens the own link has given nothing away.
    count = len(told)
    await clara.done(f"/api/tables/{table[3:]}/ahead", seat=seat, kind="object", always=True)
    await handed_on(table, seat, clara, clara)
    assert len((await clara.game(table))["notes"]) == count
    assert await fixed(table, clara, seat) == ["Always object"]


async def test_the_log_names_who_it_was(
    anna: Browser, bernd: Browser, clara: Browser, visit: Callable[..., Browser]
) -> None:
    table = await anna.open("me Anna", "open", "open", undo="free", moderation="players")
    api = f"/api/tables/{table[3:]}"
    await anna.done(f"{table}/join", seat=1, name="Bernd")  # to begin with, Anna has both
    await anna.done(f"{table}/leave", seat=1)
    await bernd.done(f"{table}/join", seat=1, name="Bernd")
    await clara.done(f"{table}/join", seat=2, name="Clara")
    await anna.done(f"{table}/start")
    players = (anna, bernd, clara)
    moved = set[int]()
    while 1 not in moved:
        seat, player = await on_turn(table, *players)
        await player.move(table)
        moved.add(seat)
    await bernd.done(f"{table}/chat", text="I have to go")
    before = [line["text"] for line in (await anna.game(table))["log"]]
    assert any("Bernd" in text for text in before)

    await anna.done(f"{api}/replace", seat=1)
    for player in (bernd, clara):
        await player.done(f"{api}/answer/replace", answer="yes")
    dora = visit()
    await dora.done(f"{table}/join", seat=1, name="Dora")
    game = await anna.game(table)
    assert [seat["name"] for seat in game["seats"]] == ["Anna", "Dora", "Clara"]
    assert [line["text"] for line in game["log"]] == before
    texts = [note["text"] for note in game["notes"]]
    assert texts == ["The seat of Bernd is free for another player.", "Dora takes over this seat."]
    said = (await anna.client.get(f"{api}/chat")).json()
    assert [(line["name"], line["text"]) for line in said] == [("Bernd", "I have to go")]
    page = await anna.page(table)
    assert "The seat of Bernd is free for another player." in page
    assert "I have to go" in page.partition("Bernd <time")[2]

    # What she does is hers.
    players = (anna, dora, clara)
    made = len(game["log"])
    moved.clear()
    while 1 not in moved:
        seat, player = await on_turn(table, *players)
        await player.move(table)
        moved.add(seat)
    after = [line["text"] for line in (await anna.game(table))["log"]]
    assert after[:made] == before
    assert any("Dora" in text for text in after[made:])
    assert not any("Bernd" in text for text in after[made:])
    # The same for those who read it in German, and after another name.
    await dora.done(f"{table}/rename", seat=1, name="Dorothea")
    await dora.done(f"{table}/rename", seat=1, name="Thea")
    game = await anna.game(table)
    assert [line["text"] for line in game["log"]] == after
    german = await visit("de").page(table)
    assert "Der Platz von Bernd" in german
    # Taken back and played again, it is Thea's.
    number = len(game["log"]) and game["number"]
    await anna.done(f"{api}/rewind", to=0, **seen(game))
    for _ in range(number):
        seat, player = await on_turn(table, *players)
        await player.move(table)
    again = [line["text"] for line in (await anna.game(table))["log"]]
    assert not any("Bernd" in text or "Dora" in text for text in again)


async def test_whoever_leaves_a_rated_game_is_last(
    server: Server, visit: Callable[..., Browser], anna: Browser, bernd: Browser, clara: Browser
) -> None:
    people = {"Anna": anna, "Bernd": bernd, "Clara": clara, "Dora": visit()}
    for name, one in people.items():
        await register(one, f"{name} Rated")
    await register(elsa := visit(), "Elsa Rated")
    seats = [{"kind": "me", "name": "Anna"}, {"kind": "open"}, {"kind": "open"}, {"kind": "open"}]
    fields = {"title": "rocket", "rated": True, "undo": "free", "moderation": "players"}
    table = str((await anna.done("/api/tables", seats=seats, **fields)).json()["url"])
    players = list(people.values())
    for seat, (name, one) in enumerate(people.items()):
        if one is not anna:
            await one.done(f"{table}/join", seat=seat, name=name)
    await anna.done(f"{table}/start")
    api = f"/api/tables/{table[3:]}"

    # Bernd is replaced by the computer, Clara gives her seat away, Dora goes and comes back.
    page = await bernd.page(table)
    assert "a player who gives up the seat is ranked last" in page
    await anna.done(f"{api}/replace", seat=1, by="random")
    assert "Bernd would be ranked last." in (await clara.game(table))["wishes"][0]["text"]
    for one in players[1:]:
        await one.done(f"{api}/answer/replace", answer="yes")
    await handed_on(table, 2, clara, elsa)
    await anna.done(f"{api}/replace", seat=3, by="random")
    for one in (people["Dora"], elsa):
        await one.done(f"{api}/answer/replace", answer="yes")
    await people["Dora"].done(f"{api}/come-back", seat=3)
    tables = server.app.state.tables
    result = Result((1000, 30000, 20000, 5000), (1,))
    async with tables.changing(table[3:]) as change:
        await ratings.rate_game(change.session, change.table, change.seats, result)
    async with tables.database.reading() as session:
        rows = await session.execute(select(Account.id, Account.name))
        names = {id_: name.partition(" ")[0] for id_, name in rows}
        game = await session.scalar(select(RatedGame).where(RatedGame.table_id == table[3:]))
        place = {names[account]: number for account, number in game.places}
    assert place == {"Elsa": 2, "Dora": 3, "Anna": 4, "Bernd": 5, "Clara": 5}


async def test_a_rated_game_begins_as_usual_and_nobody_has_more_rights(
    anna: Browser, bernd: Browser, visit: Callable[..., Browser]
) -> None:
    await register(anna, "Anna Fair")
    seats = [{"kind": "me", "name": "Anna"}, {"kind": "open"}]
    fields = {"title": "rocket", "seats": seats, "rated": True, "listed": True}
    given = "money 9000 from bank to player 1"
    refused = await anna.refused(422, "/api/tables", **fields, set_up=given)
    assert refused == "A rated game cannot begin from a set-up position."
    refused = await anna.refused(422, "/api/tables", **fields, moderation="opener")
    assert refused == ("At a rated table, either all players can correct the game or no one can.")
    table = str((await anna.done("/api/tables", **fields, moderation="players")).json()["url"])
    await anna.refused(422, f"{table}/moderators", moderation="opener")
    await anna.done(f"{table}/moderators", moderation="none")
    # What one sits down to is said before.
    page = await bernd.page(table)
    assert "giving up the seat counts as last place" in page
    listed = await bernd.page("/tables?title=rocket")
    assert " · rated · " in listed
    unrated = {**fields, "rated": False, "moderation": "opener"}
    for text, sentence in [
        (f"{given}\n" * 1001, "The text has more than 1000 lines"),
        (f"{given}\nmoney 5 from stock to Anna", "Line 2: 'stock' is not possible here"),
    ]:
        refused = await anna.refused(422, "/api/tables", **unrated, set_up=text)
        assert sentence in refused
    other = str((await anna.done("/api/tables", **unrated, set_up=given)).json()["url"])
    page = await bernd.page(other)
    assert "This game starts differently:" in page
    assert "<li>£9,000 from the bank to Anna</li>" in page
    german = (await visit("de").page(other)).replace("\N{NO-BREAK SPACE}", " ")
    assert "Anna</li>" in german.partition("Die Partie beginnt nicht wie üblich, sondern so:")[2]
    assert "begins from a set-up position" in await bernd.page("/tables?title=rocket")
    assert (await bernd.game(other))["set_up"] == ["Correction: money 9000 from bank to player 1"]
    lines = (await bernd.client.get("/api/open-tables")).json()["waiting"]
    found = {line["id"]: (line["rated"], line["set_up"]) for line in lines}
    assert found[table[3:]] == (True, False)
    assert found[other[3:]] == (False, True)
    # The name of the one who is logged in stands beside the free seat, and no one else's.
    await register(bernd, "Bernd Fair")
    assert 'value="Bernd Fair"' in await bernd.page(f"{table}/live")
    assert 'value="Bernd Fair"' not in await visit().page(f"{table}/live")


async def test_a_rated_game_says_who_may_play_on_in_a_free_seat(
    visit: Callable[..., Browser], anna: Browser, bernd: Browser, clara: Browser
) -> None:
    people = [anna, bernd, clara]
    for name, one in zip(("Anna Seat", "Bernd Seat", "Clara Seat"), people, strict=True):
        await register(one, name)
    await register(elsa := visit(), "Elsa Seat")
    seats = [{"kind": "me", "name": "Anna"}, {"kind": "open"}, {"kind": "open"}]
    fields = {"title": "rocket", "rated": True, "seats": seats}
    table = str((await anna.done("/api/tables", **fields)).json()["url"])
    for seat in (1, 2):
        await people[seat].done(f"{table}/join", seat=seat, name=f"Person {seat}")
    await anna.done(f"{table}/start")
    for seat in (1, 2):
        await anna.done(f"{table}/replace", seat=seat, by="")
        for one in people[1:] if seat == 1 else people[2:]:
            await one.done(f"/api/tables/{table[3:]}/answer/replace", answer="yes")
    # Both seats are free: a stranger is told once what is missing, a member can sit down.
    stranger, member = await visit().page(table), await elsa.page(table)
    assert stranger.partition("<main")[2].count(f'"/login?next={table}"') == 1
    assert stranger.count("<small>free</small>") == 2  # and no one is away there
    assert "The seat of Person 1 is free." in stranger
    assert "Play on here" not in stranger
    assert member.count("Play on here") == 2
    assert f'"/login?next={table}"' not in member
