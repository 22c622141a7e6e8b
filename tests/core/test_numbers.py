"""Numbers over time, for every title: sources add up to scores, curves end at the result, and readers see
only what they may know."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.core.events import Payment
from kursbuch.core.game import Game
from kursbuch.core.stats import GameStats
from tests.bot_games import played_out

NAMES = ["Anna", "Bernd", "Clara", "Dov", "Emil", "Frieda", "Georg"]
TESTS = Path(__file__).parents[1]

#: Titles with options, numbers of players and seeds.
GAMES = [
    ("rocket", 2, 1, {}),
    ("rocket", 3, 2, {"halves": "exact", "railway_towns": "13"}),
    ("rocket", 4, 3, {"money": "hidden"}),
    ("nimm", 2, 1, {}),
    ("nimm", 4, 2, {"open_auction": "rounds"}),
    ("nimm", 6, 3, {}),
    ("dice", 2, 1, {}),
    ("dice", 3, 2, {}),
    ("dice", 4, 3, {}),
    ("1835", 3, 1, {}),
    ("1835", 4, 4, {"packet": "clemens", "pays-beyond-bank": "on"}),
    ("1835", 5, 3, {}),
    ("1835", 7, 7, {}),
    ("1853", 3, 1, {"bank": "7500"}),
    ("1853", 4, 4, {"illegal-contracts": "on"}),
    ("1853", 5, 2, {"bank": "10000"}),
]
ONE_EACH = [GAMES[2], GAMES[5], GAMES[8], GAMES[11], GAMES[15]]

RECORDS = [
    *sorted((TESTS / "editions").rglob("*.txt")),
    *sorted((TESTS / "games" / "nimm" / "records").glob("*.txt")),
    *sorted((TESTS / "games" / "dice" / "games").glob("*.txt")),
    *sorted((TESTS / "browser" / "games").glob("*.txt")),
]


@cache
def _played(title: str, seats: int, seed: int, options: tuple[tuple[str, str], ...]) -> Game:
    game = kursbuch.new(title, NAMES[:seats], seed, options=dict(options))
    spec = "greedy" if title in ("rocket", "dice") else "random"
    bots = [make(spec, seat) for seat in range(seats)]
    return played_out(game, bots)


def played(title: str, seats: int, seed: int, options: dict[str, str]) -> Game:
    """A whole game of computers."""
    return _played(title, seats, seed, tuple(sorted(options.items())))


def numbers(
    game: Game, seat: int | None = None, until: int | None = None, language: str = "en"
) -> GameStats:
    voice = game.title.voice(kursbuch.Words(language, game.names))
    return GameStats(game, voice, seat, until)


def sums(found: GameStats) -> list[int]:
    seats = range(found.state.seats)
    return [sum(account.amounts[seat] for account in found.accounts) for seat in seats]


def holds(game: Game) -> None:
    """Sources and curves agree with the scores now and at earlier moves."""
    for until in {len(game.moves), len(game.moves) // 2, 1}:
        found = numbers(game, until=until)
        scores = list(game.title.scores(game.at(until).state))
        if game.over:
            assert sums(found) == scores
            assert [found.worth(seat)[-1] for seat in found.known] == scores
        for seat in found.known:
            assert sums(found)[seat] == scores[seat]
            assert len(found.worth(seat)) == until + 1


@pytest.mark.parametrize(("title", "seats", "seed", "options"), GAMES)
def test_sources_add_up_to_scores(
    title: str, seats: int, seed: int, options: dict[str, str]
) -> None:
    game = played(title, seats, seed, options)
    assert game.result is not None
    assert sums(numbers(game)) == list(game.result.scores)
    holds(game)


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_recorded_games_add_up(file: Path) -> None:
    holds(kursbuch.load(file.read_text("utf-8")))


@pytest.mark.parametrize(("title", "seats", "seed", "options"), GAMES)
def test_sheets_are_whole(title: str, seats: int, seed: int, options: dict[str, str]) -> None:
    """Every line has as many entries as there are columns; the last worth is the result; what was
    received in all parts together is what was received."""
    game = played(title, seats, seed, options)
    assert game.result is not None
    found = numbers(game)
    for sheet in found.sheets:
        assert sheet.title
        assert all(len(line.entries) == len(sheet.head) for line in sheet.lines), sheet.id
        assert all(line.label for line in sheet.lines), sheet.id
    ids = [sheet.id for sheet in found.sheets]
    assert len(set(ids)) == len(ids)
    worth = found.sheet("worth")
    assert worth is not None
    assert tuple(entry.value for entry in worth.lines[-1].entries) == game.result.scores
    paid = [0] * seats
    for _, event in game.events():
        if isinstance(event, Payment):
            paid = [one + more for one, more in zip(paid, event.amounts, strict=True)]
    every = found.sheet("payments") or found.sheet("scorings")
    assert every is not None
    columns = zip(*(line.entries for line in every.lines), strict=True)
    assert [sum(entry.value or 0 for entry in column) for column in columns] == paid


@pytest.mark.parametrize(("title", "seats", "seed", "options"), GAMES)
def test_the_end_has_a_reason_of_the_book(
    title: str, seats: int, seed: int, options: dict[str, str]
) -> None:
    game = played(title, seats, seed, options)
    ending = numbers(game).ending
    assert ending is not None
    assert ending.text
    assert ending.rule in game.title.rules
    assert numbers(game, until=len(game.moves) - 1).ending is None
    assert numbers(game).highlights


@pytest.mark.parametrize(("title", "seats", "seed", "options"), ONE_EACH)
def test_the_end_is_announced(title: str, seats: int, seed: int, options: dict[str, str]) -> None:
    """Nothing is said about it at the beginning and when it has come; shortly before it is."""
    game = played(title, seats, seed, options)
    voice = game.title.voice(kursbuch.Words("en", game.names))
    states = [game.at(number).state for number in range(0, len(game.moves), 7)]
    assert voice.near_end(states[0]) == voice.near_end(game.state) == ""
    if title.isdecimal():
        broken = [state.broken for state in states]
        assert any(voice.near_end(state) for state in states)
        assert not any(
            voice.near_end(state) for state, gone in zip(states, broken, strict=True) if gone
        )
    else:
        assert voice.near_end(states[-1])


@pytest.mark.parametrize(("title", "seats", "seed", "options"), ONE_EACH)
def test_parts_end_before_the_next_begins(
    title: str, seats: int, seed: int, options: dict[str, str]
) -> None:
    """What is paid when a part begins belongs to it, though the move that ended the last one caused it."""
    game = played(title, seats, seed, options)
    found = numbers(game)
    opens = [number for number, event in game.events() if game.title.opens(event)]
    if not opens:
        return
    sheet = found.sheet("worth")
    assert sheet is not None
    assert [line.number for line in sheet.lines][:-1] == [n for n in opens if n or title == "nimm"]
    if title in ("nimm", "dice"):
        # All that changes a score there is a payment.
        for seat in range(seats):
            before = 0
            for stretch, line in zip(found.stretches, sheet.lines, strict=True):
                got = sum(
                    event.amounts[seat] for event in stretch.events if isinstance(event, Payment)
                )
                assert line.entries[seat].value == before + got
                before += got


def test_private_income_belongs_to_the_operating_round() -> None:
    """The stock round before ends without it, in the same move."""
    game = played("1835", 5, 3, {})
    sheet = numbers(game).sheet("worth")
    assert sheet is not None
    stock = next(n for n, line in enumerate(sheet.lines) if line.label == "stock round 2")
    assert [entry.note for entry in sheet.lines[stock].entries[:2]] == ["", ""]
    number = sheet.lines[stock].number
    assert number is not None
    incomes = next(
        event
        for event in game.moves[number - 1].events
        if isinstance(event, Payment) and any(event.amounts)
    )
    worth = game.readings[number].worth
    for seat, entry in enumerate(sheet.lines[stock].entries):
        assert worth[seat] == (entry.value or 0) + incomes.amounts[seat]


# ---- who may know what


@pytest.mark.parametrize(("title", "seats", "seed", "options"), ONE_EACH)
def test_only_what_may_be_known(title: str, seats: int, seed: int, options: dict[str, str]) -> None:
    whole = played(title, seats, seed, options)
    game = whole.branch(len(whole.moves) * 2 // 3)
    hides = title in ("rocket", "nimm", "dice")
    everybody = list(range(seats))
    for seat in (None, 0, seats - 1):
        found = numbers(game, seat)
        own = [] if seat is None else [seat]
        assert found.known == (own if hides else everybody)
        for other in set(everybody) - set(found.known):
            with pytest.raises(ValueError, match="may not be known"):
                found.worth(other)
            assert all(not account.amounts[other] for account in found.accounts)
            assert found.state.ledger.items.get("money", {}).get(str(other)) is None
        assert found.ending is None
    assert numbers(whole).known == everybody
    assert numbers(whole, until=len(game.moves)).known == everybody


# ---- the game keeps them


def test_readings_follow_the_moves() -> None:
    game = played("dice", 3, 2, {})
    copy = game.branch(30)
    assert copy.readings == game.readings[:31]
    copy.undo()
    assert len(copy.readings) == 30
    copy.apply(game.moves[29].action)
    assert copy.readings == game.readings[:31]
    again = kursbuch.load(game.record())
    assert again.readings == game.readings
    noted = game.branch(0)
    for move in game.moves:
        noted.replay(move.action, move.edition)
        if len(noted.moves) < 40 or len(noted.moves) > 60:
            noted.record_reading()
    assert noted.readings == game.readings
    for before, after in pairwise(again.readings):
        assert before is after or before != after


@pytest.mark.parametrize(("title", "seats", "seed", "options"), ONE_EACH)
def test_in_german_as_well(title: str, seats: int, seed: int, options: dict[str, str]) -> None:
    game = played(title, seats, seed, options)
    german, english = numbers(game, language="de"), numbers(game)
    assert german.ending is not None
    assert english.ending is not None
    assert german.ending.text != english.ending.text
    assert [row.label for row in german.highlights] != [row.label for row in english.highlights]
    for one, two in zip(german.sheets, english.sheets, strict=True):
        assert one.id == two.id
        assert one.title != two.title
        values = [[entry.value for entry in line.entries] for line in one.lines]
        assert values == [[entry.value for entry in line.entries] for line in two.lines]
