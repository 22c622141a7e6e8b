"""What is secret influences nothing that others can see [setup-4, setup-5, auction-sealed-2]."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kursbuch.core.events import visible_to
from kursbuch.core.game import Game, View
from kursbuch.core.words import Words
from kursbuch.games.nimm import TITLE
from kursbuch.games.nimm.actions import UseTarget
from kursbuch.games.nimm.state import (
    Draft,
    DraftPrice,
    NimmState,
    SecretBids,
    hand,
    kept,
    loco_item,
    owner,
)
from kursbuch.games.nimm.state import target_item as item
from tests.games.nimm.randomplay import lengths, modest, new_game, options, played, players, seeds
from tests.games.nimm.randomplay import play as at_random
from tests.games.nimm.scenario import NAMES, Scene

VIEWERS = (None, 0, 1, 2, 3, 4, 5)


def seen(game: Game, viewer: int | None, *, drawn: bool = False) -> list[object]:
    """Everything a viewer is shown of a game."""
    view = game.view(viewer)
    words = Words("en", game.names)
    found: list[object] = [TITLE.encode(view.state), view.pending, view.legal_actions()]
    found.append(TITLE.scores(view.state))
    found += [TITLE.voice(words).describe(event) for _, event in game.events(viewer)]
    found += [TITLE.voice(words).panels(view.state)]
    found += [TITLE.voice(words).prompt(view.state, decision) for decision in view.pending]
    if drawn:
        found.append(TITLE.draw(view.state, words))
    return found


def others(game: Game, seat: int) -> list[int | None]:
    return [None, *(other for other in range(game.state.seats) if other != seat)]


def set_money(state: NimmState, seat: int, sum_: int) -> None:
    held = state.ledger.held("money", owner(seat))
    state.ledger.move("money", owner(seat), "bank", held)
    state.ledger.move("money", "bank", owner(seat), sum_)


@modest(25)
@given(players, options, seeds, lengths, st.data())
def test_views_do_not_depend_on_secrets(
    seats: int, values: dict[str, str], seed: int, moves: int, data: st.DataObject
) -> None:
    game = played(seats, values, seed, moves)
    if game.over:
        return
    seat = data.draw(st.integers(0, seats - 1))
    before = {viewer: seen(game, viewer, drawn=True) for viewer in others(game, seat)}
    own = seen(game, seat)
    state: NimmState = game.state
    changed = False
    set_money(state, seat, state.ledger.held("money", owner(seat)) + 150)
    items = state.ledger.items
    mine = [tile for tile in TITLE.cards.targets if owner(seat) in items[item(tile)]]
    pool = [tile for tile in TITLE.cards.targets if "pool" in items[item(tile)]]
    if mine and pool:
        items[item(mine[0])], items[item(pool[0])] = items[item(pool[0])], items[item(mine[0])]
    step = state.agenda[-1]
    if isinstance(step, SecretBids) and seat in step.answers:
        step.answers[seat] = (step.answers[seat] or 0) + 50
        changed = True
    if isinstance(step, Draft) and seat in step.picks:
        step.picks[seat] = "changed"
        changed = True
    for viewer, shown in before.items():
        assert seen(game, viewer, drawn=True) == shown
    assert changed or seen(game, seat) != own


@modest(8)
@given(players, options, seeds, st.booleans())
@example(4, {"open_auction": "rounds"}, 682, True)
def test_games_differing_in_a_secret_look_the_same_to_others(
    seats: int, values: dict[str, str], seed: int, rich: bool
) -> None:
    """The same moves with another sum of money or other target tiles."""
    one, two = new_game(seats, values, seed), new_game(seats, values, seed)
    seat = seed % seats
    if rich:
        # So rich that no one's means are in question: with low bids no move costs a thousandth.
        for game in (one, two):
            for other in range(seats):
                set_money(game.state, other, 100_000_000)
        set_money(two.state, seat, 140_000_000)
    else:
        items = two.state.ledger.items
        pool = [tile for tile in TITLE.cards.targets if "pool" in items[item(tile)]]
        mine = [tile for tile in TITLE.cards.targets if owner(seat) in items[item(tile)]]
        for tile, new in zip(mine, pool, strict=False):
            items[item(tile)], items[item(new)] = items[item(new)], items[item(tile)]
    for number, action in enumerate(at_random(one, seed, 400, bold=0.0)):
        if isinstance(action, UseTarget) and action.seat == seat:
            return
        two.apply(action)
        if number % 40 == 0 and not one.over:
            for viewer in others(one, seat):
                assert seen(one, viewer)[4:] == seen(two, viewer)[4:]
                assert seen(one, viewer)[0] == seen(two, viewer)[0]
        new_events = zip(one.moves[-1].events, two.moves[-1].events, strict=True)
        for first, second in new_events:
            # The sums told when the game is over are the one thing that differs.
            assert first == second or one.over or not visible_to(second, (seat + 1) % seats)


@modest(25)
@given(players, options, seeds, lengths)
def test_nobody_sees_money_tiles_bids_and_hands_of_others(
    seats: int, values: dict[str, str], seed: int, moves: int
) -> None:
    game = played(seats, values, seed, moves)
    if game.over:
        return
    for viewer in VIEWERS[: seats + 1]:
        state: NimmState = game.view(viewer).state
        own = "" if viewer is None else owner(viewer)
        items = state.ledger.items
        assert set(items["money"]) <= {own}
        for tile in TITLE.cards.targets:
            assert set(items[item(tile)]) <= {own, "used", "hidden"}
        step = state.agenda[-1]
        if isinstance(step, SecretBids):
            assert all(bid is None for seat, bid in step.answers.items() if seat != viewer)
        if isinstance(step, Draft):
            assert not any(loco for seat, loco in step.picks.items() if seat != viewer)
        for number, event in game.events(viewer):
            del number
            assert event.secret_to is None or viewer in event.secret_to


@modest(25)
@given(players, options, seeds, lengths)
def test_guesses_fit_the_view(seats: int, values: dict[str, str], seed: int, moves: int) -> None:
    """A guessed position is complete, looks the same to the viewer, and can be played on."""
    game = played(seats, values, seed, moves)
    if game.over:
        return
    rng = random.Random(seed)
    totals = game.state.ledger.totals()
    for viewer in VIEWERS[: seats + 1]:
        view: View = game.view(viewer)
        shown = TITLE.encode(view.state)
        position = view.determinize(rng)
        assert TITLE.encode(view.state) == shown
        state: NimmState = position.state
        assert state.ledger.totals() == totals
        assert all(count >= 0 for row in state.ledger.items.values()
                   for holder, count in row.items() if holder != "bank")  # fmt: skip
        again = TITLE.decode(TITLE.encode(TITLE.view(state, viewer)))
        assert again == TITLE.decode(shown)
        for seat in range(seats):
            held = [
                tile
                for tile in TITLE.cards.targets
                if owner(seat) in state.ledger.items[item(tile)]
            ]
            assert len(held) == state.tiles[seat]
        for _ in range(30):
            if position.over:
                break
            seat = position.deciders()[0]
            choices = position.legal_actions(seat)
            assert choices
            position.apply(rng.choice(choices).action)


@pytest.mark.rule("nimm:auction-sealed-2", "nimm:auction-sealed-4", "nimm:auction-choice-2")
@pytest.mark.parametrize("kind", ["sealed", "double", "choice"])
def test_a_sealed_bid_is_not_seen_before_all_are_in(kind: str) -> None:
    shown = []
    for amount in (0, 850):
        scene = Scene(3).coming("E3", "S1", "S2").auction(kind)
        if kind != "choice":
            scene.do("A offers E3")
        scene.do(f"B bids {amount}")
        shown.append([TITLE.encode(scene.game.view(viewer).state) for viewer in (None, 0, 2)])
        assert scene.state.agenda[-1].answers == {1: amount}  # type: ignore[union-attr]
        assert scene.game.view(1).state.agenda[-1].answers == {1: amount}
    assert shown[0] == shown[1]


@pytest.mark.rule("nimm:auction-pass-2", "nimm:auction-pass-3")
def test_hands_are_seen_by_their_holders_and_who_passed_them_on() -> None:
    scene = Scene(3)
    scene.put("auction:turn", "pool")
    scene.coming("pass").new_round(1)

    def hands(viewer: int | None) -> list[str]:
        items = scene.game.view(viewer).state.ledger.items
        return [
            "".join(NAMES[seat] for seat in range(3) if {hand(seat), kept(seat)} & set(row))
            for loco in TITLE.cards.locomotives
            if (row := items[loco_item(loco.id)]) and "unseen" not in row
        ]

    assert hands(None) == []
    assert hands(0) == ["A"] * 3
    for name in "ABC":
        scene.do(f"{name} {scene.can(name)[0]}")
    assert hands(None) == []
    # A holds two and has kept one; the two B holds are those A passed on.
    assert sorted(hands(0)) == ["A"] * 3 + ["B"] * 2
    for name in "BC":
        scene.do(f"{name} {scene.can(name)[0]}")
    assert sorted(hands(0)) == ["A"] * 3 + ["B"] * 2
    assert scene.game.view(0).state.agenda[-1].picks == {1: "", 2: ""}


@pytest.mark.rule("nimm:auction-pass-6")
def test_who_cannot_pay_is_not_guessed_to_be_rich() -> None:
    scene = Scene(2).own(A="S1 S2 S3", B="E1 D1 S5").money(A=300).run(DraftPrice([0, 1]))
    assert scene.step() == "too-dear"
    for seed in range(5):
        guessed = scene.game.view(1).determinize(random.Random(seed)).state
        assert guessed.ledger.held("money", "0") < 400


@pytest.mark.rule("nimm:setup-4", "nimm:setup-5")
def test_at_the_end_all_is_open() -> None:
    game = played(2, {}, 1, 10_000)
    assert game.over
    assert game.view(None).state == game.state
    before = new_game(2, {}, 1)
    assert TITLE.scores(before.view(None).state) == (0, 0)
    assert TITLE.scores(before.view(1).state) == (0, 5000)
