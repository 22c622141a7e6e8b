"""A game begun on cardboard goes on: a position of phase 3 is set up by corrections, and played on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import kursbuch
from kursbuch.bots.bot import RandomBot
from kursbuch.cli import main
from kursbuch.core.corrections import player
from kursbuch.core.errors import RecordError
from kursbuch.core.game import Game
from kursbuch.core.record import setup_position
from kursbuch.games.g18xx.components import BANK, MAP, PLAYERS, STACK
from kursbuch.games.g18xx.g1835.state import State1835
from kursbuch.games.g18xx.state import Build

NAMES = ("Anna", "Bernd", "Clara")


@cache
def in_phase_three() -> Game:
    """A game in which a company of phase 3 is about to lay track."""
    for seed in range(100):
        rng = random.Random(seed)
        game = kursbuch.new("1835", players=NAMES, seed=seed)
        while not game.over:
            step = game.state.agenda[-1]
            if isinstance(step, Build) and not step.laid:
                phase = game.title.ruleset.phase(game.state)  # type: ignore[attr-defined]
                if phase.number == 3 and not game.state.broken:
                    return game
            bot = RandomBot(rng.randrange(1 << 30))
            game.apply(bot.choose(game.view(game.pending[0].seat)))
    raise AssertionError("no game came so far")


def value(holder: str) -> str:
    """A holder of the ledger in a line of text."""
    return player(PLAYERS.index(holder)) if holder in PLAYERS else holder


def moved(fresh: State1835, wanted: State1835, item: str) -> Iterator[tuple[int, str, str]]:
    """How many of an item go from whom to whom."""
    have, want = dict(fresh.ledger.items[item]), dict(wanted.ledger.items[item])
    for target, count in want.items():
        missing = count - have.get(target, 0)
        for source in list(have):
            given = min(missing, have[source] - want.get(source, 0))
            if given > 0 and source != target:
                have[source] -= given
                missing -= given
                yield given, source, target


def described(fresh: State1835, wanted: State1835) -> Iterator[str]:
    """A position as lines of text."""
    items = list(fresh.ledger.items)
    for item in items:
        if item.startswith("paper:"):
            for _, source, target in moved(fresh, wanted, item):
                yield f"paper {item[6:]} from {value(source)} to {value(target)}"
    for item in items:
        company, _, name = item.partition(":")
        if company not in ("paper", "train", "marker") and name:
            for count, source, target in moved(fresh, wanted, item):
                yield f"share {count} {company} {name} from {value(source)} to {value(target)}"
    for item in items:
        if item.startswith("train:"):
            for count, source, target in moved(fresh, wanted, item):
                for _ in range(count):
                    places = [BANK if place == STACK else place for place in (source, target)]
                    yield f"train {item[6:]} from {places[0]} to {places[1]}"
    for count, source, target in moved(fresh, wanted, "money"):
        yield f"money {count} from {value(source)} to {value(target)}"
    for name, found in wanted.companies.items():
        if found.closed:
            yield f"company {name} closed"
        elif found.operating:
            yield f"company {name} {'has-worked' if found.worked else 'operates'}"
    for cell, stack in wanted.chart.items():
        for company in stack:
            elsewhere = next(each for each in ("E1", "F1", "G1") if each != cell)
            yield f"price of {company} at {elsewhere}"
            yield f"price of {company} at {cell}"
    for hex, laid in wanted.layout.tiles.items():
        yield f"tile {laid.tile} on {hex} turned {laid.rotation}"
    for company, hex, stop in wanted.layout.stations:
        yield f"station of {company} on {hex} city {stop + 1}"


def test_a_position_of_phase_three_is_set_up_and_played_on(tmp_path: Path) -> None:
    source = in_phase_three()
    wanted: State1835 = source.state
    ruleset = source.title.ruleset  # type: ignore[attr-defined]
    game = kursbuch.new("1835", players=NAMES, seed=7)
    step = wanted.agenda[-1]
    assert isinstance(step, Build)
    round_ = wanted.round
    lines = [
        "# as it lies on the table",
        *described(game.state, wanted),
        "",
        f"phase {ruleset.phase(wanted).id}",
        f"priority to {NAMES[wanted.priority]}  # by name",
        f"turn of {step.company} in operating round {round_.number} part {round_.part} of {round_.parts}",
    ]
    order = ruleset.control.order(wanted)
    acted = [name for name in order[order.index(step.company) :] if name in round_.acted]
    lines += [f"turn of {name} is over" for name in acted]
    assert len(lines) > 60
    made = setup_position(game, "\n".join(lines))
    assert len(made) == len(lines) - 2
    state: State1835 = game.state
    for item, row in wanted.ledger.items.items():
        if item.startswith("marker:"):
            continue
        assert state.ledger.items[item] == row, item
    assert state.layout.tiles == wanted.layout.tiles
    assert sorted(state.layout.stations) == sorted(wanted.layout.stations)
    for company in ruleset.public:
        mine, theirs = state.companies[company], wanted.companies[company]
        assert (mine.operating, mine.worked, mine.closed, mine.cell) == (
            theirs.operating,
            theirs.worked,
            theirs.closed,
            theirs.cell,
        )
        token = f"marker:{company}"
        assert state.ledger.held(token, MAP) == wanted.ledger.held(token, MAP)
    assert state.chart == wanted.chart
    assert (state.phase, state.priority) == (wanted.phase, wanted.priority)
    assert (round_.number, round_.part, round_.parts) == (
        state.round.number,
        state.round.part,
        state.round.parts,
    )
    assert [name for name in order if name in state.round.acted] == [
        name for name in order if name in round_.acted
    ]
    # The same can be done there as in the game it was taken from.
    assert [decision.seat for decision in game.pending] == [d.seat for d in source.pending]
    seat = game.pending[0].seat
    assert game.legal_actions(seat) == source.legal_actions(seat)
    # The command does the same, and its record goes on to the end.
    text, record = tmp_path / "position.txt", tmp_path / "game.txt"
    text.write_text("\n".join(lines), encoding="utf-8")
    names = ",".join(NAMES)
    assert main(["set-up", "1835", str(text), "--players", names, "-o", str(record)]) == 0
    going_on = kursbuch.load(record.read_text(encoding="utf-8"))
    assert going_on.state == game.state
    rng = random.Random(1)
    while not going_on.over:
        bot = RandomBot(rng.randrange(1 << 30))
        going_on.apply(bot.choose(going_on.view(going_on.pending[0].seat)))
    assert kursbuch.load(going_on.record()).result == going_on.result


def test_a_wrong_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = kursbuch.new("1835", players=NAMES, seed=7)
    for text, why in {
        "phase 1\nphase 9": "Line 2: '9' is not possible",
        "\n\n# nothing\nshare 9 SX 10 from stack to Anna": "Line 4: '9' is not a number from 1 to 8",
        "tile 57 on F14 turned 9": "Line 1",
        "Anna buys NF": "Line 1: 'Anna buys NF' is not a correction",
        "money 999999 from bank to Anna": "Line 1",
        "share 1 BY 10 from packet to Anna": "Line 1",
        "station of PR on A1 city 1": "Line 1",
        "turn of PR in operating round 1 part 1 of 1": "Line 1",
    }.items():
        with pytest.raises(RecordError, match=why.replace("?", r"\?")):
            setup_position(game, text)
    path = tmp_path / "wrong.txt"
    path.write_text("phase 9", encoding="utf-8")
    record = tmp_path / "game.txt"
    code = main(["set-up", "1835", str(path), "--players", ",".join(NAMES), "-o", str(record)])
    assert code == 2
    assert "Line 1: " in capsys.readouterr().err
    assert not record.exists()
