"""A game: names, moves, history, views, and the seed."""

from __future__ import annotations

import random
from typing import Any

import pytest

import kursbuch
from kursbuch.core.actions import Action
from kursbuch.core.chance import commitment
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.events import Event, visible_to
from kursbuch.core.game import MAX_NAME, Game, check_names
from kursbuch.core.play import Play
from kursbuch.core.position import Position
from kursbuch.core.state import Decision
from kursbuch.core.words import Words
from kursbuch.games.rocket import TITLE
from kursbuch.games.rocket.actions import Bid, LetStand, TakeToken
from kursbuch.games.rocket.events import StartPlayerDrawn
from kursbuch.games.rocket.state import RocketState, Turn
from kursbuch.games.rocket.steps import TurnRules


def random_game(moves: int, seed: int = 3, players: int = 3, **options: str) -> Game:
    """A game after this number of random moves."""
    rng = random.Random(seed)
    game = kursbuch.new("rocket", ["Anna", "Bernd", "Clara", "Dirk"][:players], seed, options)
    while len(game.moves) < moves and not game.over:
        decision = rng.choice(game.pending)
        choice = rng.choice(game.legal_actions(decision.seat))
        game.apply(rng.choice(list(choice.actions())))
    return game


# ---- names


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ([" Anna ", "Bernd\t B."], ("Anna", "Bernd B.")),
        (["Jos\u0065\u0301", "Ann"], ("José", "Ann")),
        (["<b>Anna</b>", "{x}"], ("<b>Anna</b>", "{x}")),
        (["李雷", "عمر"], ("李雷", "عمر")),
        (["1", "x" * MAX_NAME], ("1", "x" * MAX_NAME)),
    ],
)
def test_names_are_tidied(given: list[str], used: tuple[str, ...]) -> None:
    assert check_names(given) == used


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["Anna", ""], "must not be empty"),
        (["Anna", " \t\u3000"], "must not be empty"),
        (["Anna", "x" * (MAX_NAME + 1)], "is too long; at most 40"),
        (["Anna", "A\u202ebc"], "cannot be shown"),
        (["Anna", "A\x00"], "cannot be shown"),
        (["Anna", "A\u200bb"], "cannot be shown"),
        (["Anna", "\ud800"], "cannot be shown"),
        (["Anna", "anna"], "cannot both be called anna"),
        (["Jos\u0065\u0301", "JOSÉ"], "cannot both be called"),
        (["Strauß", "STRAUSS"], "cannot both be called"),
    ],
)
def test_unusable_names_are_refused(names: list[str], why: str) -> None:
    with pytest.raises(KursbuchError) as error:
        check_names(names)
    assert why in str(error.value)
    assert "\n" not in str(error.value)
    with pytest.raises(KursbuchError):
        kursbuch.new("rocket", names)


@pytest.mark.parametrize(
    ("names", "line", "expected"),
    [
        (("Anna", "Bernd"), "  anna   TAKES  london ", TakeToken(0, "London")),
        (("Anna", "Anna Lena"), "Anna Lena takes London", TakeToken(1, "London")),
        (("Anna", "Anna takes"), "Anna takes London", TakeToken(0, "London")),
        (("Anna", "Anna takes"), "Anna takes takes London", TakeToken(1, "London")),
        (("A: B", "1."), "1. takes London", TakeToken(1, "London")),
        (("Strauß", "Anna"), "STRAUSS agrees", LetStand(0)),
        (("STRAUSS", "Anna"), "Strauß agrees", LetStand(0)),
        (("José", "Anna"), "Jos\u0065\u0301 agrees", LetStand(0)),
        (("agrees", "x"), "agrees agrees", LetStand(0)),
        (("Anna B.", "Anna"), "Anna  B. takes London", TakeToken(0, "London")),
    ],
)
def test_whose_move_a_line_is(names: tuple[str, ...], line: str, expected: object) -> None:
    game = Game(TITLE, names, seed="7")
    assert game.parse(line) == expected


@pytest.mark.parametrize("name", ["Anna takes London", "a b c", "agrees", "(winner)", "seat 1: x"])
def test_any_usable_name_can_be_written_and_read(name: str) -> None:
    game = Game(TITLE, [name, "Bernd"], seed="7")
    action = TakeToken(0, "London")
    assert game.parse(game.format(action)) == action
    assert kursbuch.load(game.record()).names == game.names


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "does not begin with the name of a player (Anna, Bernd)"),
        ("Carla takes London", "does not begin with the name of a player (Anna, Bernd)"),
        ("Annatakes London", "does not begin with the name of a player"),
        ("Anna", "is not a move; moves are: takes METROPOLIS"),
        ("Anna takes", "is not a move"),
        ("Anna bids many for K16", "is not a move"),
        ("Anna bids -1 for K16", "is not a move"),
        ("Anna extends GWR", "is not a move"),
        ("Anna takes " + "x" * 5000, "at most 1000 characters"),
    ],
)
def test_lines_that_are_no_moves(line: str, why: str) -> None:
    with pytest.raises(KursbuchError) as error:
        Game(TITLE, ["Anna", "Bernd"], seed="7").parse(line)
    assert not isinstance(error.value, IllegalAction)
    assert why in str(error.value)
    assert len(str(error.value)) < 400


# ---- moves and history


def test_a_refused_action_changes_nothing() -> None:
    game = random_game(12)
    before, moves = TITLE.encode(game.state), len(game.moves)
    seat = game.pending[0].seat
    other = next(s for s in range(3) if s not in [d.seat for d in game.pending])
    for action, rule in (
        (TakeToken(seat, "Leeds"), "rocket:token-1"),
        (TakeToken(other, "London"), "rocket:turn-1"),
        (TakeToken(9, "London"), ""),
        (TakeToken(-1, "London"), ""),
    ):
        with pytest.raises(IllegalAction) as error:
            game.apply(action)
        assert error.value.title == "rocket"
        assert error.value.reference == rule
    assert (TITLE.encode(game.state), len(game.moves)) == (before, moves)


def test_an_action_names_the_seat_that_has_to_decide() -> None:
    game = kursbuch.new("rocket", ["Anna", "Bernd"], 7)
    assert game.pending == (Decision(0, "turn"),)
    assert game.legal_actions(1) == []
    assert game.legal_actions(5) == []
    with pytest.raises(IllegalAction) as error:
        game.apply(TakeToken(1, "London"))
    assert str(error.value) == "It is not your turn: Anna must decide now."
    german = error.value.text(Words("de"))
    assert german == "Du bist nicht an der Reihe, sondern Anna."


@pytest.mark.parametrize(
    "action",
    [
        TakeToken(0, 7),  # type: ignore[arg-type]
        TakeToken(0.0, "London"),  # type: ignore[arg-type]
        TakeToken(True, "London"),
        TakeToken(None, "London"),  # type: ignore[arg-type]
        TakeToken(0, ["London"]),  # type: ignore[arg-type]
        TakeToken(0, object()),  # type: ignore[arg-type]
        TakeToken(0, "\ud800"),
        TakeToken(10**30, "London"),
        Bid(0, "K10", 2.0),  # type: ignore[arg-type]
        Action(0),
        "takes London",
        None,
    ],
)
def test_an_action_built_in_python_is_checked_like_one_from_json(action: Action) -> None:
    game = kursbuch.new("rocket", ["Anna", "Bernd"], 7)
    with pytest.raises(IllegalAction, match="not an action of Stephenson's Rocket") as error:
        game.apply(action)
    assert error.value.rule == ""
    assert not game.moves


def test_at_and_rewind_agree_with_what_was() -> None:
    game = kursbuch.new("rocket", ["A", "B", "C"], 5)
    rng = random.Random(5)
    states = [TITLE.encode(game.state)]
    while len(game.moves) < 37:
        decision = rng.choice(game.pending)
        choice = rng.choice(game.legal_actions(decision.seat))
        game.apply(rng.choice(list(choice.actions())))
        states.append(TITLE.encode(game.state))
    for number in (0, 1, 9, 10, 11, 20, 36, 37):
        assert TITLE.encode(game.at(number).state) == states[number]
    earlier = game.at(10)
    earlier.apply(next(iter(earlier.legal_actions(earlier.pending()[0].seat)[0].actions())))
    assert TITLE.encode(game.at(10).state) == states[10]
    for number in (36, 20, 19, 3, 0):
        game.rewind(number)
        assert TITLE.encode(game.state) == states[number]
        assert len(game.moves) == number
    for number in (-1, 1):
        with pytest.raises(KursbuchError, match=rf"no move number {number}; the game has 0"):
            game.at(number)
    with pytest.raises(KursbuchError, match="There is no move to undo"):
        game.undo()


def test_undo_and_another_move() -> None:
    game = random_game(25)
    for _ in range(8):
        game.undo()
    assert len(game.moves) == 17
    rng = random.Random(99)
    while len(game.moves) < 33:
        decision = rng.choice(game.pending)
        choice = rng.choice(game.legal_actions(decision.seat))
        game.apply(rng.choice(list(choice.actions())))
    again = kursbuch.load(game.record())
    assert again.state == game.state
    for number in range(len(game.moves) + 1):
        assert game.at(number).state == again.at(number).state


def test_a_clone_is_independent() -> None:
    position = random_game(20).position
    clone = position.clone()
    before = TITLE.encode(position.state)
    assert clone.state == position.state
    rng = random.Random(1)
    for _ in range(20):
        if clone.over:
            break
        choice = rng.choice(clone.legal_actions(rng.choice(clone.deciders())))
        clone.apply(next(choice.actions()))
    assert TITLE.encode(position.state) == before != TITLE.encode(clone.state)


def test_a_finished_game() -> None:
    game = random_game(10_000)
    assert game.over
    assert game.pending == ()
    assert game.result is not None
    assert game.result.scores == TITLE.scores(game.state)
    assert all(game.legal_actions(seat) == [] for seat in range(3))
    with pytest.raises(IllegalAction, match=r"^The game is over\.$") as error:
        game.apply(TakeToken(0, "London"))
    assert error.value.reference == "rocket:end-3"


def test_the_end_can_be_taken_back() -> None:
    game = random_game(10_000)
    game.undo()
    assert not game.over
    assert game.result is None
    assert game.pending


def test_events_are_numbered_by_their_moves() -> None:
    game = random_game(10)
    numbers = [number for number, _ in game.events()]
    assert numbers == sorted(numbers)
    assert (numbers[0], numbers[-1]) == (0, 10)
    assert next(game.events())[1] == StartPlayerDrawn(rule="setup-10", seat=game.state.start)
    assert [event for number, event in game.events() if number == 4] == list(game.moves[3].events)


def test_secret_events() -> None:
    secret = StartPlayerDrawn(rule="setup-10", seat=0, secret_to=(1, 2))
    assert [visible_to(secret, seat) for seat in (None, 0, 1, 2)] == [False, False, True, True]
    public: Event = StartPlayerDrawn(rule="setup-10", seat=0)
    assert all(visible_to(public, seat) for seat in (None, 0))
    game = random_game(0)
    game.opening = (secret,)
    assert list(game.events()) == list(game.events(0)) == []
    assert list(game.events(1)) == [(0, secret)]


# ---- the seed


def test_the_seed_is_promised_and_can_be_checked() -> None:
    game = random_game(10_000, seed=11)
    assert game.seed_hash == commitment("11")
    game.verify_seed("11")
    with pytest.raises(KursbuchError, match="does not match the hash"):
        game.verify_seed("12")
    game.opening_draws = (((game.opening_draws[0][0] + 1) % 3, 3),)
    with pytest.raises(KursbuchError, match="Draw number 1 does not come from the seed"):
        game.verify_seed("11")


def test_a_secret_seed_is_drawn() -> None:
    seeds = {kursbuch.new("rocket", ["A", "B"]).seed for _ in range(5)}
    assert len(seeds) == 5
    assert all(seed is not None and len(seed) == 32 for seed in seeds)


@pytest.mark.parametrize("seed", ["", " 7", "7\n", "a\nseed: b", "x" * 201, "\ud800", "\x00"])
def test_a_seed_must_fit_on_a_line(seed: str) -> None:
    with pytest.raises(KursbuchError, match="1 to 200 printable characters"):
        kursbuch.new("rocket", ["A", "B"], seed)


@pytest.mark.parametrize("seed", ["7", "a b", "seed: x", "ä#ö", "x" * 200])
def test_any_other_seed_can_be_written_and_read(seed: str) -> None:
    game = kursbuch.new("rocket", ["A", "B"], seed)
    assert kursbuch.load(game.record(reveal=True)).seed == seed


def test_a_game_needs_a_seed_or_its_draws() -> None:
    with pytest.raises(ValueError, match="needs a seed"):
        Game(TITLE, ["A", "B"], seed_hash="x")


# ---- views and positions


def plain(view: object) -> str:
    """Everything a view holds, as text, apart from the title."""
    found: list[str] = []
    waiting: list[Any] = [view]
    while waiting:
        one = waiting.pop()
        if hasattr(one, "__struct_fields__"):
            waiting += [getattr(one, field) for field in one.__struct_fields__]
        elif isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list | tuple):
            waiting += one
        elif one is not TITLE and hasattr(one, "__dict__"):
            waiting += vars(one).values()
        else:
            found.append(repr(one))
    return " ".join(found)


@pytest.mark.parametrize("money", ["open", "hidden"])
def test_a_view_never_holds_the_seed(money: str) -> None:
    seed = "a seed that is found at once"
    game = kursbuch.new("rocket", ["A", "B"], seed, {"money": money})
    game.apply(game.parse(f"{game.names[game.pending[0].seat]} takes London"))
    for seat in (None, 0, 1):
        assert seed not in plain(game.view(seat))
        assert seed not in plain(game.view(seat).determinize(random.Random(1)).state)
    assert seed not in game.record()
    assert seed in game.record(reveal=True)


def test_a_view_offers_what_its_seat_may_do() -> None:
    game = kursbuch.new("rocket", ["A", "B"], 7)
    seat = game.pending[0].seat
    assert game.view(seat).pending == game.pending
    assert game.view(seat).legal_actions() == game.legal_actions(seat)
    assert game.view(1 - seat).legal_actions() == game.view(None).legal_actions() == []


def test_a_draw_that_is_not_there_leaves_the_game_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = kursbuch.load(kursbuch.new("rocket", ["A", "B"], 7).record(reveal=False))
    before = TITLE.encode(game.state)
    perform = TurnRules.perform

    def perform_and_draw(
        self: TurnRules, state: RocketState, step: Turn, action: Action, play: Play[RocketState]
    ) -> None:
        perform(self, state, step, action, play)
        play.draw(2)

    monkeypatch.setattr(TurnRules, "perform", perform_and_draw)
    with pytest.raises(KursbuchError, match="no draw number 2"):
        game.apply(game.legal_actions(game.pending[0].seat)[0].action)
    assert (TITLE.encode(game.state), game.moves) == (before, [])


def test_a_determinized_view_is_a_game_of_its_own() -> None:
    game = random_game(15, money="hidden")
    before = TITLE.encode(game.state)
    position = game.view(0).determinize(random.Random(2))
    assert isinstance(position, Position)
    rng = random.Random(2)
    for _ in range(300):
        if position.over:
            break
        choice = rng.choice(position.legal_actions(rng.choice(position.deciders())))
        position.apply(next(choice.actions()))
    assert position.over or position.state.ledger.held("tile", "map") > 0
    assert TITLE.encode(game.state) == before
    same = [game.view(0).determinize(random.Random(4)).state for _ in range(2)]
    assert same[0] == same[1]
