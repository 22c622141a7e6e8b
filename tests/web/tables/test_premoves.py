"""Moves ahead of time: planned by the page, secret, carried out or dropped when their moment comes."""

from __future__ import annotations

import json
import random
import re
from html import unescape
from typing import Any

import pytest

import kursbuch
from kursbuch.core.words import Words
from kursbuch.games.g18xx.events import OperatingRoundBegan, StockRoundEnded
from kursbuch.web.tables.premoves import HAPPENED, PassUntil, over, passing, situations
from tests.web.visitors import Browser, Server, choose, seated, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")


def turn(game: dict[str, Any]) -> int:
    """The seat that is to move."""
    return next(int(seat["number"]) for seat in game["seats"] if seat["turn"])


async def options(person: Browser, table: str, situation: int = 0) -> list[dict[str, Any]]:
    """The actions that could be planned ahead."""
    page = await person.page(f"{table}/ahead?situation={situation}")
    values = re.findall(r'<option value="(\{.*?\})"', page)
    return [json.loads(unescape(value)) for value in values]


async def act(
    person: Browser, table: str, seat: int, step: str, action: dict[str, Any], **more: Any
) -> None:
    """Plan an action."""
    await person.done(f"{table}/ahead", seat=seat, kind="act", step=step, action=action, **more)


async def test_a_share_is_bought_if_it_is_still_there(
    server: Server, anna: Browser, bernd: Browser, clara: Browser
) -> None:
    """In the start packet of 1835: the first wants what the second takes before, so the fallback counts; who
    passes until someone buys is asked again afterwards; no one sees what others have planned."""
    table = await anna.open("me Anna", "open", "open", title="1835", undo="free")
    await seated(table, bernd, clara)
    people = [anna, bernd, clara]
    game = await anna.game(table)
    first = turn(game)
    second, third = (first + 1) % 3, (first + 2) % 3
    mover, one, two = people[first], people[second], people[third]
    offered = await options(one, table)
    wanted = next(action for action in offered if action["action"] == "paper")
    others = [action for action in offered if action["action"] == "paper" and action != wanted]
    version = game["version"]
    await act(one, table, second, "packet", wanted, otherwise="next")
    await act(one, table, second, "packet", others[0], otherwise="ask")
    await two.done(f"{table}/ahead", seat=third, kind="pass", step="packet", until="share")

    # No one can tell that anything has been planned.
    assert (await mover.game(table))["version"] == version
    for person in (mover, two):
        assert f"“{wanted['paper']}" not in await person.page(f"{table}/live")
    assert "(2)" in await one.page(table)
    page = await mover.page(f"{table}/ahead")
    assert "Premoves, in order" not in page
    await mover.refused(403, f"{table}/ahead/withdraw", seat=second, row=1)
    await mover.refused(
        403, f"{table}/ahead", seat=second, kind="pass", step="packet", until="share"
    )
    assert (await Browser(server.url).client.get(f"{table}/ahead")).status_code == 403

    # The first takes what the second wanted; the second gets the other paper; then the third is asked.
    await mover.move(table, {**wanted, "seat": first})
    game = await anna.game(table)
    assert game["number"] == 2
    assert turn(game) == third
    bought = [line["event"]["paper"] for line in game["log"] if "paper" in line["event"]]
    assert bought == [wanted["paper"], others[0]["paper"]]
    assert "It was no longer possible." in await one.page(table)
    assert "What you waited for has happened" in await two.page(table)
    await one.done(f"{table}/ahead/withdraw", seat=second, quiet="1")
    assert "Premove dropped" not in await one.page(table)
    # It says in the log that it was done ahead, but not who else had planned what.
    assert "(automatically)" in await mover.page(table)


async def test_what_is_fixed_is_read_in_any_language(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open("me Anna", "open", "open", title="1835")
    await seated(table, bernd, clara)
    game = await anna.game(table)
    waits = (turn(game) + 1) % 3
    one = [anna, bernd, clara][waits]
    buying = {"action": "paper", "seat": waits, "paper": "NF"}
    await act(one, table, waits, "packet", buying)
    english = (await one.client.get(f"/api/tables/{table[3:]}/ahead?seat={waits}")).json()
    one.client.headers["accept-language"] = "de"
    german = (await one.client.get(f"/api/tables/{table[3:]}/ahead?seat={waits}")).json()
    assert (
        english["plans"][0]["text"]
        == "Buy NF (Nürnberg-Fürth) for 100\N{NO-BREAK SPACE}M; if not possible: ask me"
    )
    assert german["plans"][0]["text"].endswith("kaufen; falls nicht möglich: mich fragen")


async def test_what_has_changed_is_not_done(
    server: Server, anna: Browser, bernd: Browser, clara: Browser
) -> None:
    """In Stephenson's Rocket: a station on a hex that someone else takes, a chain that breaks, vetoes."""
    table = await anna.open("me Anna", "open", "open", undo="free")
    await seated(table, bernd, clara)
    people = [anna, bernd, clara]
    first = turn(await anna.game(table))
    second = (first + 1) % 3
    mover, one = people[first], people[second]
    stations = [
        action for action in await options(one, table) if action["action"] == "place-station"
    ]
    taken, free = stations[0], stations[1]
    await act(one, table, second, "turn", taken, otherwise="ask")
    await act(one, table, second, "turn", free, otherwise="ask")
    await mover.move(table, {**taken, "seat": first})
    await mover.move(table)
    game = await one.game(table)
    assert (game["number"], turn(game)) == (2, second)
    page = await one.page(table)
    assert "It was no longer possible." in page
    assert "It was to follow a move that could not be made." in page
    await one.done(f"{table}/ahead/withdraw", seat=second)

    # What is planned when its moment has come is done at once; the rest of the turn later.
    free = next(each for each in await options(one, table) if each["action"] == "place-station")
    await act(one, table, second, "turn", free, otherwise="next")
    game = await one.game(table)
    assert game["number"] == 3
    await one.done(f"{table}/ahead", seat=second, kind="object", always="0")
    third = (first + 2) % 3
    await people[third].done(f"{table}/ahead", seat=third, kind="object", always="1")
    extend = next(
        choice["action"]
        for choice in game["choices"]
        if choice["action"]["action"] == "extend-line"
    )
    await one.move(table, extend)
    number = (await one.game(table))["number"]
    assert number >= 4  # who may object has done so, or no one may

    sentence = await one.client.post(
        f"{table}/ahead",
        data={"seat": second, "kind": "act", "step": "turn", "action": '{"action": "x"}'},
        headers={"x-part": "true"},
    )
    assert sentence.status_code == 200
    assert 'role="alert"' in sentence.text
    for wrong in (
        {"kind": "bid", "most": 5},
        {"kind": "pass", "step": "turn", "until": "round"},
        {"kind": "nonsense"},
        {"kind": "act", "step": "nowhere", "action": free},
        {"kind": "act", "step": "turn", "action": {**free, "seat": first}},
        {"kind": "act", "step": "turn", "action": [1]},
    ):
        answer = await one.client.post(f"{table}/ahead", json={"seat": second, **wrong})
        assert 'role="alert"' in answer.text or answer.status_code == 422, wrong


async def test_bids_go_up_to_a_limit(
    server: Server, anna: Browser, bernd: Browser, clara: Browser
) -> None:
    """In Nimm den Zug: two bid against each other up to their limits within one move."""
    for _ in range(30):
        table = await anna.open("me Anna", "open", "open", title="nimm", undo="free")
        await seated(table, bernd, clara)
        people = [anna, bernd, clara]
        for _ in range(3):
            game = await anna.game(table)
            step = game["pending"][0]["step"]
            if step in ("choose-card", "first-bid"):
                await people[turn(game)].move(table)
        game = await anna.game(table)
        step = game["state"]["agenda"][-1]
        if step["step"] == "turn-auction" and len(step["active"]) == 3:
            break
    else:
        pytest.fail("no auction in turn came up")
    one, bid = step["seat"], step["bid"]
    other = (one + 1) % 3
    number = game["number"]
    await people[other].done(f"{table}/ahead", seat=other, kind="bid", most=bid + 200)
    await people[one].done(f"{table}/ahead", seat=one, kind="bid", most=bid + 150)
    after = await anna.game(table)
    amounts = [event["event"]["amount"] for event in after["log"] if "amount" in event["event"]]
    assert after["number"] > number
    assert max(amounts) <= bid + 200
    assert max(amounts) > bid


async def test_who_ends_an_auction_by_passing_decides_in_the_next(
    server: Server, anna: Browser, bernd: Browser
) -> None:
    """In Nimm den Zug: to pass until another locomotive is auctioned ends with the auction, also if the pass that was
    planned ahead is its last one, and the next auction is one's own."""
    for _ in range(30):
        table = await anna.open("me Anna", "open", title="nimm", undo="free")
        await seated(table, bernd)
        people = [anna, bernd]
        game = await anna.game(table)
        while game["pending"][0]["step"] in ("choose-card", "first-bid"):
            await people[turn(game)].move(table)
            game = await anna.game(table)
        if game["pending"][0]["step"] == "turn-auction":
            break
    else:
        pytest.fail("no auction in turn came up")
    waits = turn(game)
    number = game["number"]
    wish = {"kind": "pass", "step": "turn-auction", "until": "auction"}
    await people[waits].done(f"{table}/ahead", seat=waits, **wish)
    after = await anna.game(table)
    assert after["number"] > number, "the pass is made at once"
    passed = [line for line in after["log"] if line["number"] == number + 1]
    assert any("passes" in line["text"] for line in passed)
    address = table.replace("/t/", "/api/tables/") + f"/ahead?seat={waits}"
    assert not (await people[waits].client.get(address)).json()["plans"]


async def test_large_numbers_are_refused(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    for row in (2**31, 2**63, -(10**30)):
        address = table.replace("/t/", "/api/tables/")
        await anna.refused(400, f"{address}/ahead/withdraw", seat=0, row=row)


async def test_every_title_foresees_decisions() -> None:
    """At many moments of random games everything that could be planned can be said, and the present decision
    offers just what is legal."""
    found: dict[str, set[str]] = {}
    for name, players in (("rocket", 3), ("nimm", 3), ("dice", 3), ("1835", 3), ("1853", 3)):
        rng = random.Random(4)
        game = kursbuch.new(name, players=["A", "B", "C"][:players], seed=11)
        steps = found.setdefault(name, set())
        for move in range(260):
            if game.over:
                break
            for seat in range(players) if move % 9 == 0 else ():
                view = game.view(seat)
                voice = view.title.voice(Words("en", view.names))
                for trigger in view.title.premoves.triggers(view.state, seat):
                    assert voice.trigger(trigger) != trigger
                for number, (decision, position) in enumerate(situations(view)):
                    choices = position.legal_actions(seat)
                    if number == 0 and seat in game.position.deciders():
                        assert choices == view.legal_actions()
                    for choice in choices[:3]:
                        assert voice.pick(position.state, choice.action).label
                        view.title.premoves.terms(position.state, choice.action)
                    if passing(decision, position) is not None:
                        steps.add(decision.step)
            choice = rng.choice(game.legal_actions(game.pending[0].seat))
            game.apply(choice.action)
    assert {"packet", "stock-turn", "build", "buy-trains"} <= found["1835"]
    # A stock round that ends does not end what was planned for operating rounds.
    rounds = kursbuch.title("1835").premoves
    stock = set(rounds.happened(StockRoundEnded(rule="", number=1, seat=0)))
    first = set(rounds.happened(OperatingRoundBegan(rule="", number=1, part=1, parts=2)))
    again = set(rounds.happened(OperatingRoundBegan(rule="", number=1, part=2, parts=2)))
    pack, build = PassUntil("packet", "round"), PassUntil("build", "round")
    assert [over(pack, names, "") for names in (stock, first, again)] == [HAPPENED, None, None]
    assert [over(build, names, "") for names in (stock, first, again)] == [None, None, HAPPENED]
    assert {"stock-turn", "build"} <= found["1853"]
    assert "turn" in found["nimm"]
    assert "turn" in found["dice"]


async def test_a_chain_through_an_operating_turn(
    server: Server, anna: Browser, bernd: Browser, clara: Browser
) -> None:
    """Who has planned to pass and go on everywhere plays a whole stretch of 1835 without being there, and the
    game continues from the stored moves as it would without."""
    table = await anna.open("me Anna", "open", "open", title="1835", undo="free")
    await seated(table, bernd, clara)
    people = [anna, bernd, clara]
    await anna.done(f"{table}/ahead", seat=0, kind="pass", step="packet", until="phase")
    rng, own = random.Random(1), 0
    for _ in range(40):
        game = await anna.game(table)
        if game["status"] != "running":
            break
        seat = turn(game)
        if seat == 0:
            own += 1
            assert game["pending"][0]["step"] != "packet"
        mine = await people[seat].game(table)
        action = rng.choice(mine["choices"])["action"]
        await people[seat].done(f"{table}/move", **seen(mine), action=action)
    snapshot = await server.app.state.tables.load(table[3:])
    automatic = [seat for seat, auto in snapshot.moves if auto]
    assert automatic
    assert set(automatic) == {0}


async def test_programs_fix_moves_ahead(
    server: Server, anna: Browser, bernd: Browser, clara: Browser
) -> None:
    """What the page offers can be had as data, and is as secret."""
    table = await anna.open("me Anna", "open", "open", title="1835", undo="free")
    await seated(table, bernd, clara)
    people = [anna, bernd, clara]
    first = turn(await anna.game(table))
    seat = (first + 1) % 3
    path = f"/api/tables{table[2:]}/ahead"
    answer = await people[seat].client.get(path, params={"seat": seat})
    offered = answer.json()
    assert [one["step"] for one in offered["situations"]] == ["packet"]
    assert offered["situations"][0]["passes"]
    assert offered["triggers"]["round"] == "the round is over"
    fixed = await people[seat].done(path, seat=seat, kind="pass", step="packet", until="round")
    (plan,) = fixed.json()["plans"]
    assert plan["text"] == "Pass until the round is over"
    for other in (people[first], Browser(server.url)):
        assert (await other.client.get(path, params={"seat": seat})).status_code == 403
        await other.refused(403, f"{path}/withdraw", seat=seat, row=plan["row"])
    await people[seat].refused(422, path, seat=seat, kind="pass", step="packet", until="never")
    after = await people[seat].done(f"{path}/withdraw", seat=seat, row=plan["row"])
    assert after.json()["plans"] == []
    await people[seat].refused(404, f"{path}/withdraw", seat=seat, row=plan["row"])


async def test_what_comes_again_is_told_apart_from_what_is_decided_now(
    anna: Browser, bernd: Browser
) -> None:
    table = await anna.open("me Anna", "open", title="nimm")
    await seated(table, bernd)
    people, labels = (anna, bernd), list[str]()
    while not any("(now)" in label for label in labels):
        mover = people[turn(await anna.game(table))]
        listed = (await mover.page(f"{table}/ahead")).partition('<ul class="ahead-situations">')[2]
        labels = re.findall(r"<li>(.*)</li>", listed.partition("</ul>")[0])
        texts = [re.sub("<.*?>", "", label) for label in labels]
        assert len(set(texts)) == len(texts), texts
        await mover.move(table)


async def fixed(person: Browser, table: str, seat: int) -> tuple[list[str], list[str]]:
    """What a seat has planned, and why something is not planned any more."""
    answer = await person.client.get(f"/api/tables/{table[3:]}/ahead", params={"seat": seat})
    found = answer.json()
    return [plan["text"] for plan in found["plans"]], [plan["why"] for plan in found["dropped"]]


async def stations(person: Browser, table: str, situation: int = 0) -> list[dict[str, Any]]:
    """The stations that could be placed, as actions."""
    offered = await options(person, table, situation)
    return [action for action in offered if action["action"] == "place-station"]


@pytest.mark.parametrize("undo", ["own", "free"])
async def test_what_others_have_fixed_is_not_taken_back_unnoticed(
    anna: Browser, bernd: Browser, clara: Browser, undo: str
) -> None:
    """Where only own moves are taken back, a move that was planned ahead is one of someone else; elsewhere anyone who
    had planned it is told."""
    table = await anna.open("me Anna", "open", "open", undo=undo)
    await seated(table, bernd, clara)
    people = [anna, bernd, clara]
    first = turn(await anna.game(table))
    second = (first + 1) % 3
    mover, one = people[first], people[second]
    await act(one, table, second, "turn", (await stations(one, table))[-1])
    await mover.move(table, choose(await mover.game(table), "take-token"))
    await mover.move(table, choose(await mover.game(table), "take-token"))
    game = await mover.game(table)
    assert (game["number"], turn(game)) == (3, second)
    if undo == "own":
        assert game["undo"] == []
        await mover.refused(403, f"{table}/undo", to=1)
        return
    await act(one, table, second, "turn", (await stations(one, table, 1))[0], later=1)
    await mover.done(f"{table}/undo", to=1)
    # It was to come after what is no more.
    assert await fixed(one, table, second) == (
        [],
        ["It was to follow a move that could not be made.", "The move was taken back."],
    )
    await mover.move(table, choose(await mover.game(table), "take-token"))
    assert turn(await mover.game(table)) == second


async def test_a_refusal_for_good_does_not_keep_the_own_move_from_being_taken_back(
    anna: Browser, bernd: Browser
) -> None:
    table = await anna.open("me Anna", "open", undo="own")
    await seated(table, bernd)
    people = [anna, bernd]
    for person, seat in ((anna, 0), (bernd, 1)):
        await person.done(f"{table}/ahead", seat=seat, kind="object", always=False)
    for _ in range(40):
        seat = turn(game := await anna.game(table))
        number = game["number"]
        await people[seat].move(
            table, choose(await people[seat].game(table), "extend-line", "take-token")
        )
        game = await people[seat].game(table)
        if game["number"] == number + 2:
            assert [offer["to"] for offer in game["undo"]] == [number]
            return
    pytest.fail("nobody could object")


async def test_what_is_fixed_for_the_next_turn_waits_for_it_after_going_back(
    anna: Browser, bernd: Browser
) -> None:
    table = await anna.open("me Anna", "open", undo="free")
    await seated(table, bernd)
    people = [anna, bernd]
    first = turn(await anna.game(table))
    mover, other = people[first], people[1 - first]
    wanted = (await stations(mover, table, 1))[-1]
    await act(mover, table, first, "turn", wanted, later=1)
    for _ in range(2):
        await mover.move(table, choose(await mover.game(table), "take-token"))
    assert turn(await mover.game(table)) == 1 - first
    await mover.done(f"{table}/undo", to=0)
    game = await mover.game(table)
    assert (game["number"], turn(game)) == (0, first)
    assert game["redo"]
    # In the turn that has come again it is not done; in the next one it is.
    for person in (mover, mover, other, other):
        assert len((await fixed(mover, table, first))[0]) == 1
        await person.move(table, choose(await person.game(table), "take-token"))
    assert (await mover.game(table))["number"] == 5
    assert await fixed(mover, table, first) == ([], [])


async def test_what_is_fixed_for_the_next_turn_does_not_come_after_an_objection(
    anna: Browser, bernd: Browser
) -> None:
    """The others are asked in the middle of a turn: it goes on afterwards."""
    table = await anna.open("me Anna", "open", undo="free")
    await seated(table, bernd)
    people = [anna, bernd]
    for _ in range(40):
        seat = turn(await anna.game(table))
        mover, other = people[seat], people[1 - seat]
        game = await mover.game(table)
        step = game["state"]["agenda"][-1]
        if step["step"] == "turn" and step["action"] == 1:
            wanted = (await stations(mover, table, 1))[-1]
            await act(mover, table, seat, "turn", wanted, later=1)
            await mover.move(table, choose(game, "extend-line"))
            if turn(await anna.game(table)) == 1 - seat:
                number = (await anna.game(table))["number"]
                asked = await other.game(table)
                await other.move(table, choose(asked, "let-stand"))
                game = await anna.game(table)
                assert (game["number"], turn(game)) == (number + 1, seat)
                assert len((await fixed(mover, table, seat))[0]) == 1
                return
            path = f"/api/tables/{table[3:]}/ahead"
            (plan,) = (await mover.client.get(path, params={"seat": seat})).json()["plans"]
            await mover.done(f"{path}/withdraw", seat=seat, row=plan["row"])
        else:
            await mover.move(table, choose(game, "extend-line", "take-token", "let-stand"))
    pytest.fail("nobody could object")


async def test_who_goes_back_to_passing_does_not_pass_at_once(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    """In 1835: what goes on waits until the turn that has come again is over."""
    table = await anna.open("me Anna", "open", "open", title="1835", undo="free")
    await seated(table, bernd, clara)
    people = [anna, bernd, clara]
    first = turn(await anna.game(table))
    second = (first + 1) % 3
    one = people[second]
    await one.done(f"{table}/ahead", seat=second, kind="pass", step="packet", until="phase")
    await people[first].move(table)
    assert (await one.game(table))["number"] == 2
    await one.done(f"{table}/undo", to=1)
    game = await one.game(table)
    assert (game["number"], turn(game)) == (1, second)
    assert len((await fixed(one, table, second))[0]) == 1
    await one.move(table)
    for seat in ((first + 2) % 3, first):
        assert turn(await one.game(table)) == seat
        await people[seat].move(table)
    game = await one.game(table)
    assert turn(game) != second


async def test_what_is_planned_is_changed_in_its_place(
    server: Server, anna: Browser, bernd: Browser, clara: Browser
) -> None:
    """By the form, by a program, and brought forward; what others have planned stays theirs."""
    table = await anna.open("me Anna", "open", "open", title="1835", undo="free")
    await seated(table, bernd, clara)
    people = [anna, bernd, clara]
    first = turn(await anna.game(table))
    seat = (first + 1) % 3
    me, path = people[seat], f"/api/tables{table[2:]}/ahead"

    async def planned() -> list[tuple[int, str]]:
        found = (await me.client.get(path, params={"seat": seat})).json()
        return [(plan["row"], plan["text"].partition(" (")[0]) for plan in found["plans"]]

    buy = {"action": "paper", "seat": seat}
    offered = [one["paper"] for one in await options(me, table) if one["action"] == "paper"]
    assert offered[:2] == ["NF", "1"]
    for paper in offered[:2]:
        await me.done(path, seat=seat, kind="act", step="packet", action={**buy, "paper": paper})
    (one, _), (two, _) = before = await planned()
    assert [text for _, text in before] == ["Buy NF", "Buy Minor 1"]
    # Brought forward, and the first stays where it is.
    await me.done(f"{path}/advance", seat=seat, row=two)
    assert await planned() == [(one, "Buy Minor 1"), (two, "Buy NF")]
    await me.done(f"{table}/ahead/advance", seat=seat, row=one)
    assert await planned() == [(one, "Buy Minor 1"), (two, "Buy NF")]
    # The form says what is changed, and changes it.
    page = await me.page(f"{table}/ahead?seat={seat}&instead={one}")
    assert "Your new premove replaces: Buy Minor 1" in page
    assert f'name="instead" value="{one}"' in page
    assert "Your new premove replaces" not in await me.page(
        f"{table}/ahead?seat={seat}&instead=999"
    )
    until = {"seat": seat, "kind": "pass", "step": "packet", "until": "round"}
    await me.done(f"{table}/ahead", **until, instead=one)
    assert await planned() == [(one, "Pass until the round is over"), (two, "Buy NF")]
    await me.done(
        path, seat=seat, kind="act", step="packet", action={**buy, "paper": "1"}, instead=one
    )
    assert await planned() == [(one, "Buy Minor 1"), (two, "Buy NF")]
    for wrong in (f"{path}/advance", f"{table}/ahead/advance"):
        await me.refused(404, wrong, seat=seat, row=999)
        await people[first].refused(403, wrong, seat=seat, row=two)
    await me.refused(404, f"{table}/ahead", **until, instead=999)
    assert await planned() == [(one, "Buy Minor 1"), (two, "Buy NF")]
