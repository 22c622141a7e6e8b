"""Games of Rails-18xx: recorded ones equal the recorded states after every action."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

import kursbuch
from kursbuch.cli import main
from kursbuch.core.registry import Imported
from kursbuch.games.g18xx.g1835 import TITLE, rails18xx
from kursbuch.games.g18xx.g1835.rails18xx import import_rails
from kursbuch.games.g18xx.rails18xx import read
from tests.games.g18xx.g1835.recorded import (
    GAMES,
    Differences,
    compared,
    facts_of,
    recorded_facts,
    states,
)
from tests.games.g18xx.peer import FOLDER

pytestmark = pytest.mark.skipif(not GAMES, reason=f"needs the recorded games in {FOLDER}")

#: Where a recorded game differs from the book without any option for it: game, action, what may
#: differ, and why.
DEVIATIONS = [
    (
        "1835_SellDoubleShare",
        (449, 450),
        "all",
        "With the first 5-train companies hand in surplus trains before the exchanges into Prussia.",
    ),
]

#: What ours has done already where it carries out by itself what that program does with its next
#: action: minors share their revenue, turns without a choice end, rounds go on.
AHEAD = ("cash", "bank", "revenue", "price", "round", "priority", "trains")

#: The options each of the games needs.
OPTIONS = {
    "1835_Issue129done": {"free-track", "group3-without-prussia", "same-price"},
    "1835_SellDoubleShare": {"free-track", "packet", "unlimited-tiles"},
    "1835_SellPresidency": {"packet", "same-price"},
    "1835_Stoll_12": {"free-track", "packet", "same-price"},
}

#: The tiles and markers that do not connect.
UNCONNECTED = {
    "1835_Issue129done": [299],
    "1835_SellDoubleShare": [
        *(87, 122, 132, 165, 168, 174, 183, 187, 236),
        *(334, 349, 391, 397, 400, 423, 435, 438),
    ],
    "1835_SellPresidency": [],
    "1835_Stoll_12": [503],
}


def save(name: str) -> bytes:
    return (FOLDER / f"{name}.rails").read_bytes()


@cache
def imported(name: str) -> Imported:
    return import_rails(TITLE, save(name))


def excused(name: str, action: int, what: str) -> bool:
    """Whether a difference is one of `DEVIATIONS`. In games not known here it may lie between the
    questions of a formation of Prussia and the surplus trains that go with it, which have another
    order there; what they lead to must be the same again."""
    if name in OPTIONS:
        return any(
            name == game and action in actions and (keys == "all" or what in keys)
            for game, actions, keys, _ in DEVIATIONS
        )
    recorded = states(name)[action]
    return "Prussian" in recorded["round_class"] or recorded.get("or_step") == "DISCARD_TRAINS"


@pytest.mark.parametrize("name", GAMES)
def test_the_state_after_every_action_equals_the_recorded_one(name: str) -> None:
    found = imported(name)
    recorded = states(name)
    wrong: dict[int, Differences] = {}
    count = 0
    for action, all_different in compared(found, recorded):
        different = {
            what: values
            for what, values in all_different.items()
            if not excused(name, action, what)
            and not (action in found.ahead and what.endswith(AHEAD))
        }
        count += 1
        if different:
            wrong[action] = different
    assert not wrong
    assert found.done == found.actions
    assert count == len(found.reached) + 1
    if name in OPTIONS:
        assert count == len(recorded) == found.actions + 1
        # Everywhere else ours stands exactly where theirs does.
        assert len(found.ahead) < found.actions / 3


@pytest.mark.parametrize("name", GAMES)
def test_only_the_options_that_are_needed_are_set(name: str) -> None:
    found = imported(name)
    options = {
        option.name
        for option in TITLE.options
        if found.game.options[option.name] != option.values[0]
    }
    allowed = {str(remark.params["option"]): remark.actions for remark in found.remarks}
    assert set(allowed) <= options
    if name in OPTIONS:
        # Every option is needed somewhere, and it is said where.
        assert options == OPTIONS[name] == set(allowed) | (options & {"packet"})
        assert list(allowed.get("free-track", ())) == UNCONNECTED[name]


@pytest.mark.parametrize("name", GAMES)
def test_skipped_steps_need_not_be_in_the_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """That program leaves out steps without a choice, and does not have one everywhere we do."""
    saved = read(save(name))
    shorter = [
        act for act in saved.actions if not (act.kind == "NullAction" and act.mode == "SKIP")
    ]
    monkeypatch.setattr(rails18xx, "read", lambda data: saved._replace(actions=shorter))
    found = import_rails(TITLE, save(name))
    assert found.game.state == imported(name).game.state


@pytest.mark.parametrize("name", GAMES)
def test_the_record_replays_to_the_recorded_end(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game"
    assert main(["import", str(FOLDER / f"{name}.rails"), "-o", str(record), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["imported"] == told["actions"]
    assert told["stopped"] is None
    assert main(["replay", str(record), "--json"]) == 0
    replayed = json.loads(capsys.readouterr().out)
    assert replayed["ok"]
    assert replayed["moves"] == told["moves"]
    game = kursbuch.load(record.read_text("utf-8"))
    assert game.state == imported(name).game.state
    recorded = states(name)
    last = recorded_facts(recorded[max(imported(name).reached)], game.names)
    ours = facts_of(game.state, game.names)
    assert {what: ours[what] for what in last if what.endswith("cash")} == {
        what: value for what, value in last.items() if what.endswith("cash")
    }
