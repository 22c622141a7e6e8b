"""What must hold in every game, whatever is played."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kursbuch
from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Payment, visible_to
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.core.words import Words
from kursbuch.games.dice import TITLE
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import (
    BuildStation,
    BuyShare,
    EndTurn,
    LayTrack,
    OpenTile,
    ReturnDice,
    Roll,
    TakeIncome,
)
from kursbuch.games.dice.state import BEHIND, SEATS, Bridge, Crossing, DiceState, Joining
from tests.games.dice.scenario import NAMES, consistent

few = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
seeds = st.integers(0, 10_000)
players = st.integers(2, 4)


def one_of(position: Position[DiceState], rng: random.Random) -> Action:
    """An action of the player who has to decide."""
    return rng.choice([*position.at_random(position.deciders()[0], rng).actions()])


def played(seed: int, seats: int, most: int = 100_000) -> Iterator[Game]:
    """A random game, before every move and at its end; every second one is an extended game."""
    bank = "extended" if seed % 2 else "standard"
    game = Game(TITLE, NAMES[:seats], seed=str(seed), options={"bank": bank})
    rng = random.Random(seed)
    while not game.over and len(game.moves) < most:
        yield game
        assert len(game.pending) == 1
        game.apply(one_of(game.position, rng))
    yield game


def middle(seed: int, seats: int) -> Game:
    """A game somewhere in the middle."""
    *_, game = played(seed, seats, random.Random(seed).randint(5, 90))
    return game


def every_action(state: DiceState, seat: int) -> list[Action]:
    """Actions of every kind with all arguments that could make sense, and some that cannot."""
    board = TITLE.board
    found: list[Action] = [TakeIncome(seat), EndTurn(seat)]
    found += [Roll(seat, n, q) for n in range(-1, 9) for q in range(5)]
    for company in [*board.company_index, "nothing"]:
        for question in (False, True):
            found += [
                BuyShare(seat, company, "bank", question),
                BuyShare(seat, company, "director", question),
            ]
        found += [
            BuildStation(seat, company, terrain, cost, end, behind)
            for terrain in board.kind_index
            for cost in (3, 5)
            for end in ("A", "B")
            for behind in range(7)
        ]
    near = {
        square
        for end in state.ends
        for square in (end.square, *board.neighbours[end.square])
        if square >= 0
    }
    near |= {square for square in range(board.squares) if -1 in board.neighbours[square]}
    found += [
        LayTrack(seat, end, board.names[square], side, question, behind)
        for end in ("A", "B")
        for square in sorted(near)
        for side in ("N", "E", "S", "W")
        for question in (False, True)
        for behind in range(3)
    ]
    found += [OpenTile(seat, tile, turned) for tile in board.tile_index for turned in range(4)]
    found += [
        ReturnDice(seat, a, b, c, d)
        for a in range(4)
        for b in range(4)
        for c in range(3)
        for d in range(4)
    ]
    return found


@few
@given(seeds, players)
def test_all_games_end_by_the_book(seed: int, seats: int) -> None:
    game = None
    for game in played(seed, seats):  # noqa: B007
        pass
    assert game is not None
    assert game.over
    assert game.state.ending in ("company", "tiles", "bank")
    result = game.result
    assert result is not None
    assert result.winners
    assert max(result.scores) == result.scores[result.winners[0]]
    # Every change of a score is a payment.
    totals = [0] * seats
    for move in game.moves:
        for event in move.events:
            if isinstance(event, kursbuch.core.events.Payment):
                totals = [a + b for a, b in zip(totals, event.amounts, strict=True)]
    assert tuple(totals) == result.scores


@few
@given(seeds, players)
def test_pieces_are_conserved(seed: int, seats: int) -> None:
    totals = None
    for game in played(seed, seats, 120):
        consistent(game.state, TITLE)
        totals = totals or game.state.ledger.totals()
        assert game.state.ledger.totals() == totals


@settings(few, max_examples=25)
@given(seeds, players)
def test_legal_actions_are_sound_and_complete(seed: int, seats: int) -> None:
    game = middle(seed, seats)
    if game.over:
        return
    (decision,) = game.pending
    choices = game.legal_actions(decision.seat)
    listed = {action for choice in choices for action in choice.actions()}
    assert len(listed) == sum(1 for choice in choices for _ in choice.actions())
    before = TITLE.encode(game.state)
    for action in listed:
        game.position.check(action)
        game.position.clone().perform(action)
        assert TITLE.parse(TITLE.format(action), action.seat, game.state) == action
        assert TITLE.action_from_json(TITLE.action_to_json(action)) == action
        assert msgspec.json.decode(msgspec.json.encode(action), type=TITLE.action_type) == action
    for action in every_action(game.state, decision.seat):
        if action not in listed:
            with pytest.raises(IllegalAction) as refused:
                game.apply(action)
            assert not refused.value.rule or refused.value.rule in TITLE.rules
    other = (decision.seat + 1) % seats
    assert game.legal_actions(other) == []
    with pytest.raises(IllegalAction):
        game.apply(EndTurn(other))
    assert TITLE.encode(game.state) == before


def is_allowed(game: Game, action: Action) -> bool:
    try:
        game.position.check(action)
    except IllegalAction:
        return False
    return True


@pytest.mark.parametrize("kind", [Bridge, Crossing, Joining])
def test_legal_actions_are_complete_inside_a_step(kind: type) -> None:
    checked = 0
    for seed in range(30):
        for game in played(seed, 2, 200):
            if game.over or not isinstance(game.state.agenda[-1], kind):
                continue
            seat = game.pending[0].seat
            listed = {a for choice in game.legal_actions(seat) for a in choice.actions()}
            assert listed
            allowed = {a for a in every_action(game.state, seat) if is_allowed(game, a)}
            assert allowed == listed
            checked += 1
            break
        if checked >= 4:
            return
    assert checked


@few
@given(seeds, players)
def test_records_replay(seed: int, seats: int) -> None:
    *_, game = played(seed, seats, 150)
    again = kursbuch.load(game.record())
    assert again.state == game.state
    assert TITLE.encode(again.state) == TITLE.encode(game.state)
    assert [move.events for move in again.moves] == [move.events for move in game.moves]
    if game.over:
        assert "seed: " in game.record()
        again.verify_seed(str(seed))


@few
@given(seeds, players)
def test_clones_are_independent_and_moves_can_be_taken_back(seed: int, seats: int) -> None:
    game = middle(seed, seats)
    before = TITLE.encode(game.state)
    copy = game.position.clone()
    rng = random.Random(seed)
    for _ in range(30):
        if copy.over:
            break
        copy.apply(one_of(copy, rng))
    assert TITLE.encode(game.state) == before
    if not game.over:
        game.apply(one_of(game.position, rng))
        game.undo()
        assert TITLE.encode(game.state) == before
    assert TITLE.encode(game.at(len(game.moves)).state) == before


# ---- secrets


def with_other_secrets(state: DiceState, keep: int | None, rng: random.Random) -> DiceState:
    """The same position with other things behind the screens of everybody but one."""
    changed = TITLE.clone(state)
    dice, counters = changed.ledger.items["die"], changed.ledger.items["passengers"]
    others = [seat for seat in range(state.seats) if seat != keep]
    hidden = sum(dice.pop(BEHIND[seat], 0) for seat in others)
    for _ in range(hidden):
        holder = BEHIND[rng.choice(others)]
        dice[holder] = dice.get(holder, 0) + 1
    for seat in others:
        counters[SEATS[seat]] = rng.randint(0, 60)
    counters["bank"] = -sum(count for holder, count in counters.items() if holder != "bank")
    return changed


@pytest.mark.rule("dice:dice-2", "dice:passenger-3")
@settings(few, max_examples=25)
@given(seeds, players, st.integers(-1, 3))
def test_nothing_leaks_from_behind_a_screen(seed: int, seats: int, viewer: int) -> None:
    game = middle(seed, seats)
    keep = viewer if 0 <= viewer < seats else None
    if game.over:
        return
    state = game.state
    changed = with_other_secrets(state, keep, random.Random(seed))
    words = Words("en", NAMES[:seats])
    one, two = TITLE.view(state, keep), TITLE.view(changed, keep)
    assert TITLE.encode(one) == TITLE.encode(two)
    assert TITLE.voice(words).panels(one) == TITLE.voice(words).panels(two)
    assert TITLE.draw(one, words) == TITLE.draw(two, words)
    assert TITLE.scores(one) == TITLE.scores(two)
    for decision in game.pending:
        assert TITLE.voice(words).prompt(one, decision) == TITLE.voice(words).prompt(two, decision)
    dice, counters = one.ledger.items["die"], one.ledger.items["passengers"]
    for seat in range(seats):
        if seat != keep:
            assert BEHIND[seat] not in dice
            assert SEATS[seat] not in counters
    assert "bank" not in counters
    assert TITLE.encode(state) == TITLE.encode(game.state)


@few
@given(seeds, players)
def test_events_do_not_tell_what_others_have(seed: int, seats: int) -> None:
    words = Words("en", NAMES[:seats])
    for game in played(seed, seats):
        if not game.over:
            continue
        for move in game.moves:
            for event in move.events:
                if isinstance(event, happened.PassengersCarried):
                    assert event.secret_to == (event.seat,)
                    assert not visible_to(event, None)
                    assert not visible_to(event, (event.seat + 1) % seats)
                    assert visible_to(event, event.seat)
                assert TITLE.voice(words).describe(event)


@few
@given(seeds, players, st.integers(-1, 3))
def test_guesses_fit_the_view(seed: int, seats: int, viewer: int) -> None:
    game = middle(seed, seats)
    if game.over:
        return
    keep = viewer if 0 <= viewer < seats else None
    view = game.view(keep)
    before = TITLE.encode(view.state)
    guess = view.determinize(random.Random(seed))
    consistent(guess.state, TITLE)
    assert guess.state.ledger.totals() == game.state.ledger.totals()
    assert guess.state.screened == []
    assert TITLE.encode(view.state) == before
    seen = TITLE.view(guess.state, keep)
    assert TITLE.encode(seen) == before
    rng = random.Random(seed)
    for _ in range(40):
        if guess.over:
            break
        guess.apply(one_of(guess, rng))
    assert game.state.agenda
    if keep is not None and game.pending[0].seat == keep:
        assert view.legal_actions() == game.legal_actions(keep)


def test_the_screens_are_lifted_at_the_end() -> None:
    *_, game = played(3, 3)
    assert game.over
    assert game.view(None).state == game.state
    last = game.moves[-1].events[-1]
    assert isinstance(last, happened.ScreensLifted)
    assert visible_to(last, None)
    assert last.passengers == TITLE.scores(game.state)
    # And everybody can see where the passengers of everybody came from.
    for viewer in (None, 0, 1, 2):
        paid = [event.amounts for _, event in game.events(viewer) if isinstance(event, Payment)]
        assert tuple(map(sum, zip(*paid, strict=True))) == TITLE.scores(game.state)
    assert TITLE.voice(Words("en")).written_score(24) == "24,000"
