"""Reviews: on positions whose best move is known, and always the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import count
from pathlib import Path

import msgspec
import pytest

import kursbuch
from benchmarks import mistakes
from kursbuch.bots import make
from kursbuch.bots.bot import advantage, candidates
from kursbuch.bots.review import (
    Budget,
    Cause,
    Costly,
    Examination,
    Line,
    Look,
    Review,
    Turn,
    Verdict,
    budget_of,
    carry_out,
    review,
    weigh,
)
from kursbuch.bots.review.games import Lucky, Player
from kursbuch.bots.review.positions import Looked, Sample, Sampled, Survey
from kursbuch.bots.review.sentences import luck_of, lucky, reasons, turned, worth_of
from kursbuch.bots.worker_pool import LocalPool
from kursbuch.core.actions import Action
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.core.words import Words
from tests.bot_games import played_out

GAMES = Path(__file__).parents[1] / "browser" / "games"

#: Enough for positions near the end, and for a whole game.
ROUNDS = 8
FEW = Budget("few", "", playouts=400)

#: Larger trees are not solved.
MOST_POSITIONS = 400


@cache
def short_game() -> Game:
    game = kursbuch.new("nimm", ["Anna", "Bernd"], seed=11)
    bots = [make("random", 1), make("greedy", 2)]
    return played_out(game, bots)


@cache
def recorded(title: str) -> Game:
    return kursbuch.load((GAMES / f"{title}.txt").read_text("utf-8"))


def _look(game: Game, number: int) -> Look:
    examination = Examination(game, FEW)
    return Look(at=examination._asked(number), rounds=ROUNDS, unsure=0.0, **examination._common())


def verdict_on(game: Game, number: int, action: Action | None = None) -> Verdict | None:
    """On the move made after this number of moves, or another one in its place."""
    json = game.title.action_to_json(game.moves[number].action if action is None else action)
    look = _look(game, number)
    at = msgspec.structs.replace(look.at, plan=(json,))
    found = weigh(msgspec.structs.replace(look, at=at))
    assert isinstance(found, Looked)
    return found.verdict


class Unsolved(Exception):
    """Chance has its say, or the tree is too large."""


class NoChance:
    def draw(self, counter: int, sides: int) -> int:
        raise Unsolved


def solved(position: Position, left: count[int]) -> tuple[int, ...]:  # type: ignore[type-arg]
    """The final scores if everybody plays best to the end."""
    if next(left) > MOST_POSITIONS:
        raise Unsolved
    if position.over:
        assert position.result is not None
        return position.result.scores
    seat = position.deciders()[0]
    ends = []
    for action in candidates(position.legal_actions(seat), position):
        after = position.clone()
        after.perform(action)
        ends.append(solved(after, left))
    return max(ends, key=lambda scores: advantage(scores, seat))


def endings(title: str) -> list[tuple[Game, int, dict[Action, float]]]:
    """Positions near the end of games at random, with what every action is worth if all play best."""
    found = []
    for seed in range(40):
        game = kursbuch.new(title, ["Anna", "Bernd"], seed)
        bots = [make("random", seed), make("random", seed + 1)]
        played_out(game, bots)
        for number in range(len(game.moves) - 1, max(0, len(game.moves) - 12), -1):
            position = Position(game.title, game.at(number).state, NoChance())
            seat = position.deciders()[0]
            worths = {}
            try:
                left = count()
                for action in candidates(position.legal_actions(seat), position):
                    after = position.clone()
                    after.perform(action)
                    worths[action] = advantage(solved(after, left), seat)
            except Unsolved:
                continue
            if len(set(worths.values())) > 1:
                found.append((game, number, worths))
                break
        if found:
            break
    return found


@pytest.mark.parametrize("title", ["rocket", "nimm"])
def test_endings_that_are_solved(title: str) -> None:
    """The worst action costs what the best one gains, and the best one costs nothing."""
    positions = endings(title)
    assert positions
    for game, number, worths in positions:
        best, worst = max(worths, key=worths.__getitem__), min(worths, key=worths.__getitem__)
        verdict = verdict_on(game, number, worst)
        assert verdict is not None
        assert verdict.better is not None
        better = game.title.action_from_json(verdict.better.action)
        assert worths[better] == worths[best]
        assert verdict.cost == pytest.approx(worths[best] - worths[worst])
        verdict = verdict_on(game, number, best)
        assert verdict is not None
        assert verdict.cost == 0


def test_a_win_in_hand() -> None:
    """In Railroad Dice what ends the game for anyone who is ahead is better than rolling on."""
    title, last = "dice", None
    for seed in range(1, 20):
        game = kursbuch.new(title, ["Anna", "Bernd"], seed)
        bots = [make("greedy", seed), make("greedy", seed + 1)]
        played_out(game, bots)
        last, number = game.moves[-1].action, len(game.moves) - 1
        assert game.result is not None
        offered = candidates(game.at(number).legal_actions(last.seat))
        if game.result.winners == (last.seat,) and len(offered) > 1:
            break
    assert last is not None
    verdict = verdict_on(game, number, last)
    assert verdict is None or verdict.better is None


def test_a_forced_train_is_no_decision() -> None:
    assert verdict_on(recorded("1835"), 103) is None


def test_a_dividend_that_ends_the_game() -> None:
    """Nothing comes after it, so nothing speaks for withholding."""
    game = recorded("1835")
    paid = game.moves[505].action
    offered = game.at(505).legal_actions(paid.seat)
    (kept,) = [choice.action for choice in offered if choice.action != paid]
    verdict = verdict_on(game, 505)
    assert verdict is not None
    assert verdict.cost == 0
    verdict = verdict_on(game, 505, kept)
    assert verdict is not None
    assert verdict.better is not None
    assert game.title.action_from_json(verdict.better.action) == paid
    assert verdict.cost > 0
    assert verdict.clear
    voice = game.title.voice(Words("en", game.names))
    assert worth_of(verdict, voice).startswith("about ")
    assert "dividends of" in reasons(verdict, voice)[0]


def test_a_sale_is_judged_with_the_purchase_it_paid_for() -> None:
    """In a record the actions of a seat in a row are one plan."""
    game = recorded("1835")
    plans = Examination(game, FEW)._plans
    number = next(
        number for number, plan in enumerate(plans) if plan[0]["action"] == "sell" and len(plan) > 1
    )
    assert plans[number][1] == game.title.action_to_json(game.moves[number + 1].action)
    assert all(action["seat"] == plans[number][0]["seat"] for action in plans[number])


def test_the_review_of_a_game() -> None:
    """Always the same, however many work at it; anyone who moves at random is told so."""
    game = short_game()
    parts = list(carry_out(Examination(game, FEW), LocalPool(2)))
    found = parts[-1]
    assert found == review(game, LocalPool(1), FEW)
    assert found.done
    assert msgspec.json.decode(msgspec.json.encode(found), type=Review) == found
    assert game.result is not None
    assert found.moments[0].number == 0
    assert found.moments[-1].number == len(game.moves)
    assert found.moments[-1].results == game.result.scores
    assert all(abs(sum(moment.chances) - 1) < 1e-6 for moment in found.moments)
    poor, good = found.players
    assert poor.accuracy is not None
    assert good.accuracy is not None
    assert poor.accuracy < good.accuracy
    assert any(player.luck is not None for player in found.players)
    assert found.costly
    assert all(each.verdict.better is not None and each.verdict.clear for each in found.costly)
    # The curve comes first, and no part takes anything back but what a closer look has refuted.
    assert parts[0].moments
    assert not parts[0].costly
    assert [part.share for part in parts] == sorted(part.share for part in parts)


def test_a_planted_mistake_is_among_the_costliest() -> None:
    """With its mechanism. `benchmarks.mistakes` plants many."""
    found = mistakes.planted(short_game(), 62, "62", Counter())
    assert found is not None
    made = mistakes.judged(*found, Budget("playouts", "", playouts=1500))
    assert made.place is not None
    assert made.place < 3
    assert made.told


def examined(game: Game, number: int, looks: Sequence[int | None]) -> list[Costly]:
    """What looks around a position find, each at a given decision or at the one that seems to have cost most."""
    examination = Examination(game, Budget("playouts", "", playouts=240))
    around = range(number - 6, min(number + 6, len(game.moves)))
    survey = Survey(at=tuple(map(examination._asked, around)), **examination._common())
    examination.take(weigh(survey))
    for given in looks:
        look = examination._closer()[0] if given is None else examination.look(given)
        examination.take(weigh(look))
    return list(examination.review().costly)


@pytest.mark.parametrize(
    ("title", "number", "name"),
    [
        ("1835", 393, "sells a directorship"),
        ("1835", 440, "withholds without purpose"),
        ("1853", 584, "sells low"),
        ("nimm", 102, "bids far above the worth"),
        ("rocket", 71, "bids its majority away"),
        ("dice", 96, "buys shares of the wrong company"),
    ],
)
def test_a_blunder_is_looked_at_first_and_explained(title: str, number: int, name: str) -> None:
    game = recorded(title)
    found = mistakes.blunders(game, number, random.Random(number))
    kind, action, made = next(each for each in found if each[0].name == name)
    again = game.branch(number)
    again.apply(action)
    mistakes.play_on(again, "1", 4)
    (costly,) = examined(again, number, [None, None])
    assert costly.number == number + 1
    assert kind.told(costly.verdict, kind.about(game.at(number), made, action))


def test_the_better_move_is_not_accused() -> None:
    """In the place of one of these blunders."""
    assert not examined(recorded("1835"), 440, [440, 440])


@pytest.mark.parametrize("certain", [True, False])
def test_a_search_speaks_for_a_move_that_looks_bad(
    certain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A searched move of Stephenson's Rocket. Without a search, players of judgement prefer a station."""
    game = kursbuch.load((Path(__file__).parent / "tactic.txt").read_text("utf-8"))
    monkeypatch.setattr(type(game.title.evaluator), "certain", certain)
    examination = Examination(game, Budget("", "", playouts=1000))
    number = len(game.moves) - 1
    surveys = (task for wave in examination.waves() for task in wave if isinstance(task, Survey))
    for survey in surveys:
        examination.take(weigh(survey))
        if number in examination.rated:
            break
    for _ in range(2):
        examination.take(weigh(examination.look(number)))
    assert [each.number for each in examination.review().costly] == [number + 1] * (not certain)


def test_what_is_there_is_kept_when_a_review_is_stopped() -> None:
    examination = Examination(short_game(), FEW)
    for part in carry_out(examination, LocalPool(1)):
        if part.costly:
            break
    examination.stop()
    assert examination.review().costly == part.costly
    assert examination.review().done


def test_a_game_that_was_broken_off_is_reviewed_as_far_as_it_came() -> None:
    """With a correction in it, too."""
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7)
    with pytest.raises(KursbuchError, match="nothing in this game to review"):
        review(game, LocalPool(1), FEW)
    bots = [make("greedy", seat) for seat in range(2)]
    while len(game.moves) < 8:
        seat = game.pending[0].seat
        game.apply(bots[seat].choose(game.view(seat)))
    game.apply(game.parse_correction("money 3000 from bank to Anna"))
    while len(game.moves) < 14:
        seat = game.pending[0].seat
        game.apply(bots[seat].choose(game.view(seat)))
    found = review(game, LocalPool(1), Budget("fewer", "", playouts=60))
    assert found.moves == 14
    assert [moment.number for moment in found.moments][-1] == 14
    assert all(0.99 < sum(moment.chances) < 1.01 for moment in found.moments)
    with pytest.raises(KursbuchError, match="A review cannot take 'endless'"):
        budget_of("endless")


def test_a_game_that_would_go_round_for_ever_is_reviewed() -> None:
    """After corrections with which no one can do anything any more."""
    game = kursbuch.new("1835", ["Anna", "Bernd", "Clara"], seed=7)
    for name in game.names:
        game.apply(game.parse_correction(f"money 600 from {name} to bank"))
    with pytest.raises(KursbuchError, match="would leave no legal move"):
        game.apply(game.parse("Anna is done"))
    game.apply(game.parse_correction("money 600 from bank to Anna"))
    found = review(game, LocalPool(1), FEW)
    assert len(found.moments) == 5


def test_a_long_game_is_surveyed_only_as_far_as_time_allows() -> None:
    """The rest of the time is for looking closer."""
    examination = Examination(recorded("1853"), Budget("short", "", seconds=1))
    surveyed = 0
    for wave in examination.waves():
        for task in wave:
            if isinstance(task, Survey):
                surveyed += 1
            examination._seconds += 0.05
        if not any(isinstance(task, Sample | Survey) for task in wave):
            break
    assert 0 < surveyed < len(examination.game.moves) / 25


def verdict(
    gain: float, error: float, chance: float = 0.0, rounds: int = 12, causes: tuple[Cause, ...] = ()
) -> Verdict:
    before, after = (0.5 + chance, 0.5 - chance), (0.5, 0.5)
    played = Line(({},), (0.0, 0.0), after)
    return Verdict(0, played, Line(({},), (gain, 0.0), before), gain, error, chance, rounds, causes)


@pytest.mark.parametrize(
    ("gain", "error", "rounds", "clear"),
    [
        (100, 40, 12, True),
        (100, 50, 12, False),
        (100, 40, 4, False),
        (5, 0, 2, True),
        (5, 0, 1, False),
    ],
)
def test_a_difference_is_clear_if_chance_seldom_makes_it(
    gain: float, error: float, rounds: int, clear: bool
) -> None:
    """By Student's test of the paired playouts."""
    assert verdict(gain, error, rounds=rounds).clear is clear


def test_what_counts_was_examined_twice() -> None:
    """Not what one look finds, or what is not clear; a turning point changes a chance, too."""
    examination = Examination(recorded("rocket"), FEW)
    for number in range(len(examination.game.moves)):
        examination.take(Sampled(number, (0.0,) * 4, (0.25,) * 4))
    surveys = [task for wave in list(examination._surveys()) for task in wave]
    for task in surveys:
        examination.take(weigh(task))
    twice, once, unclear, small = list(examination.rated)[20:60:10]
    clear = verdict(9000, 100, 0.4)
    for number, given, looks in (
        (twice, clear, 2),
        (once, clear, 1),
        (unclear, verdict(9000, 8000, 0.4), 2),
        (small, verdict(9000, 100, 0.01), 2),
    ):
        for _ in range(looks):
            examination.take(Looked(number, given))
    found = examination.review()
    assert [turn.number for turn in found.turns] == [twice + 1]
    assert {each.number for each in found.costly} == {twice + 1, small + 1}


def test_luck_is_told_with_how_sure_it_is() -> None:
    """What draws gained against the others, over all of them, and its standard error; a dash where nothing is drawn."""
    game = short_game()
    examination = Examination(game, FEW)
    drawn = [number for number, move in enumerate(game.moves) if move.draws]
    for number in range(len(game.moves) + 1):
        before = Line(({},), (10.0, 10.0), (0.5, 0.5), (3.0, 3.0))
        decided = before if number in drawn[:2] else None
        examination.take(Sampled(number, (12.0, 10.0), (0.5, 0.5), (4.0, 4.0), decided))
    first, second = examination.review().players
    assert first.luck == 4.0
    assert first.luck_error == pytest.approx(50**0.5)
    assert second.luck == -4.0
    voice = game.title.voice(Words("en", game.names))
    assert luck_of(first, voice) == "+$4 ± $7"
    assert luck_of(Player(0, 3, 3, 1.0, None), voice) == "–"
    assert lucky(Lucky(7, 1, 0.2, 0.5), voice) == (
        "A lucky draw for Bernd: the chance to win goes from 20 to 50 %."
    )


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (
            Cause(("dividends", "BY"), 500.0, 200.0, 0),
            "Anna gets about 300 M more: dividends of BY.",
        ),
        (
            Cause(("shares", "BY"), 200.0, 500.0, 1),
            "Bernd gets about 300 M less: shares of BY, worth less cost.",
        ),
        (
            Cause(("train", "PR", "6"), 2.0, 1.0),
            "Purchases of a 6-train by PR: 2 instead of 1.",
        ),
        (Cause(("price", "PR"), 120.4, 83.7), "Share price of PR at the end: 120 instead of 84."),
        (Cause(("director", "SX", "1"), 0.9, 0.0), "Bernd as director of SX: 0.9 instead of 0."),
    ],
)
def test_reasons_are_what_differs_between_the_continuations(cause: Cause, said: str) -> None:
    voice = kursbuch.title("1835").voice(Words("en", ("Anna", "Bernd")))
    first, *_ = reasons(verdict(300.0, 1.0, causes=(cause,)), voice)
    assert first.replace("\xa0", " ") == said


def test_a_turning_point_names_who_decided_and_what_else_there_was() -> None:
    voice = kursbuch.title("nimm").voice(Words("de", ("Anna", "Bernd")))
    said = turned(Turn(7, verdict(100, 1, 0.3)), voice)
    assert "50 %" in said
    assert "80 %" in said
    assert Turn(7, verdict(100, 1, 0.3)).change(1) == pytest.approx(0.3)
