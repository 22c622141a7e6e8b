"""A moderator corrects what has gone wrong, and everybody sees it."""

from __future__ import annotations

import re

import pytest

import kursbuch
from kursbuch.core.corrections import NOBODY, Correct
from kursbuch.core.position import Endless
from tests.web.visitors import HTML, Browser, Server, seated, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")

MONEY = {"kind": "money", "values": ["bank", "player 2", "3000"]}


def scores(game: dict) -> list[int]:  # type: ignore[type-arg]
    """What everybody has."""
    return [seat["score"] for seat in game["seats"]]


def form(game: dict) -> dict[str, str]:  # type: ignore[type-arg]
    """What the form of a correction sends along."""
    return {f"seen_{name}": str(value) for name, value in seen(game).items()}


async def test_the_opener_corrects_a_sum(anna: Browser, bernd: Browser, clara: Browser) -> None:
    table = await anna.open("me Anna", "open", listed=False)
    await anna.refused(409, f"/api{table.replace('/t/', '/tables/')}/correct", **MONEY)
    await seated(table, bernd)
    address = f"/api{table.replace('/t/', '/tables/')}/correct"
    before = await anna.game(table)
    assert "Only a moderator" in await bernd.refused(403, address, **MONEY)
    assert "Only a moderator" in await clara.refused(403, address, **MONEY)
    await clara.page(f"{table}/correct", 403)
    assert (await anna.done(address, **MONEY, **seen(before))).json() == {"number": 1}
    after = await bernd.game(table)
    assert scores(after) == [0, 3000]
    assert after["pending"] == before["pending"]
    assert after["log"][-1]["text"] == "Anna corrects: £3,000 from the bank to Guest 1."
    assert after["log"][-1]["event"]["amounts"] == [0, 3000]
    page = await bernd.page(table)
    assert "Anna corrects: £3,000 from the bank to Guest 1." in page
    assert "Anna can correct the game" in page
    assert f"{table}/correct" not in page
    assert f"{table}/correct" in await anna.page(table)
    # Anyone who saw another position has corrected something else.
    await anna.refused(409, address, **MONEY, **seen(before))
    # Impossible ones are refused with a sentence, and change nothing.
    much = {"kind": "money", "values": ["player 2", "player 1", "5000"]}
    assert "from 1 to 3000" in await anna.refused(422, address, **much)
    await anna.refused(422, address, kind="nothing", values=[])
    await anna.refused(422, address, line="money 5 from Hugo to bank")
    assert await anna.game(table) == await anna.game(table)
    assert (await anna.game(table))["number"] == 1
    await anna.done(address, line="money 1000 from Guest 1 to Anna")
    assert scores(await anna.game(table)) == [1000, 2000]
    # No one makes it as a move.
    action = {"action": "correct", "seat": -1, "kind": "money", "values": ["bank", "player 1", "1"]}
    await bernd.refused(404, f"{table}/move", **seen(await bernd.game(table)), action=action)
    # It stands in the record, is taken back and done again.
    record = await anna.page(f"{table}/record")
    assert "2. Correction by Anna: money 1000 from player 2 to player 1" in record
    await anna.done(f"{table}/undo")
    await bernd.done(f"{table}/undo/answer", answer="yes")
    assert "Anna takes back a correction." in await bernd.page(table)
    await anna.done(f"{table}/redo")
    await bernd.done(f"{table}/redo/answer", answer="yes")
    assert scores(await bernd.game(table)) == [1000, 2000]
    numbers = await anna.page(f"{table}/numbers")
    assert "Corrections" in numbers


async def test_a_form_leads_to_a_correction(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    empty = await anna.page(f"{table}/correct")
    assert 'value="money"' in empty
    assert "correct-source" not in empty
    half = await anna.page(f"{table}/correct?kind=money&source=bank")
    assert 'name="target"' in half
    assert 'name="count"' not in half
    whole = f"{table}/correct?kind=money&source=bank&target=player+1&count=2000"
    assert "<strong>£2,000 from the bank to Anna</strong>" in await anna.page(whole)
    card = await anna.client.get(whole, headers={**HTML, "x-part": "true"})
    assert card.text.lstrip().startswith("<article")
    # What is filled in there again is without the heading, which the page has too.
    assert "<h2>" not in card.text.partition('class="correct"')[2]
    assert "£2,000" in card.text
    sent = {"kind": "money", "source": "bank", "target": "player 1", "count": "2000"}
    game = await anna.game(table)
    answer = await anna.client.post(
        f"{table}/correct", data={**sent, **form(game)}, headers=HTML, follow_redirects=True
    )
    assert "Correction: £2,000 from the bank to Anna." in answer.text
    # What is no longer possible is said where it was filled in.
    sent |= {"source": "player 1", "target": "bank", "count": "9000"}
    game = await anna.game(table)
    answer = await anna.client.post(f"{table}/correct", data={**sent, **form(game)}, headers=HTML)
    assert answer.status_code == 422
    assert "9000" in answer.text
    assert "correct-source" in answer.text
    await anna.refused(422, f"{table}/correct", kind="")
    german = Browser(anna.url, "de")
    german.client.cookies = anna.client.cookies
    assert ": die Bank → Anna</strong>" in await german.page(whole)
    await german.client.aclose()


async def test_a_moderator_goes_back_without_asking(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "open", listed=False, undo="ask")
    await seated(table, bernd)
    for _ in range(3):
        game = await anna.game(table)
        await (anna if game["choices"] else bernd).move(table)
        game = await anna.game(table)
        if game["pending"][0]["step"] != "turn":
            break
    number = (await anna.game(table))["number"]
    await bernd.refused(403, f"{table}/rewind", to=1)
    await anna.refused(422, f"{table}/rewind", to=number)
    await anna.done(f"{table}/rewind", to=1, **seen(await anna.game(table)))
    game = await bernd.game(table)
    assert game["number"] == 1
    assert game["notes"][-1]["text"] == (
        "Anna goes back to the position after move 1, as a moderator."
    )


async def test_who_moderates(anna: Browser, bernd: Browser, clara: Browser) -> None:
    # Where strangers can join no one does, unless the table says so.
    table = await anna.open("me Anna", "open", "open")
    await seated(table, bernd, clara)
    address = f"/api{table.replace('/t/', '/tables/')}/correct"
    await anna.refused(403, address, **MONEY)
    assert "The game cannot be corrected" in await anna.page(table)
    # Nor is anybody made one over the heads of those who sat down.
    await anna.refused(409, f"{table}/moderators", moderation="opener")
    table = await anna.open("me Anna", "open", "open", moderation="opener")
    await seated(table, bernd, clara)
    address = f"/api{table.replace('/t/', '/tables/')}/correct"
    await bernd.refused(403, f"{table}/moderators", moderation="players")
    await anna.refused(422, f"{table}/moderators", moderation="all")
    await anna.done(f"{table}/moderators", moderation="opener", seat1="1")
    assert "Anna and Guest 1 can correct the game" in await clara.page(table)
    await bernd.done(address, **MONEY)
    await clara.refused(403, address, **MONEY)
    await anna.done(f"{table}/moderators", moderation="players")
    await clara.done(address, **MONEY)
    await anna.done(f"{table}/moderators", moderation="none")
    await anna.refused(403, address, **MONEY)


async def test_secrets_stay_with_those_who_have_them(anna: Browser, bernd: Browser) -> None:
    table = await anna.open(
        "me Anna", "open", listed=False, options={"money": "hidden", "halves": "rounded"}
    )
    await seated(table, bernd)
    address = f"/api{table.replace('/t/', '/tables/')}/correct"
    await anna.done(address, kind="money", values=["bank", "player 2", "4000"])
    # Neither the form nor a refusal says what Bernd has; that it was tried is said to him.
    page = await anna.page(f"{table}/correct?kind=money&source=player+2&target=bank")
    assert 'max="4000"' not in page
    assert "4,000" not in page
    sentence = await anna.refused(422, address, kind="money", values=["player 2", "bank", "9000"])
    assert sentence == "There is not that much there."
    assert "Anna tried to take away more than there is." in await bernd.page(table)
    game = await anna.game(table)
    assert [seat["score"] for seat in game["seats"]] == [0, None]
    assert game["number"] == 1


async def test_a_game_goes_on_from_a_position(anna: Browser, bernd: Browser) -> None:
    position = """
    # after the break
    money 12000 from bank to player 1
    share 2 GWR from stock to Bernd
    turn of Bernd action 2
    """
    seats = [{"kind": "me", "name": "Anna"}, {"kind": "bot", "name": "Bernd", "bot": "random"}]
    wrong = position.replace("share 2", "share 200")
    fields = {"title": "rocket", "seats": seats, "pace": 0, "set_up": wrong}
    refused = await anna.refused(422, "/api/tables", **fields)
    assert refused.startswith("Line 4: ")
    answer = await anna.done("/api/tables", **{**fields, "set_up": position})
    game = await anna.until(answer.json()["url"], lambda game: game["number"] > 3)
    assert [line["text"] for line in game["log"][1:4]] == [
        "Correction: £12,000 from the bank to Anna.",
        "Correction: 2 × GWR from the stock to Bernd.",
        "Correction: Bernd to move, with action 2 of 2.",
    ]
    # As a form, with the line that is wrong, and with free seats.
    form = {
        "title": "rocket",
        "seats": "2",
        "seat0_kind": "me",
        "seat0_name": "Anna",
        "seat1_kind": "open",
        "set_up": "money 1 from Hugo to bank",
    }
    page = await anna.client.post("/tables", data=form, headers=HTML)
    assert page.status_code == 422
    assert "Line 1: " in page.text
    assert "from Hugo" in page.text
    form["set_up"] = "money 7000 from bank to player 2"
    page = await anna.client.post("/tables", data=form, headers=HTML)
    table = page.headers["location"]
    await seated(table, bernd)
    assert [seat["score"] for seat in (await bernd.game(table))["seats"]] == [0, 7000]
    form |= {"seat1_kind": "hotseat", "seat1_name": "Bernd"}
    table = (await anna.client.post("/tables", data=form, headers=HTML)).headers["location"]
    assert [seat["score"] for seat in (await anna.game(table))["seats"]] == [0, 7000]


async def test_a_position_that_is_set_up_is_seen_as_a_whole(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    position = "money 12000 from bank to player 1\nshare 2 GWR from stock to player 2"
    table = await anna.open("me Anna", "open", set_up=position, delay_moves=3)
    await seated(table, bernd)
    assert (await clara.game(table))["number"] == 2
    players = [anna, bernd]
    turn = (await anna.game(table))["pending"][0]["seat"]
    assert "Since the game began" not in await players[turn].page(table)
    await players[turn].move(table)
    assert (await clara.game(table))["number"] == 2
    page = await players[1 - turn].page(table)
    assert "Since the game began: 1 move<" in page


async def test_what_cannot_be_set_up_is_said(anna: Browser) -> None:
    """Where nothing can be corrected at the beginning there is no field for it; what to do instead is said."""
    field, instead = 'name="set_up"', "Play up to that point at a table as usual"
    for title in kursbuch.titles():
        page = await anna.page(f"/new?title={title}")
        assert (field in page) == (title != "1853"), title
        assert (instead in page) == (title in ("1853", "nimm")), title
    seats = [{"kind": "me", "name": "Anna"}, *({"kind": "hotseat", "name": n} for n in ("B", "C"))]
    given = {"title": "1853", "seats": seats, "set_up": "money 1 from bank to player 1"}
    assert "first stock round is over" in await anna.refused(422, "/api/tables", **given)


async def test_a_form_speaks_as_the_book_does(anna: Browser) -> None:
    german = Browser(anna.url, "de")
    game = await german.open("me Anna", "hotseat Bernd", "hotseat Clara", title="1853")
    page = await german.page(f"{game}/correct")
    assert "Zug in einer Betriebsrunde" in page
    assert "Operationsrunde" not in page
    await german.client.aclose()


async def test_a_correction_has_a_number_of_its_own(anna: Browser) -> None:
    """The number of a round, in the form beside the number of moves."""
    begins = "turn of player 1 in stock round 2"
    table = await anna.open(
        "me Anna", "hotseat Bernd", "hotseat Clara", title="1835", set_up=begins
    )
    page = await anna.page(f"{table}/correct?kind=stock-round&player=player+2&number=3")
    [sent] = re.findall(r'<form method="post"[^>]*correct-send.*?</form>', page, re.DOTALL)
    fields = re.findall(r'name="([^"]+)" value="([^"]*)"', sent)
    assert len(dict(fields)) == len(fields)
    await anna.client.post(f"{table}/correct", data=dict(fields), headers=HTML)
    game = await anna.game(table)
    assert game["number"] == 2
    assert "stock round 3: Bernd to move" in game["log"][-1]["text"]


async def test_who_sees_a_table_with_a_delay_corrects_nothing(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open("open", "open", delay_moves=2, moderation="opener", listed=False)
    await seated(table, bernd, clara)
    for _ in range(3):
        game = await bernd.game(table)
        await (bernd, clara)[game["pending"][0]["seat"]].move(table)
    assert f'"{table}/correct"' not in await anna.page(table)
    assert "with a delay" in await anna.page(f"{table}/correct", 403)
    line = "money 1000 from bank to player 1"
    api = "/api/tables" + table.removeprefix("/t")
    assert "with a delay" in await anna.refused(403, f"{api}/correct", line=line)
    for path in (api, table):
        assert "with a delay" in await anna.refused(403, f"{path}/rewind", to=0)
    assert (await bernd.game(table))["number"] == 3


async def test_what_a_game_began_with_is_not_taken_back(anna: Browser, bernd: Browser) -> None:
    lines = "money 3000 from bank to player 1\nturn of player 1 action 1"
    table = await anna.open(
        "me Anna", "open", undo="free", moderation="players", listed=False, set_up=lines
    )
    await seated(table, bernd)
    address = table.replace("/t/", "/api/tables/")
    assert (await bernd.game(table))["number"] == 2
    await bernd.refused(403, f"{address}/undo", to=1)
    refused = await anna.refused(409, f"{address}/rewind", to=1)
    assert "There is no move to undo." in refused


async def test_doing_again_follows_the_rules_for_taking_back(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    """Where everybody takes back only moves of his own, no one does those of others again; a moderator may, also
    where nothing is taken back."""
    for undo in ("own", "none"):
        table = await anna.open("me Anna", "open", "open", undo=undo, moderation="opener")
        await seated(table, bernd, clara)
        people = [anna, bernd, clara]
        for _ in range(5):
            seats = (await anna.game(table))["seats"]
            await people[next(one["number"] for one in seats if one["turn"])].move(table)
        game = await anna.game(table)
        await anna.done(f"{table}/rewind", **form(game), to="1")
        for person in (bernd, clara):
            await person.refused(403, f"{table}/redo")
            assert "/redo" not in await person.page(table)
        await anna.done(f"{table}/redo")
        assert (await anna.game(table))["number"] == 5


async def test_a_moderator_without_a_seat_has_a_name(anna: Browser, bernd: Browser) -> None:
    """That of the account."""
    table = await anna.open("open", "open", undo="none", moderation="opener")
    await bernd.done(f"{table}/join", seat=0, name="Bernd :")
    await bernd.done(f"{table}/join", seat=1, name="Also Bernd")
    await bernd.done(f"{table}/start")
    await anna.refused(409, f"{table}/rewind", **form(await anna.game(table)), to="0")
    await bernd.move(table)
    await anna.done(f"{table}/rewind", **form(await anna.game(table)), to="0")
    await anna.done(f"{table}/redo")
    assert "nothing to redo" in await anna.refused(403, f"{table}/redo")
    page = await bernd.page(table)
    assert "A moderator goes back to the position after move 0." in page
    assert "A moderator redoes a move by Bernd :." in page


async def test_after_corrections_nothing_goes_round_for_ever(anna: Browser) -> None:
    """With no one able to do anything the move that leads there is refused, and the server goes on."""
    poor = "\n".join(f"money 600 from player {seat} to bank" for seat in (1, 2, 3))
    table = await anna.open("me Anna", "hotseat Bernd", "hotseat Clara", title="1835", set_up=poor)
    game = await anna.game(table)
    refused = await anna.refused(
        422, f"{table}/move", **seen(game), action=game["choices"][-1]["action"]
    )
    assert "This would leave no legal move." in refused
    assert (await anna.game(table))["number"] == game["number"]
    assert (await anna.client.get("/health")).status_code == 200


async def test_what_was_played_before_such_a_move_stays(server: Server, anna: Browser) -> None:
    """As in a mail with several lines: the game goes on from there."""
    table = await anna.open("me Anna", "hotseat Bernd", "hotseat Clara", title="1835")
    tables = server.app.state.tables
    async with tables.changing(table.removeprefix("/t/")) as change:
        position = change.position
        for seat in (1, 2, 3):
            change.play(Correct(NOBODY, "money", (f"player {seat}", "bank", "600")))
        done = position.title.parse("is done", position.deciders()[0], position.state)
        with pytest.raises(Endless):
            change.play(done)
        assert list(position.deciders()) == [0]
    snapshot = await tables.load(table.removeprefix("/t/"))
    assert snapshot.table.turn == [0]
    assert kursbuch.load(snapshot.game.record()).state == snapshot.game.state
    assert (await anna.game(table))["number"] == 3
