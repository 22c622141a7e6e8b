"""Corrections: what a moderator puts right is an entry of the record like a move."""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import kursbuch
from kursbuch.bots.bot import RandomBot
from kursbuch.core.corrections import NOBODY, Correct, Corrected, Kind, TooLittle
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.record import setup_position
from kursbuch.core.stats import GameStats
from kursbuch.core.voice import Voice
from tests.core.corrected_games import play

#: More games with every title, for a long run.
GAMES = int(os.environ.get("KURSBUCH_TEST_CORRECTIONS", "1"))

TITLES = [("rocket", 3), ("nimm", 4), ("dice", 3), ("1835", 3), ("1853", 4)]


@pytest.mark.parametrize(("title", "seats"), TITLES)
def test_corrected_games_go_on_to_the_end_and_replay(title: str, seats: int) -> None:
    made: Counter[str] = Counter()
    for seed in range(GAMES):
        game, kinds = play(title, seats, seed)
        made.update(kinds)
        again = kursbuch.load(game.record())
        assert again.state == game.state
        assert again.moves == game.moves
        assert again.result == game.result
        voice = game.title.voice(kursbuch.Words("en", game.names))
        numbers = GameStats(game, voice)
        scores = game.title.scores(game.state)
        sums = [sum(each.amounts[seat] for each in numbers.accounts) for seat in range(len(scores))]
        assert sums == list(scores), "the sources of the scores add up to them"
    assert sum(made.values()) > 3
    if GAMES > 5:
        assert set(made) == {kind.name for kind in game.title.corrections}


@pytest.mark.parametrize(("title", "seats"), TITLES)
def test_every_kind_is_told_in_words(title: str, seats: int) -> None:
    game = kursbuch.new(title, players=["Anna", "Bernd", "Clara", "Dirk"][:seats], seed=1)
    for language in ("en", "de"):
        voice: Voice[object] = game.title.voice(kursbuch.Words(language, game.names))  # type: ignore[type-var]
        assert {kind.name for kind in voice.corrections} == {
            kind.name for kind in game.title.corrections
        }
        for kind in game.title.corrections:
            assert voice.correction(type(kind), {})
            assert set(kind.chosen(["x"] * len(kind.fields))) == {f.name for f in kind.fields}
            assert kind.write([f.name.upper() for f in kind.fields]) == kind.shape()


def rocket() -> kursbuch.Game:
    """A game in which it is someone's turn."""
    return kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)


def test_a_line_names_players_and_who_corrects() -> None:
    game = rocket()
    wanted = Correct(NOBODY, "money", ("bank", "player 2", "3000"), "Clara")
    assert game.parse("Correction by Clara: money 3000 from bank to player 2") == wanted
    assert game.parse("correction by Clara:  MONEY 3000 from Bank to bernd") == wanted
    assert game.format(wanted) == "Correction by Clara: money 3000 from bank to player 2"
    for line, why in {
        "Correction: money 3000 from Hugo to Bernd": "Hugo",
        "Correction: money 0 from bank to Bernd": "number from 1",
        "Correction: share 1 GWR from Anna to stock": "possible",
        "Correction: share 17 GWR from stock to Anna": "from 1 to",
        "Correction: hello": "is not a correction. Corrections begin with one of these words: money, sh",
        "Correction: money for Bernd": "like this: money COUNT from SOURCE to TARGET\\.$",
    }.items():
        before = game.title.encode(game.state)
        with pytest.raises(KursbuchError, match=why):
            game.apply(game.parse(line))
        assert game.title.encode(game.state) == before
    with pytest.raises(KursbuchError, match="cannot be called"):
        kursbuch.new("rocket", players=["Correction:", "Bernd"], seed=7)


#: What stands in no field, or not in every one.
WRONG = ("XX", "player 9", "bank", "A1", "0", "7")


@pytest.mark.parametrize(("title", "seats"), TITLES)
def test_whatever_stands_in_a_line_is_carried_out_or_refused_in_a_sentence(
    title: str, seats: int
) -> None:
    rng = random.Random(title)
    game = kursbuch.new(title, players=["Anna", "Bernd", "Clara", "Dirk"][:seats], seed=1)
    bot = RandomBot(1)
    refusals = []
    for _ in range(2):
        for kind in game.title.corrections:
            for _ in range(30):
                line = kind.write(any_values(kind, game, rng))
                try:
                    game.position.clone().apply(game.parse_correction(line))
                except KursbuchError as error:
                    refusals.append(str(error))
        for _ in range(25):
            game.apply(bot.choose(game.view(game.pending[0].seat)))
    assert refusals
    assert not [sentence for sentence in refusals if "{" in sentence]


def any_values(kind: Kind[Any], game: kursbuch.Game, rng: random.Random) -> list[str]:
    """Values for the fields of a kind: possible ones up to one that is not."""
    chosen: dict[str, str] = {}
    possible = True
    for field in kind.fields:
        offered: Sequence[str] = ()
        if possible and not field.is_number:
            offered = kind.candidates(game.state, field.name, chosen)
        possible = rng.random() < 0.75 and bool(offered or field.is_number)
        wrong = "8" if field.is_number else rng.choice(WRONG)
        chosen[field.name] = rng.choice(offered) if possible and offered else wrong
    return [*chosen.values()]


def test_a_correction_is_nobody_s_and_only_while_the_game_goes_on() -> None:
    game = rocket()
    for action in (
        Correct(0, "money", ("bank", "player 2", "3000")),
        Correct(NOBODY, "weather", ()),
        Correct(NOBODY, "money", ("bank",)),
        *(
            Correct(NOBODY, "money", ("bank", "player 2", "3000"), by)
            for by in ("a: b", "a\nb", " ", "a\u2028b", "  a  b", "x" * 100)
        ),
    ):
        with pytest.raises(IllegalAction):
            game.apply(action)
    while not game.over:
        seat = game.pending[0].seat
        game.apply(game.legal_actions(seat)[0].action)
    with pytest.raises(IllegalAction, match="over"):
        game.apply(Correct(NOBODY, "money", ("bank", "player 2", "3000")))


def test_what_is_hidden_is_not_told() -> None:
    game = kursbuch.new("rocket", players=["Anna", "Bernd"], options={"money": "hidden"}, seed=7)
    game.apply(game.parse_correction("money 5000 from bank to Bernd"))
    money = game.title.corrections[0]
    for state in (game.state, game.view(0).state, game.view(None).state):
        assert list(money.candidates(state, "source", {})) == ["player 1", "player 2", "bank"]
        chosen = {"source": "player 2", "target": "bank"}
        assert money.most(state, "count", chosen) > 5000
    assert money.problem(game.view(0).state, ("player 2", "bank", "6000")) is None
    with pytest.raises(TooLittle, match=r"^There is not that much there\.$"):
        game.apply(game.parse_correction("money 6000 from Bernd to bank"))
    event = game.apply(game.parse_correction("money 5000 from Bernd to Anna"))[0]
    assert isinstance(event, Corrected)
    assert event.amounts == (5000, -5000)


DOCS = Path(__file__).parents[2] / "docs"


def documented() -> Iterator[tuple[str, str, str]]:
    """The lines of text in docs/notation.md, with the title and the kind they stand for."""
    titles: list[str] = []
    for line in (
        (DOCS / "notation.md").read_text("utf-8").partition("\n## Corrections")[2].split("\n")
    ):
        cells = line.split(" | ")
        if len(cells) < 3:
            continue
        heading = cells[0].removeprefix("| ")
        if not heading.startswith("`"):
            known = {title.name: id_ for id_, title in kursbuch.titles().items()}
            titles = [known[name] for name in known if name in heading] or titles
            continue
        names = [name.strip(" `|") for name in cells[1].split(",")]
        for text, name in zip(re.findall(r"`([^`]+)`", cells[0]), names, strict=True):
            yield titles[0], text, name


def test_the_notation_is_as_documented() -> None:
    found = list(documented())
    for title, text, name in found:
        if "…" in text:
            continue
        game = kursbuch.new(title, players=["Anna", "Bernd", "Clara"], seed=7)
        action = game.parse_correction(text)
        assert action.kind == name, text
        assert game.format(action) == f"Correction: {text}"
    for one in kursbuch.titles().values():
        if one.id == "1853":
            continue  # stands with 1835
        told = {name for id_, _, name in found if id_ == one.id}
        assert told == {kind.name for kind in one.corrections}, one.id


def test_names_may_hold_what_begins_a_comment() -> None:
    game = kursbuch.new("rocket", players=["Anna #1", "Anna"], seed=7)
    text = "#nothing\n# nor this\nmoney 100 from bank to Anna #1  # she had it\nmoney 50 from bank to Anna #"
    setup_position(game, text)
    assert [game.state.ledger.held("money", str(seat)) for seat in range(2)] == [100, 50]


def test_a_documented_position_can_be_set_up() -> None:
    text = (DOCS / "records.md").read_text("utf-8").partition("# 1835 after the")[2]
    game = kursbuch.new("1835", players=["Anna", "Bernd", "Clara"], seed=7)
    made = setup_position(game, "#" + text.partition("```")[0])
    assert len(made) > 8
    assert game.pending[0].seat == 0
