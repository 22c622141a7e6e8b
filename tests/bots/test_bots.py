"""Computer opponents: always legal, repeatable, no more knowledge than a view, and strong enough."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import kursbuch
from kursbuch import bots
from kursbuch.bots import (
    IMAGINED_STRENGTHS,
    PLANNED_STRENGTHS,
    STRENGTHS,
    bot,
    make,
    mcts,
    strengths,
)
from kursbuch.bots.bot import advantage, candidates, for_own_place, outlook, settled, worthwhile
from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game, View
from kursbuch.core.position import Position
from kursbuch.core.title import Result
from kursbuch.core.words import Words
from kursbuch.games.g18xx.actions import LayTile
from kursbuch.games.g18xx.state import Build
from kursbuch.games.rocket.actions import Bid, CallVeto, ExtendLine, LetStand, MoveStation, PassVeto

NAMES = ("Anna", "Bernd", "Clara", "Dirk")
SPECS = ("random", "careless", "greedy", "mcts:15")


def random_game(seed: int, moves: int, players: int, **options: str) -> Game:
    """A game some random moves after its start, or a little earlier if it was over by then."""
    game = kursbuch.new("rocket", NAMES[:players], seed, options)
    bot = make("random", seed)
    while len(game.moves) < moves and not game.over:
        game.apply(bot.choose(game.view(game.pending[-1].seat)))
    if game.over:
        game.undo()
    return game


def is_legal(game: Game, action: Action) -> bool:
    return any(choice.covers(action) for choice in game.legal_actions(action.seat))


def in_step(step: str, players: int = 3) -> Game:
    """A game in which such a step has been reached."""
    for seed in range(40):
        game = kursbuch.new("rocket", NAMES[:players], seed)
        bot = make("random", seed)
        while not game.over:
            if game.pending[0].step == step:
                return game
            game.apply(bot.choose(game.view(game.pending[-1].seat)))
    raise AssertionError(f"no {step} in forty games")


# ---- what every bot does


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_action_is_legal(spec: str, players: int) -> None:
    bot = make(spec, seed=3)
    for moves in range(0, 120, 12 if spec.startswith("mcts") else 5):
        game = random_game(moves, moves, players)
        for decision in game.pending:
            action = bot.choose(game.view(decision.seat))
            assert action.seat == decision.seat
            assert is_legal(game, action)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("step", ["objection", "veto"])
def test_interruptions_are_answered(spec: str, step: str) -> None:
    game = in_step(step)
    for decision in game.pending:
        assert is_legal(game, make(spec, seed=1).choose(game.view(decision.seat)))


@pytest.mark.parametrize("spec", SPECS)
def test_whole_games_end(spec: str) -> None:
    game = kursbuch.new("rocket", NAMES[:2], seed=5)
    players = [make(spec, seed=1), make("random", seed=2)]
    while not game.over:
        seat = game.pending[0].seat
        game.apply(players[seat].choose(game.view(seat)))
    assert game.result is not None


@pytest.mark.parametrize("spec", SPECS)
def test_thinking_changes_nothing(spec: str) -> None:
    game = random_game(4, 30, 2)
    before = game.title.encode(game.state)
    make(spec, seed=1).choose(game.view(game.pending[0].seat))
    assert game.title.encode(game.state) == before
    assert len(game.moves) == 30


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_seed_gives_the_same_moves(spec: str) -> None:
    played = []
    for _ in range(2):
        game = kursbuch.new("rocket", NAMES[:2], seed=8)
        seats = [make(spec, seed=10), make(spec, seed=11)]
        for _ in range(6):
            seat = game.pending[0].seat
            game.apply(seats[seat].choose(game.view(seat)))
        played.append(game.record())
    assert played[0] == played[1]


@pytest.mark.parametrize("spec", SPECS)
def test_what_the_view_hides_does_not_matter(spec: str) -> None:
    """Two games that differ only in money the viewer may not see get the same answer, and all a
    bot is given is a state without it."""
    game = random_game(6, 60, 3, money="hidden")
    seat = game.pending[0].seat
    other = (seat + 1) % 3
    richer = random_game(6, 60, 3, money="hidden")
    richer.state.ledger.move("money", "bank", str(other), 500_000)
    answers = []
    for each in (game, richer):
        view = each.view(seat)
        view.state.ledger.items["money"]["bank"] = 0
        sent = View(view.title, view.title.decode(view.title.encode(view.state)), seat, view.names)
        assert str(other) not in sent.state.ledger.items["money"]
        answers.append(make(spec, seed=5).choose(sent))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("spec", SPECS)
def test_only_who_has_to_decide_is_advised(spec: str) -> None:
    game = kursbuch.new("rocket", NAMES[:2], seed=1)
    waiting = 1 - game.pending[0].seat
    with pytest.raises(ValueError, match="nothing to decide"):
        make(spec).choose(game.view(waiting))
    with pytest.raises(ValueError, match="nothing to decide"):
        make(spec).choose(game.view(None))


@pytest.mark.parametrize("spec", ["greedy", "mcts:15"])
def test_ranking_is_best_first(spec: str) -> None:
    game = random_game(2, 12, 2)
    while len(game.legal_actions(game.pending[0].seat)) < 50:
        game.undo()
    seat = game.pending[0].seat
    ranking = make(spec, seed=1).rank(game.view(seat))
    values = [ranked.value for ranked in ranking]
    assert len(values) > 20
    assert values == sorted(values, reverse=True)
    assert all(is_legal(game, ranked.action) for ranked in ranking)


# ---- specifications


def test_strengths_can_be_made_and_are_named_in_both_languages() -> None:
    for spec, label in (*STRENGTHS, *IMAGINED_STRENGTHS, *PLANNED_STRENGTHS):
        assert make(spec).name == bots.check(spec) == spec
        assert Words("de")._(label) != label
    for levels in (STRENGTHS, IMAGINED_STRENGTHS, PLANNED_STRENGTHS):
        assert len(dict(levels)) == len({label for _, label in levels}) == 4


def test_titles_offer_what_differs_in_them() -> None:
    assert strengths(kursbuch.title("1835")) == PLANNED_STRENGTHS
    assert strengths(kursbuch.title("1853")) == PLANNED_STRENGTHS
    assert strengths(kursbuch.title("nimm")) == IMAGINED_STRENGTHS
    assert strengths(kursbuch.title("rocket")) == STRENGTHS


@pytest.mark.parametrize(
    "spec", ["", "chess", "mcts:", "mcts:0", "mcts:-5ms", "mcts:5s", "greedy:5", "mcts:1000ms "]
)
def test_unknown_bots(spec: str) -> None:
    if spec.strip() == "mcts:1000ms":
        assert make(spec).name == "mcts:1000ms"
        return
    with pytest.raises(
        KursbuchError, match=r"random, careless, greedy, mcts, mcts:1000ms .* mcts:400"
    ):
        make(spec)


def test_budgets_are_bounded() -> None:
    with pytest.raises(KursbuchError, match="too large"):
        make("mcts:999999999ms")


class Clock:
    """Time that passes by being looked at: so much of each kind every time."""

    def __init__(self, thread: float, wall: float) -> None:
        self.steps = {"thread": thread, "wall": wall}
        self.passed = {"thread": 0.0, "wall": 0.0}

    def _look(self, kind: str) -> float:
        self.passed[kind] += self.steps[kind]
        return self.passed[kind]

    def thread_time(self) -> float:
        return self._look("thread")

    def monotonic(self) -> float:
        return self._look("wall")


@pytest.mark.parametrize(
    ("thread", "wall", "kind", "limit"),
    [(0.01, 0.0, "thread", 0.15), (0.0, 0.01, "wall", mcts.PATIENCE * 0.15)],
)
def test_a_time_limit_is_kept(
    monkeypatch: pytest.MonkeyPatch, thread: float, wall: float, kind: str, limit: float
) -> None:
    """Also where others take the processor away."""
    clock = Clock(thread, wall)
    monkeypatch.setattr(mcts, "time", clock)
    game = kursbuch.new("rocket", NAMES[:2], seed=1)
    make("mcts:150ms", seed=1).choose(game.view(game.pending[0].seat))
    assert limit <= clock.passed[kind] < limit + 0.05


def test_a_search_ends_once_the_best_is_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most small steps of Railroad Dice need few of the playouts; those played find the same."""
    played: list[int] = []
    value = mcts.Search._value

    def counted(search: mcts.Search, action: Action, seed: int) -> float | None:
        played.append(seed)
        return value(search, action, seed)

    monkeypatch.setattr(mcts.Search, "_value", counted)
    game = kursbuch.new("dice", NAMES[:2], seed="3")
    bot = make("greedy", seed=3)
    ended = 0
    for _ in range(12):
        view = game.view(game.pending[0].seat)
        played.clear()
        search = make("mcts:60", seed=1)
        assert search.choose(view) == make("mcts:60", seed=1).choose(view)
        ended += 0 < len(played) < 2 * 60
        game.apply(bot.choose(view))
    assert ended > 1


# ---- how they judge


def test_ranges_are_sampled() -> None:
    sampled = candidates([Choice(Bid(0, "K10", 2), Range(2, 3)), Choice(PassVeto(0))])
    assert sampled == [Bid(0, "K10", 2), Bid(0, "K10", 3), PassVeto(0)]
    long = candidates([Choice(Bid(0, "K10", 10), Range(10, 1000, 10))])
    assert [bid.shares for bid in long if isinstance(bid, Bid)] == [10, 500, 1000]


def test_advantage_is_against_the_others() -> None:
    assert advantage([10, 4], 0) == 6
    assert advantage([10, 4, 2], 0) == 10 - (4 + 3) / 2
    assert advantage([7], 0) == 7
    assert advantage([10, 4], 1) == -6


def test_consequences_are_seen_through_an_offer_to_object() -> None:
    """An extension that others may object to is judged as if no one does; the position itself
    stays as it is."""
    game = in_step("objection", 2)
    extension = game.moves[-1].action
    assert isinstance(extension, ExtendLine)
    game.undo()
    before = game.title.encode(game.state)
    values = outlook(game.position, extension, game.title.evaluator.evaluate)
    assert game.title.encode(game.state) == before
    game.apply(extension)
    game.apply(LetStand(game.pending[0].seat))
    assert values == game.title.evaluator.evaluate(game.state)


def test_a_veto_round_is_played_to_its_end() -> None:
    game = in_step("objection", 2)
    after = game.position.clone()
    after.perform(CallVeto(game.pending[0].seat))
    values = settled(after.clone(), after.title.evaluator.evaluate)
    assert len(values) == 2
    assert after.title.evaluator.unsettled(after.state)


def test_idle_moves_are_left_alone() -> None:
    """Moving stations to and fro would never end a game that both players would rather prolong."""
    title = kursbuch.title("rocket")
    extend, idle = ExtendLine(0, "GWR", "K10"), MoveStation(0, "K10", "K12")
    assert worthwhile(title, {extend: -500.0, idle: 0.0}) == [extend]
    assert worthwhile(title, {extend: -500.0, idle: 900.0}) == [idle, extend]
    assert worthwhile(title, {idle: 0.0}) == [idle]


def test_random_draws_the_kind_first() -> None:
    """88 places for a station do not make a station 88 times as likely as a token of a town."""
    game = kursbuch.new("rocket", NAMES[:2], seed=1)
    bot = make("random", seed=1)
    view = game.view(game.pending[0].seat)
    kinds = [type(bot.choose(view)).__name__ for _ in range(600)]
    assert 60 < kinds.count("TakeToken") < 140
    assert 60 < kinds.count("PlaceStation") < 140
    assert 340 < kinds.count("ExtendLine") < 460


@pytest.mark.parametrize("title", ["1835", "1853"])
def test_tiles_drawn_at_random_are_those_that_may_be_laid(title: str) -> None:
    """Drawn without listing them, each is as likely as any other, and nothing else is drawn."""
    seen = set()
    for seed in range(2):
        game = kursbuch.new(title, NAMES, seed)
        bot, rng = make("random", seed), random.Random(seed)
        while not game.over:
            seat, step = game.pending[0].seat, type(game.state.agenda[-1])
            if step is Build and len(game.moves) % 8 == 0:
                choices = game.legal_actions(seat)
                kinds = {type(choice.action) for choice in choices}
                tiles = [choice.action for choice in choices if isinstance(choice.action, LayTile)]
                drawn = Counter(game.position.at_random(seat, rng).action for _ in range(200))
                assert {type(action) for action in drawn} <= kinds
                laid = {action: n for action, n in drawn.items() if isinstance(action, LayTile)}
                assert laid.keys() <= set(tiles)
                if tiles:
                    mean = sum(laid.values()) / len(tiles)
                    assert 200 / len(kinds) - 60 < sum(laid.values()) < 200 / len(kinds) + 60
                    assert all(n < mean + 6 * mean**0.5 + 6 for n in laid.values())
                    if mean > 15:
                        assert laid.keys() == set(tiles)
                seen |= {(len(kinds), len(tiles) > 20, any(tile.private for tile in tiles))}
            game.apply(bot.choose(game.view(seat)))
    assert {(2, True, False), (2, False, False)} <= seen
    if title == "1835":
        assert any(private for _, _, private in seen)


def test_random_knows_amounts() -> None:
    for seed in range(30):
        game = in_step("veto")
        assert is_legal(game, make("random", seed).choose(game.view(game.pending[0].seat)))


def test_a_forced_move_needs_no_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one thing to do the search does not use its time."""

    class Forced(View):
        def legal_actions(self) -> list[Choice]:
            return super().legal_actions()[:1]

    game = random_game(3, 10, 2)
    view = game.view(game.pending[0].seat)
    forced = Forced(view.title, view.state, view.seat, view.names)
    clock = Clock(1.0, 1.0)
    monkeypatch.setattr(mcts, "time", clock)
    assert make("mcts:60000ms", seed=1).choose(forced) == view.legal_actions()[0].action
    assert clock.passed["thread"] <= 1.0


# ---- strength


def test_careless_misses_the_best() -> None:
    """It knows what greedy knows, but does not always do it."""
    game = random_game(2, 12, 2)
    while len(game.legal_actions(game.pending[0].seat)) < 50:
        game.undo()
    view = game.view(game.pending[0].seat)
    best = make("greedy", seed=1).rank(view)[0]
    chosen = [make("careless", seed).choose(view) for seed in range(10)]
    assert len(set(chosen)) > 3
    values = {ranked.action: ranked.value for ranked in make("careless", seed=1).rank(view)}
    assert max(values.values()) == best.value
    mean = sum(values.values()) / len(values)
    assert sum(values[action] for action in chosen) / len(chosen) > mean


def test_greedy_beats_random() -> None:
    wins = 0.0
    for number in range(8):
        game = kursbuch.new("rocket", NAMES[:2], seed=number)
        greedy = number % 2
        seats = [
            make("greedy", number) if seat == greedy else make("random", number) for seat in (0, 1)
        ]
        while not game.over:
            seat = game.pending[0].seat
            game.apply(seats[seat].choose(game.view(seat)))
        assert game.result is not None
        if greedy in game.result.winners:
            wins += 1 / len(game.result.winners)
    assert wins >= 7


def test_search_finds_the_winning_end() -> None:
    """Where an action ends the game, its value is the real result."""
    tried = 0
    for seed in range(12):
        game = random_game(seed, 400, 2)
        seat = game.pending[0].seat
        bot = make("mcts:150", seed=1)
        for ranked in bot.rank(game.view(seat))[:1]:
            after = game.position.clone()
            after.perform(ranked.action)
            if after.over:
                exact = advantage([float(score) for score in after.title.scores(after.state)], seat)
                assert ranked.value == pytest.approx(exact, rel=0.2, abs=4000)
                tried += 1
    assert tried


@pytest.mark.parametrize("spec", ["greedy", "mcts:20"])
@pytest.mark.parametrize(
    ("seed", "number", "seat", "result"),
    [(44, 160, 3, (75_000, 46_000, 30_000, 41_000)), (12, 104, 1, (43_000, 19_000, 9_000, 29_000))],
)
def test_who_cannot_win_plays_for_the_own_place(
    spec: str, seed: int, number: int, seat: int, result: tuple[int, ...]
) -> None:
    """Not for another player's victory, nor for a place behind one that could be had."""
    game = kursbuch.new("rocket", [f"P{one}" for one in range(4)], seed=seed)
    bots = [make("random", seed * 10 + one) for one in range(4)]
    while len(game.moves) < number:
        decides = game.pending[0].seat
        game.apply(bots[decides].choose(game.view(decides)))
    chosen = make(spec, 1).choose(game.view(seat))
    while not game.over:
        game.apply(chosen)
    assert game.result is not None
    assert game.result.scores == result


def test_a_victory_is_not_shared_for_more_money(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone is better than together, that better than second, and only then what one has counts."""
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7)
    view = game.view(game.pending[0].seat)
    assert view.seat is not None
    actions = candidates(view.legal_actions(), view)[:4]
    won, lost = (view.seat,), (1 - view.seat,)
    results = dict(
        zip(
            actions,
            (
                Result((30, 30), lost),
                Result((40, 40), (0, 1)),
                Result((20, 20), won),
                Result((10, 10), won),
            ),
            strict=True,
        )
    )
    done: list[Action] = []
    monkeypatch.setattr(Position, "perform", lambda self, action: done.append(action))
    monkeypatch.setattr(Position, "result", property(lambda self: results.get(done[-1])))
    monkeypatch.setattr(bot, "decline", lambda position: None)
    for chosen in actions:
        assert for_own_place(view, chosen) == actions[2]


def test_nothing_is_said_of_places_where_money_is_hidden() -> None:
    """Anyone who does not know what others have does not believe that he has won."""
    game = kursbuch.new("rocket", ["Anna", "Bernd", "Clara"], seed=100, options={"money": "hidden"})
    bots = [make("random", seat) for seat in range(3)]
    while not game.over:
        view = game.view(game.pending[0].seat)
        for action in candidates(view.legal_actions(), view)[:2]:
            assert for_own_place(view, action) == action
        assert view.seat is not None
        game.apply(bots[view.seat].choose(view))
