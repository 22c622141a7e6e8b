"""What a player may not know reaches no one else, on no way out of the server: where the same moves left
another player with other secrets, everybody else must get the same bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kursbuch
from kursbuch.bots import Advice, make
from kursbuch.core.actions import Action
from kursbuch.core.game import Game
from kursbuch.games.dice.state import BEHIND
from kursbuch.web.ai import jobs as bot_jobs
from kursbuch.web.settings import Settings
from tests.web.answers import answers, at_table, forget, impossible
from tests.web.visitors import Browser, Server

pytestmark = pytest.mark.asyncio

#: Number of moves made before anyone looks.
MOVES = 30

#: A game in which something is hidden: its title, its options, and what to move between two holders
#: (item, from, to, how many) to give Bernd something and then Clara instead.
HIDDEN = {
    "rocket": ("rocket", {"money": "hidden"}, "money", "bank", ("1", "2"), 3000),
    "dice": ("dice", {}, "die", "supply", (BEHIND[1], BEHIND[2]), 3),
    "passengers": ("dice", {}, "passengers", "bank", ("1", "2"), 2),
    "nimm": ("nimm", {}, "money", "bank", ("1", "2"), 350),
}

#: The game whose secrets are no things in it, but what players write (`test_secrets_1853.py`).
WRITTEN = "1853"


def played(title: str, options: dict[str, str]) -> tuple[str, list[Action]]:
    """A game in which it is the turn of Anna alone: its seed and its actions."""
    for seed in range(100):
        bot = make("random", seed)
        game = kursbuch.new(title, ["Anna", "Bernd", "Clara"], seed, options=options)
        while not game.over:
            game.apply(bot.choose(game.view(game.pending[0].seat)))
            deciding = [decision.seat for decision in game.pending]
            if len(game.moves) >= MOVES and deciding == [0] and len(game.legal_actions(0)) > 1:
                return str(seed), [move.action for move in game.moves]
    raise AssertionError


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.rule("dice:dice-2", "dice:passenger-3", "nimm:setup-4", "rocket:setup-2")
async def test_what_is_hidden_reaches_nobody_else(
    hidden: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    title, options, item, source, (bernds, claras), count = HIDDEN[hidden]
    jobs: list[bytes] = []

    async def think(_: Any, function: Any, job: bot_jobs.Job) -> Any:
        jobs.append(job.state)
        return Advice(((bot_jobs.any_move(job.view()), 1.0),))

    monkeypatch.setattr("kursbuch.web.ai.scheduler.AiScheduler.think", think)
    monkeypatch.setattr("kursbuch.web.ai.jobs.random.choice", lambda found: found[0])
    monkeypatch.setattr("kursbuch.web.home.views.ago", lambda words, moment: "")
    seed, actions = played(title, options)
    async with at_table(tmp_path, monkeypatch, title, seed, actions, options=options) as (
        server,
        table,
        people,
    ):
        kept = server.app.state.tables.games._kept.get(table[3:])
        real = type(kept.game.title).setup

        async def shown(holder: str) -> list[dict[str, str]]:
            """What everybody gets where this holder has had something more from the beginning."""

            def setup(title: Any, seats: int, options: Any) -> Any:
                state = real(title, seats, options)
                state.ledger.move(item, source, holder, count)
                return state

            game = kept.game
            with monkeypatch.context() as patched:
                patched.setattr(type(game.title), "setup", setup)
                game = Game(game.title, game.names, game.options, seed=game.seed)
            for action in actions:
                game.apply(action)
            kept.game = game
            forget()
            jobs.clear()
            found = []
            for seat, person in enumerate(people):
                tried = impossible(game, actions, min(seat, 2))
                # Anyone who does not decide is refused before anything is looked at.
                found.append(
                    await answers(server, table, person, tried if seat == 0 else tried[:2])
                )
                found[-1]["hint"] = (await person.send(f"{table}/hint")).text
            return found

        first, thought = await shown(bernds), list(jobs)
        then = await shown(claras)
    assert thought
    assert thought == jobs
    for seat, (one, two) in enumerate(zip(first, then, strict=True)):
        if seat in (1, 2):
            # It was indeed another secret, and its owners see it.
            for path in (table, f"{table}/live", f"/api/tables{table[2:]}"):
                assert one[f"{path} en"] != two[f"{path} en"]
            continue
        assert one.keys() == two.keys()
        for key, text in one.items():
            assert text == two[key], key


@pytest.mark.parametrize(
    ("title", "options"),
    [*((name, HIDDEN[name][1]) for name in ("rocket", "dice", "nimm")), (WRITTEN, {})],
)
async def test_nobody_gets_the_record_of_a_game_that_hides_something(
    title: str, options: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed, actions = played(title, options)
    async with at_table(tmp_path, monkeypatch, title, seed, actions, options=options) as (
        _,
        table,
        people,
    ):
        for person in people:
            refused = await person.client.get(f"{table}/record")
            assert refused.status_code == 409
            assert "when the game is over" in refused.json()["error"]
            page = await person.page(table)
            assert f"{table}/record" not in page
            assert "can be saved when the game is over" in page
        await people[0].done(f"{table}/end")
        for person in people[1:-1]:  # the last one looks on
            await person.done(f"{table}/end/answer", answer="yes")
        for person in people:
            record = await person.page(f"{table}/record")
            assert record.startswith("Kursbuch record")


@pytest.mark.parametrize(("title", "options"), [("rocket", {"money": "open"}), ("1835", {})])
async def test_the_record_of_an_open_game_can_be_had_at_any_time(
    title: str, options: dict[str, str], tmp_path: Path
) -> None:
    settings = Settings(database=str(tmp_path / "tables.sqlite3"), bot_processes=1)
    async with Server(settings) as server:
        anna, watcher = Browser(server.url), Browser(server.url)
        table = await anna.open(
            "me Anna", "hotseat Bernd", "hotseat Clara", title=title, options=options
        )
        await anna.move(table)
        assert len(kursbuch.load(await watcher.page(f"{table}/record")).moves) == 1
        for browser in (anna, watcher):
            await browser.client.aclose()


@pytest.mark.parametrize("name", kursbuch.titles())
async def test_a_title_says_truly_whether_it_hides_anything(name: str) -> None:
    title = kursbuch.title(name)
    bot = make("random", 1)
    for place in (0, -1):
        options = {option.name: option.values[place] for option in title.options}
        names = ["Anna", "Bernd", "Clara"]
        game = kursbuch.new(name, names, 1, options=options)
        for _ in range(20):
            shown = game.view(None).state is not game.state
            assert title.hides(game.options) == shown
            game.apply(bot.choose(game.view(game.pending[0].seat)))


async def test_the_games_with_secrets_are_the_ones_tested() -> None:
    hiding = {
        name
        for name, title in kursbuch.titles().items()
        if title.hides({option.name: option.values[-1] for option in title.options})
    }
    assert hiding == {title for title, *_ in HIDDEN.values()} | {WRITTEN}
