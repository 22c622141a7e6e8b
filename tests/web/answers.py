"""Everything a browser can get of a table, for tests of what must stay secret."""

from __future__ import annotations

import itertools
import re
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from litestar.routes import HTTPRoute

import kursbuch
from kursbuch.core.actions import Action
from kursbuch.core.game import SNAPSHOT_EVERY, Game, Reading
from kursbuch.web.ai import routes
from kursbuch.web.live import fragments
from kursbuch.web.settings import Settings
from kursbuch.web.tables import boards, store
from tests.seeds import Seeds
from tests.web.visitors import Browser, Server, seated

#: Addresses that are not about a table.
ELSEWHERE = re.compile(
    "/(static|favicon.ico|schema|rules|new|health|ready|api/titles|titles|push.js|learn|aid|legend"
    "|login|register|people|account|admin|unsubscribe)"
)

#: What says since when tables wait for someone, and for whose browser a small picture is. The head of a chain of
#: hashes is another one for every secret, but without the salt it does not tell which (tests/core/test_chain.py).
STAMP = re.compile(
    r'(?:data-stamp=|"stamp":)"[0-9a-f]{12}"|(?<=[0-9])[.][0-9a-f]{12}(?=&)'
    r'|(?<=<code>)[0-9a-f]{64}(?:-[0-9]+)?(?=</code>)|"head":"[0-9a-f]{64}(?:-[0-9]+)?"'
)

#: Of this many elements and choices is asked what they are and bring.
MOST_ASKED = 6

#: What is asked in these, the page and its live part in each.
LANGUAGES = ("en", "de")


def fix_seed(monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    """Give the tables that are opened from now on this seed."""
    monkeypatch.setattr(store, "secrets", Seeds(itertools.repeat(seed), ids=seed))


def stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a test takes, no one is away for it: that would make a difference between tables."""
    monkeypatch.setattr("kursbuch.web.live.presence.PRESENT", timedelta(hours=1))


def forget() -> None:
    """Drawings, fragments and hints that are kept are forgotten."""
    routes.ADVICE.clear()
    fragments.FRAGMENTS.clear()
    boards.DRAWN.clear()
    boards.LAST.clear()


def everywhere(game: Game, change: Callable[[Any], None]) -> None:
    """Change the present state of a game and every one that is kept for its history."""
    change(game.state)
    for number, data in game.states.items():
        state = game.title.decode(data)
        change(state)
        game.states[number] = game.title.encode(state)
    kept = {number: game.title.decode(data) for number, data in game.states.items()}
    for number in range(len(game.readings)):
        near = kept[number - number % SNAPSHOT_EVERY]
        state = game.state if number == len(game.moves) else near
        game.readings[number] = Reading(game.title.worth(state), game.title.levels(state))


def addresses(server: Server, table: str, title: str, moves: int) -> list[str]:
    """Every address of the server that says something about a table."""
    table_id = table.removeprefix("/t/")
    found = [
        f"{table}?log=all",
        f"{table}/live?log=all",
        f"/routes/{title}?table={table_id}",
        *(f"{table}/board.svg?move={number}" for number in _some(moves)),
        *(f"{table}/numbers?move={number}" for number in _some(moves)),
        *(f"{table}/numbers.csv?move={number}" for number in _some(moves)),
    ]
    for route in server.app.routes:
        if not isinstance(route, HTTPRoute) or "GET" not in route.methods:
            continue
        path = route.path_format
        if ELSEWHERE.match(path) or path.endswith("/events"):
            continue
        values = {"table_id": table_id, "title": title, "token": "x", "own": "x"}
        for number in _some(moves) if "{number}" in path else [0]:
            for seat in (0, 1) if "{seat}" in path else [0]:
                found.append(path.format(number=number, seat=seat, **values))
    return found


def _some(moves: int) -> Iterable[int]:
    return sorted({min(7, moves), max(0, moves - 1), moves})


async def answers(
    server: Server, table: str, person: Browser, tried: Iterable[dict[str, Any]] = ()
) -> dict[str, str]:
    """Everything a browser can get of a table, and what it is told when it tries these actions, which
    must be refused."""
    game = await person.game(table)
    found = {}
    shown = (table, f"{table}/live", f"/api/tables{table[2:]}")
    for number, path in enumerate(addresses(server, table, game["title"], game["number"])):
        # The same addresses come in the same order, so two games are asked alike.
        both = path.partition("?")[0] in shown
        for language in LANGUAGES if both else LANGUAGES[number % 2 :][:1]:
            headers = {"accept": "text/html", "accept-language": language}
            answer = await person.client.get(path, headers=headers)
            assert answer.status_code < 500, path
            found[f"{path} {language}"] = f"{answer.status_code} {answer.text}"
    for path, answer in await asked(table, person, game):
        assert answer.status_code < 500, path
        found[path] = f"{answer.status_code} {answer.text}"
    for number, action in enumerate(tried):
        for path in (f"{table}/move", f"/api/tables{table[2:]}/move"):
            refused = await person.send(path, number=game["number"], action=action)
            assert 400 <= refused.status_code < 500, action
            found[f"{path} {number}"] = refused.text
    async for event in person.events(table):
        found["events"] = str(sorted(event.items()))
        break
    # Every server has a port of its own, and tables wait since moments of their own.
    return {key: STAMP.sub("", text.replace(person.url, "")) for key, text in found.items()}


async def asked(
    table: str, person: Browser, game: dict[str, Any]
) -> list[tuple[str, httpx.Response]]:
    """What is told to someone who points at some of the elements of the board and of the choices, and
    what some of his choices would bring."""
    board = (await person.client.get(f"{table}/board.svg")).text
    drawn = sorted(set(map(unescape, re.findall(r'data-pick="([^"]*)"', board))))
    found = []
    for key in drawn[:: len(drawn) // MOST_ASKED + 1]:
        answer = await person.client.get(f"{table}/why", params={"key": key})
        found.append((f"why {key}", answer))
    choices = game["choices"]
    for choice in choices[:: len(choices) // MOST_ASKED + 1]:
        sent = {"number": game["number"], "action": choice["action"]}
        answer = await person.client.post(f"{table}/foresee", json=sent)
        found.append((f"foresee {choice['action']}", answer))
    return found


@asynccontextmanager
async def at_table(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    title: str,
    seed: str,
    actions: Sequence[Action],
    **fields: Any,
) -> AsyncIterator[tuple[Server, str, list[Browser]]]:
    """A game of three people at their own devices in which they have done this, and someone who
    watches."""
    forget()
    fix_seed(monkeypatch, seed)
    stay(monkeypatch)
    folder.mkdir(exist_ok=True)
    settings = Settings(database=str(folder / "tables.sqlite3"), bot_processes=1)
    async with Server(settings) as server:
        people = [Browser(server.url) for _ in range(4)]
        try:
            fields = {"title": title, "undo": "free", **fields}
            table = await people[0].open("me Anna", "open", "open", **fields)
            await seated(table, *people[1:3])
            for number, action in enumerate(actions):
                data = kursbuch.title(title).action_to_json(action)
                await people[action.seat].done(f"{table}/move", number=number, action=data)
            for person in people:
                await person.page(table)
            yield server, table, people
        finally:
            for person in people:
                await person.client.aclose()


def impossible(game: Game, actions: list[Action], seat: int) -> list[dict[str, Any]]:
    """Actions of every kind the seat cannot do now."""
    title = game.title
    legal = game.legal_actions(seat)
    kinds: dict[tuple[object, ...], Action] = {}
    for action in actions:
        mine = msgspec.structs.replace(action, seat=seat)
        for amount in (None, 0, 9, 10_000):
            tried = mine
            if amount is not None and action.AMOUNT:
                field: Any = {action.AMOUNT: amount}
                tried = msgspec.structs.replace(mine, **field)
            if not any(choice.covers(tried) for choice in legal):
                kinds[type(tried), amount] = tried
    return [title.action_to_json(action) for action in kinds.values()]
