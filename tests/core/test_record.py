"""Records: written, read, equal; and every corrupt one refused with one clear sentence."""

from __future__ import annotations

import random
import re
from functools import lru_cache

import pytest

import kursbuch
from kursbuch.core.errors import KursbuchError, RecordError
from kursbuch.core.game import Game
from kursbuch.core.record_format import HEADING, format_result
from kursbuch.core.title import Result
from kursbuch.games.rocket import TITLE
from kursbuch.games.rocket.components import standard_data
from tests.records import unchained


@lru_cache
def played(moves: int = 10_000, seed: int = 21) -> Game:
    rng = random.Random(seed)
    game = kursbuch.new("rocket", ["Anna", "Bernd", "Clara"], seed, {"money": "hidden"})
    while len(game.moves) < moves and not game.over:
        decision = rng.choice(game.pending)
        choice = rng.choice(game.legal_actions(decision.seat))
        game.apply(rng.choice(list(choice.actions())))
    return game


def refused(text: str) -> RecordError:
    """The error for a record; its text must be one sentence a person can read."""
    with pytest.raises(RecordError) as error:
        kursbuch.load(text)
    sentence = str(error.value)
    assert "\n" not in sentence
    assert 10 < len(sentence) < 500
    assert "Traceback" not in sentence
    assert error.value.line >= 1
    return error.value


def with_line(text: str, start: str, new: str | None) -> str:
    """The record with the first line that begins so replaced (None: left out)."""
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(start))
    lines[at : at + 1] = [] if new is None else new.split("\n")
    return "\n".join(lines) + "\n"


def line_of(text: str, start: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(start))


@pytest.mark.parametrize("moves", [0, 1, 30, 10_000])
def test_written_read_and_equal(moves: int) -> None:
    game = played(moves)
    text = game.record()
    again = kursbuch.load(text)
    assert again.state == game.state
    assert (again.names, again.options, again.seed_hash) == (
        game.names,
        game.options,
        game.seed_hash,
    )
    assert [move.action for move in again.moves] == [move.action for move in game.moves]
    assert [move.events for move in again.moves] == [move.events for move in game.moves]
    assert again.opening == game.opening
    assert again.record() == text
    assert kursbuch.load("\ufeff" + text.replace("\n", "\r\n")).state == game.state


def test_the_seed_is_in_the_record_of_a_finished_game_only() -> None:
    assert "\nseed: 21\n" in played().record()
    assert "\nseed: " not in played(30).record()
    assert "\nseed: " not in played().record(reveal=False)
    assert kursbuch.load(played().record(reveal=False)).state == played().state


def test_what_a_record_looks_like() -> None:
    lines = played().record().splitlines()
    assert lines[:2] == [HEADING, "title: rocket"]
    assert "seat 2: Bernd" in lines
    blank = lines.index("")
    assert re.fullmatch(r"draw [123] of 3", lines[blank + 1])
    assert re.fullmatch(r"1\. (Anna|Bernd|Clara) .+", lines[blank + 2])
    (result,) = (number for number, line in enumerate(lines) if line.startswith("result: Anna "))
    assert re.fullmatch(r"check header: title [0-9a-f]{4}, .+", lines[result + 1])
    assert [line.split(" ")[1] for line in lines[result + 2 :]] == [
        f"{number}:" for number in range(0, len(played().moves) + 1, 20)
    ]
    assert format_result(Result((5, 5), (0, 1)), ("A", "B")) == "A 5 (winner), B 5 (winner)"


def test_an_unfinished_game_goes_on_after_loading() -> None:
    game = kursbuch.load(played(30).record(reveal=True))
    seat = game.pending[0].seat
    game.apply(next(game.legal_actions(seat)[0].actions()))
    assert len(game.moves) == 31
    game.undo()
    assert game.state == played(30).state


def test_progress_is_reported() -> None:
    seen: list[tuple[int, int]] = []
    text = played(30).record()
    kursbuch.load(text, progress=lambda done, total: seen.append((done, total)))
    assert len(seen) == 30
    assert seen[-1][0] <= seen[-1][1] == len(text.splitlines())


# ---- moves


def test_a_changed_move_is_refused_at_that_move_with_a_rule() -> None:
    text = played().record()
    error = refused(with_line(text, "15. ", "15. " + _other(text, 15)))
    assert error.line == line_of(text, "15. ")
    assert error.rule == "rocket:setup-1"
    assert str(error) == (
        f"Line {error.line}: There is no hex Z9 on the map. (rule rocket:setup-1)"
    )


def _other(text: str, number: int) -> str:
    name = text.splitlines()[line_of(text, f"{number}. ") - 1].split()[1]
    return f"{name} builds Z9"


def test_every_move_changed_in_turn_is_refused_or_found_out_later() -> None:
    """A move replaced by an impossible one is refused at its line."""
    text = played(60).record()
    for number in range(1, 61, 7):
        state = played(60).at(number - 1)
        seat = state.pending()[0].seat
        wrong = "takes Leeds" if state.pending()[0].step == "turn" else "takes London"
        name = played(60).names[seat]
        error = refused(with_line(text, f"{number}. ", f"{number}. {name} {wrong}"))
        assert error.line == line_of(text, f"{number}. ")
        assert error.rule.startswith("rocket:")
        assert error.rule in str(error)


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("5. Zoe takes London", "does not begin with the name of a player"),
        ("5. Anna dances", "is not a move; moves are"),
        ("6. Anna takes London", "should be move number 5"),
        ("Anna takes London", "is neither a move nor a draw nor the result"),
        ("5.", "is neither a move nor a draw nor the result"),
        ("5. ", "is neither a move nor a draw nor the result"),
        ("\x00\x01\x02", "is neither a move nor a draw nor the result"),
    ],
)
def test_lines_that_are_no_moves(new: str, why: str) -> None:
    text = played(30).record()
    error = refused(with_line(text, "5. ", new))
    assert error.line == line_of(text, "5. ")
    assert why in str(error)
    assert f"Line {error.line}" in str(error)


def test_missing_and_exchanged_moves() -> None:
    text = played(30).record()
    assert "should be move number 5" in str(refused(with_line(text, "5. ", None)))
    lines = text.splitlines()
    at = line_of(text, "5. ") - 1
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    assert refused("\n".join(lines)).line == at + 1


def test_a_cut_record() -> None:
    text = played().record()
    short = text[: text.index("result: ")]
    assert str(refused(short)) == "The game is over, but the record has no result."
    assert refused(short).line == line_of(text, "result: ")
    middle = "\n".join(text.splitlines()[:40])
    assert not kursbuch.load(middle).over  # the record of an unfinished game


# ---- result


def test_a_wrong_result() -> None:
    text = played().record()
    score = int(re.findall(r"Anna (\d+)", text)[-1])
    wrong = text.replace(f"result: Anna {score}", f"result: Anna {score + 1000}")
    error = refused(wrong)
    assert error.line == line_of(text, "result: ")
    assert f"the result of these moves is Anna {score}" in str(error)
    assert refused(with_line(text, "result: ", "result: ")).line == error.line


def test_a_result_too_early_and_lines_after_it() -> None:
    assert "the game is not over" in str(refused(played(30).record() + "result: Anna 5\n"))
    for more in ("result: Anna 5", "99. Anna takes London", "draw 1 of 3", "x"):
        assert "comes after the result" in str(refused(played().record() + more + "\n"))


# ---- draws and seed


def test_a_changed_draw_is_found_out() -> None:
    text = played().record()
    draw = next(line for line in text.splitlines() if line.startswith("draw "))
    other = "draw 1 of 3" if draw != "draw 1 of 3" else "draw 2 of 3"
    refused(with_line(text, "draw ", other))
    short = kursbuch.new("rocket", ["Anna", "Bernd", "Clara"], 21).record(reveal=True)
    assert "Draw number 1 does not come from the seed" in str(
        refused(with_line(short, "draw ", other))
    )


@pytest.mark.parametrize(
    ("new", "why"),
    [
        (None, "has no draw number 1"),
        ("draw 0 of 3", "is 0, which is not between 1 and 3"),
        ("draw 4 of 3", "is 4, which is not between 1 and 3"),
        ("draw 1 of 2", "is one out of 2, but here the game draws one out of 3"),
        ("draw 1 of 3\ndraw 1 of 3", "the game makes no draw here"),
        ("draw 1 from 3", "has no draw number 1"),
    ],
)
def test_draws_that_do_not_fit(new: str | None, why: str) -> None:
    for moves in (0, 30):
        text = played(moves).record()
        assert why in str(refused(with_line(text, "draw ", new)))


def test_a_draw_in_the_wrong_place() -> None:
    text = played(30).record()
    draw = next(line for line in text.splitlines() if line.startswith("draw "))
    error = refused(with_line(text, "draw ", None) + draw + "\n")
    assert "should be draw number 1" in str(error)


def test_a_changed_seed_or_hash() -> None:
    text = played().record()
    sentence = "The seed in the record does not match its seed hash."
    assert str(refused(with_line(text, "seed: ", "seed: 22"))) == sentence
    assert str(refused(with_line(text, "seed hash: ", "seed hash: " + "0" * 64))) == sentence


# ---- header


@pytest.mark.parametrize(
    ("start", "new", "why"),
    [
        ("Kursbuch", "Kursbuch record 2", "this is not a Kursbuch record"),
        ("Kursbuch", None, "this is not a Kursbuch record"),
        ("title", None, 'The header has no line "title: …"'),
        ("data", None, 'The header has no line "data: …"'),
        ("seed hash", None, 'The header has no line "seed hash: …"'),
        ("title", "title: 1899", "There is no title 1899"),
        ("title", "title: rocket\ntitle: rocket", "cannot have 'title' here"),
        ("title", "title:", "is not of the form"),
        ("title", "title rocket", "is not of the form"),
        ("data", "data: 123", "component data other than"),
        ("seat 2", None, "the seats are not numbered in order"),
        ("seat 3", None, "here the game draws one out of 2"),
        ("seat 3", "seat 4: Clara", "the seats are not numbered in order"),
        ("seat 3", "seat 3: anna", "cannot both be called anna"),
        ("seat 3", "seat 3: " + "x" * 41, "is too long"),
        ("seat 3", "seat 3: Clara\nseat 4: Dirk\nseat 5: Else", "for 2 to 4 players, not for 5"),
        ("option halves", "option halves: thirds", "The option halves cannot be thirds"),
        ("option halves", "option quarters: exact", "has no option quarters"),
        ("option halves", "option halves: exact\noption halves: rounded", "cannot have"),
        ("seed hash", "seed hash: 1\nmood: good", "cannot have 'mood' here"),
        ("seed hash", "seed hash: abc", "64 digits from 0 to f"),
        ("", "", 'The header has no line "title: …"'),
    ],
)
def test_a_broken_header(start: str, new: str | None, why: str) -> None:
    text = played(5).record()
    bare = HEADING + "\n\n" + text.split("\n\n")[1]
    broken = with_line(text, start, new) if start else bare
    assert why in str(refused(broken))


@pytest.mark.parametrize(
    ("start", "new"),
    [
        ("title", "title: 1899"),
        ("data", "data: 123"),
        ("option railway_towns", "edition: x"),
        ("option railway_towns", "edition: 99"),
        ("option railway_towns", "option halves: thirds"),
        ("seat 2", "seat 2: anna"),
        ("seat 3", "seat 3: Clara\nseat 4: Dirk\nseat 5: Else"),
        ("seed hash", "seed hash: abc"),
        ("seed: ", "seed: 22"),
        ("seed: ", "seed: " + "x" * 201),
        ("seed: ", "copied: 999 " + "0" * 64),
        ("draw ", "draw 4 of 3"),
        ("draw ", "draw 1 of 2"),
        ("draw ", "draw 1 of 3"),
        ("1. ", "edition 99"),
    ],
)
def test_the_line_that_is_wrong_is_named(start: str, new: str) -> None:
    """Not one that only follows from it: the draw decides who begins, so that another one makes move 1 illegal."""
    text = with_line(played().record().replace("option halves: rounded\n", ""), start, new)
    assert refused(text).line == line_of(text, new.split("\n")[-1])


def test_a_draw_after_a_move_that_is_wrong_or_missing() -> None:
    game = kursbuch.new("dice", ["Anna", "Bernd"], 7)
    game.apply(next(iter(game.legal_actions(0)[0].actions())))
    head, moves = unchained(game.record()).split("\n1. ")
    line, *draws = moves.splitlines()
    assert len(draws) > 1
    for changed, wrong in (
        ([*draws[:-1], "draw 9 of 9"], len(draws)),
        ([*draws[:-1], "x", draws[-1].replace(" of ", " of 1")], 0),
    ):
        text = "\n".join((f"{head}\n1. {line}", *changed))
        assert refused(text).line == line_of(text, "1. ") + wrong


def test_without_the_empty_line_after_the_header() -> None:
    assert "is not of the form" in str(refused(played(5).record().replace("\n\n", "\n", 1)))


# ---- what is no record at all


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "hello",
        "\x00" * 1000,
        bytes(range(256)).decode("latin-1") * 50,
        "{" * 5000,
        '{"title": "rocket"}',
        HEADING,
        HEADING + "\n" + "x" * 100_000,
        "x" * 3_000_000,
    ],
)
def test_junk(text: str) -> None:
    refused(text)


def test_a_huge_record() -> None:
    text = played(5).record()
    assert "more than 100000 lines" in str(refused(text + "\n" * 100_001))
    assert "more than 1000 characters" in str(refused(text + "6. Anna takes " + "x" * 100_000))
    long = with_line(text, "5. ", "5. " + "x" * 900)
    assert len(str(refused(long))) < 400


def test_random_corruption_never_ends_in_another_error() -> None:
    """A character, a line or a piece changed anywhere: the same game, or one clear sentence."""
    rng = random.Random(1)
    text = played(25).record()
    sentences: set[str] = set()
    for _ in range(150):
        at = rng.randrange(len(text))
        piece = rng.choice(["", "x", "\n", "9", " ", "\x85", "é", text[at : at + 30] * 2])
        broken = text[:at] + piece + text[at + rng.randint(1, 4) :]
        try:
            game = kursbuch.load(broken)
        except RecordError as error:
            sentences.add(str(error))
        else:
            assert len(game.moves) <= 25
    assert len(sentences) > 20
    assert not any("\n" in sentence for sentence in sentences)


def test_records_with_other_component_data() -> None:
    data = standard_data().replace(b'"per_line": 16', b'"per_line": 12')
    game = kursbuch.new("rocket", ["A", "B"], 7, data=data)
    assert game.state.ledger.held("share:GWR", "stock") == 12
    assert kursbuch.load(game.record(), data=data).state == game.state
    for text, other in ((game.record(), None), (played(5).record(), data)):
        with pytest.raises(KursbuchError, match="played with component data other than that given"):
            kursbuch.load(text, data=other)
    assert not game.title.data_is_standard
    assert TITLE.data_is_standard
