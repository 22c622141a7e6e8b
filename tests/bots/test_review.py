"""Reviews: on positions whose best move is known, and always the same."""

from __future__ import annotations

from functools import cache
from itertools import count
from pathlib import Path

import msgspec
import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.bots.bot import advantage, candidates
from kursbuch.bots.review import Plan, Point, Turn, Verdict, review, weigh
from kursbuch.bots.review.games import Player, luck_of, reasons, turned, worth_of
from kursbuch.bots.review.positions import (
    Depth,
    Difference,
    Line,
    PlayoutResult,
    Weighed,
    _differences,
)
from kursbuch.bots.worker_pool import LocalPool
from kursbuch.core.actions import Action
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.core.words import Words
from kursbuch.games.g18xx.events import DividendPaid, ShareBought, SharesSold
from tests.bot_games import played_out
from tests.reviews import shallow

GAMES = Path(__file__).parents[1] / "browser" / "games"

#: Thorough enough for positions near the end.
CLOSE = Depth(6, 8, 8, 40)

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


def point_of(game: Game, number: int, action: Action | None = None) -> Point:
    """The position after this number of moves, and the move made there or another one in its place."""
    (point,) = [each for each in Plan(game, "quick").first() if each.number == number]
    given = game.moves[number].action if action is None else action
    json = game.title.action_to_json(given)
    return msgspec.structs.replace(point, action=json, depth=CLOSE)


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
        if len(found) == 2:
            break
    return found


@pytest.mark.parametrize("title", ["rocket", "nimm"])
def test_endings_that_are_solved(title: str) -> None:
    """The worst action costs what the best one gains, and the best one costs nothing."""
    positions = endings(title)
    assert positions
    for game, number, worths in positions:
        best, worst = max(worths, key=worths.__getitem__), min(worths, key=worths.__getitem__)
        verdict = weigh(point_of(game, number, worst)).verdict
        assert verdict is not None
        assert verdict.better is not None
        better = game.title.action_from_json(verdict.better.action)
        assert worths[better] == worths[best]
        assert verdict.cost == pytest.approx(worths[best] - worths[worst])
        verdict = weigh(point_of(game, number, best)).verdict
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
    verdict = weigh(point_of(game, number, last)).verdict
    assert verdict is not None
    assert verdict.better is None
    assert (verdict.cost, verdict.chance) == (0, 0)


def test_a_forced_train_is_no_decision() -> None:
    assert weigh(point_of(recorded("1835"), 103)).verdict is None


def test_a_dividend_that_ends_the_game() -> None:
    """Nothing comes after it, so nothing speaks for withholding."""
    game = recorded("1835")
    paid = game.moves[505].action
    offered = game.at(505).legal_actions(paid.seat)
    (kept,) = [choice.action for choice in offered if choice.action != paid]
    verdict = weigh(point_of(game, 505)).verdict
    assert verdict is not None
    assert verdict.cost == 0
    verdict = weigh(point_of(game, 505, kept)).verdict
    assert verdict is not None
    assert verdict.better is not None
    assert game.title.action_from_json(verdict.better.action) == paid
    assert verdict.cost > 0
    voice = game.title.voice(Words("en", game.names))
    assert worth_of(verdict, voice).startswith("about ")
    assert reasons(verdict, voice)


def test_the_review_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Always the same, however many work at it; anyone who moves at random is told so."""
    shallow(monkeypatch)
    game = short_game()
    steps: list[tuple[int, int]] = []
    found = review(
        game, LocalPool(2), "quick", advance=lambda done, total: steps.append((done, total))
    )
    assert found == review(game, LocalPool(1), "quick")
    assert steps[0][0] == 0
    assert steps[-1][0] == steps[-1][1] > len(game.moves)
    assert msgspec.json.decode(msgspec.json.encode(found), type=type(found)) == found
    assert len(found.moments) == len(game.moves) + 1
    assert game.result is not None
    assert found.moments[-1].results == game.result.scores
    assert all(abs(sum(moment.chances) - 1) < 1e-6 for moment in found.moments)
    poor, good = found.players
    assert poor.accuracy is not None
    assert good.accuracy is not None
    assert poor.accuracy < good.accuracy
    assert any(player.luck for player in found.players)
    assert found.costly
    assert found.turns
    voice = game.title.voice(Words("de", game.names))
    assert "Gewinnchance" in turned(found.turns[0], voice)
    verdicts: list[Verdict] = [each.verdict for each in found.costly]
    assert all(verdict.better is not None and verdict.cost > 0 for verdict in verdicts)


def test_a_game_that_was_broken_off_is_reviewed_as_far_as_it_came() -> None:
    """With a correction in it, too: how sure the end is says how much of the game was still to come."""
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7)
    with pytest.raises(KursbuchError, match="nothing has been played"):
        review(game, LocalPool(1))
    bots = [make("greedy", seat) for seat in range(2)]
    while len(game.moves) < 8:
        seat = game.pending[0].seat
        game.apply(bots[seat].choose(game.view(seat)))
    game.apply(game.parse_correction("money 3000 from bank to Anna"))
    while len(game.moves) < 14:
        seat = game.pending[0].seat
        game.apply(bots[seat].choose(game.view(seat)))
    found = review(game, LocalPool(1), "quick")
    assert found.moves == 14
    assert len(found.moments) == 15
    assert all(0.02 < chance < 0.98 for chance in found.moments[-1].chances)
    assert all(0.99 < sum(moment.chances) < 1.01 for moment in found.moments)
    with pytest.raises(KursbuchError, match="There is no depth 'endless'"):
        Plan(recorded("rocket"), "endless")


def test_nobody_has_won_a_game_that_was_broken_off_early() -> None:
    """Although nothing has been scored yet."""
    game = recorded("rocket").branch(3)
    assert not any(game.title.scores(game.state))
    chances = review(game, LocalPool(1), "quick").moments[-1].chances
    assert all(0.02 < chance < 0.98 for chance in chances)


def test_a_game_that_would_go_round_for_ever_is_reviewed() -> None:
    """After corrections with which no one can do anything any more."""
    game = kursbuch.new("1835", ["Anna", "Bernd", "Clara"], seed=7)
    for name in game.names:
        game.apply(game.parse_correction(f"money 600 from {name} to bank"))
    with pytest.raises(KursbuchError, match="would leave no legal move"):
        game.apply(game.parse("Anna is done"))
    game.apply(game.parse_correction("money 600 from bank to Anna"))
    found = review(game, LocalPool(1), "quick")
    assert len(found.moments) == 5


@pytest.mark.parametrize("title", ["1835", "1853"])
def test_how_much_there_will_be_is_imagined_for_a_game_without_an_end(title: str) -> None:
    """Also at its last position."""
    whole = recorded(title)
    plan = Plan(whole.branch(60), "quick")
    games = [point.number for point in plan.first() if point.games]
    assert games[-1] == 60
    for number in range(61):
        plan.take(
            Weighed(
                number,
                (100.0,) * len(whole.names),
                (0.0,) * len(whole.names),
                level=500.0 if number in games else None,
            )
        )
    assert set(plan._expected()) == {(500.0,) * len(whole.names)}


@pytest.mark.parametrize("turn", [1, 2, 20, 40])
def test_a_turning_point_is_the_move_itself(turn: int) -> None:
    """With the chances before and after it, not those of its neighbours."""
    plan = Plan(recorded("rocket"), "quick")
    last = len(plan.game.moves)
    assert last > 45

    def weighed(number: int) -> Weighed:
        chance = 0.9 if number >= turn else 0.5
        return Weighed(number, (0.0, 0.0), (chance, 1 - chance))

    for number in range(last + 1):
        plan.take(weighed(number))
    again = {point.number for point in plan.second()}
    assert {turn - 1, turn} <= again
    for number in again:
        plan.take(weighed(number))
    (found,) = plan.review().turns
    assert (found.number, found.before, found.after) == (turn, 0.5, 0.9)


@pytest.mark.parametrize(
    ("luck", "drawn"),
    [
        (0.3, "The draw was lucky: it made the chance 30 points higher."),
        (-0.3, "The draw was unlucky: it made the chance 30 points lower."),
    ],
)
def test_luck_is_told_as_it_is_whatever_became_of_the_chance(luck: float, drawn: str) -> None:
    voice = kursbuch.title("nimm").voice(Words("en", ("Anna", "Bernd")))
    said = turned(Turn(7, 1, 0.5, 0.4, luck), voice)
    assert said == f"For Bernd the chance to win goes from 50 to 40 %. {drawn}"


def test_luck_is_told_with_how_sure_it_is() -> None:
    """What draws gained against the others, over all of them, and its standard error; a dash where nothing is drawn."""
    plan = Plan(short_game(), "quick")
    drawn = [number for number, move in enumerate(plan.game.moves) if move.draws]
    for number in range(len(plan.game.moves) + 1):
        before = Line({}, (10.0, 10.0), (0.5, 0.5), (3.0, 3.0))
        decided = before if number in drawn[:2] else None
        plan.take(Weighed(number, (12.0, 10.0), (0.5, 0.5), decided, errors=(4.0, 4.0)))
    first, second = plan.review().players
    assert first.luck == 4.0
    assert first.luck_error == pytest.approx(50**0.5)
    assert second.luck == -4.0
    voice = plan.game.title.voice(Words("en", plan.game.names))
    assert luck_of(first, voice) == "+$4 ± $7"
    assert luck_of(Player(0, 3, 1.0, None), voice) == "–"


def test_expected_results_are_those_at_the_end_of_the_game() -> None:
    """In 1835 short courses say by how much players differ, and imagined games how much there will be."""
    plan = Plan(recorded("1835"), "quick")
    last = len(plan.game.moves)
    points = plan.first()
    asked = [point.number for point in points if point.games]
    assert asked[0] == 0
    assert 20 <= len(asked) <= 30
    end = weigh(points[-1])
    seats = len(plan.game.names)
    for number in range(last):
        values = tuple(float(100 + 10 * seat) for seat in range(seats))
        level = 5000.0 + number if number in asked else None
        plan.take(Weighed(number, values, (1 / seats,) * seats, level=level))
    plan.take(end)
    middle = plan.review().moments[asked[3] + 2].results
    assert sum(middle) / seats == pytest.approx(5000 + asked[3] + 2)
    assert middle[1] - middle[0] == pytest.approx(10)
    late = msgspec.structs.replace(points[asked[-1]], action=None)
    level = weigh(late).level
    assert level is not None
    assert level == pytest.approx(sum(end.results) / seats, rel=0.2)


@pytest.mark.parametrize(
    ("difference", "said"),
    [
        (Difference(("Trains",) * 2, 0, 300.0, spent=True), "It costs about 300 M less (Trains)."),
        (Difference(("Trains",) * 2, 0, 300.0), "It brings about 300 M more (Trains)."),
        (
            Difference(("Trains",) * 2, 1, -300.0, spent=True),
            "Bernd pays about 300 M more (Trains).",
        ),
        (Difference(("Trains",) * 2, 1, -300.0), "Bernd gets about 300 M less (Trains)."),
    ],
)
def test_what_is_paid_in_both_is_no_income(difference: Difference, said: str) -> None:
    voice = kursbuch.title("1835").voice(Words("en", ("Anna", "Bernd", "Cora")))
    line = Line({}, (0.0,) * 3, (1 / 3,) * 3)
    (reason,) = reasons(Verdict(0, line, line, 300.0, 1.0, 0.0, 1.0, (difference,)), voice)
    assert reason.replace("\xa0", " ") == said


def test_where_everybody_gains_the_others_are_named() -> None:
    voice = kursbuch.title("1835").voice(Words("en", ("Anna", "Bernd", "Cora")))
    played, better = (Line({}, values, (1 / 3,) * 3) for values in ((0, 0, 0), (480, 310, 270)))
    verdict = Verdict(0, played, better, 190.0, 1.0, 0.0, 1.0)
    (reason,) = reasons(verdict, voice)
    assert reason.replace("\xa0", " ") == (
        "After it Anna can expect about 480 M more, and the others about 290 M more on average."
    )


def test_what_was_played_on_comes_before_what_is_only_judged() -> None:
    plan = Plan(recorded("rocket"), "quick")
    line, judged = Line({}, (0.0, 0.0), (0.5, 0.5)), Line({}, (), ())
    for number in range(len(plan.game.moves) + 1):
        found = {
            3: Verdict(0, judged, judged, 900.0, 0.0, 0.0, 1.0),
            4: Verdict(1, line, line, 100.0, 1.0, 0.0, 1.0),
        }
        plan.take(Weighed(number, (0.0, 0.0), (0.5, 0.5), None, found.get(number)))
    assert [each.number for each in plan.review().costly] == [5, 4]


def test_what_is_exchanged_or_scatters_is_no_reason() -> None:
    def futures(*rows: dict[tuple[str, ...], tuple[int, ...]]) -> list[PlayoutResult]:
        return [PlayoutResult((0.0, 0.0), (), row) for row in rows]

    paid, noise = ("Dividends",), ("Fees",)
    better = futures({paid: (50, 0), noise: (90, 0)}, {paid: (60, 0)}, {paid: (55, 0)})
    played = futures({}, {noise: (80, 0)}, {paid: (5, 0)})
    told = _differences(better, played, 0, 1.0)
    assert [(each.labels, each.seat, round(each.amount)) for each in told] == [(paid, 0, 53)]
    assert not told[0].spent
    less, more = (futures({noise: (fee, 0)}, {noise: (fee, 0)}) for fee in (-10, -90))
    (cheaper,) = _differences(less, more, 0, 1.0)
    assert (cheaper.amount, cheaper.spent) == (80, True)
    assert [kind.EXCHANGE for kind in (ShareBought, SharesSold, DividendPaid)] == [
        True,
        True,
        False,
    ]
