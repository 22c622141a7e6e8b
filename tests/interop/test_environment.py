"""Games as small choices: every action can be spelled, and nothing is told that a seat may not know."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import kursbuch
from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import KursbuchError
from kursbuch.games.g18xx.components import PACKET, POOL, paper_item
from kursbuch.games.nimm.actions import Bid, NimmAction
from kursbuch.interop.encoding import Menu, Tokens
from kursbuch.interop.environment import Environment, Table
from tests.games.nimm.scenario import Scene

TITLES = sorted(kursbuch.titles())

#: Decisions with more actions are not compared whole.
MOST_ACTIONS = 400


def leaves(menu: Menu) -> Iterator[Action | None]:
    """Every action that the tokens lead to."""
    for token in menu.legal:
        after = menu.copy()
        after.choose(token)
        if after.done:
            yield after.action
        else:
            yield from leaves(after)


def decisions(title: str, players: int, seed: int, count: int) -> Iterator[Environment]:
    """A game of random tokens, as often as a decision begins."""
    rng = random.Random(seed)
    environment = Table(title, players).begin(str(seed))
    while not environment.over and environment.decisions < count:
        if environment.menu is not None and not environment.menu.begun:
            yield environment
        environment.choose(rng.choice(environment.legal))


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("most", [False, True])
def test_tokens_lead_to_every_legal_action_and_to_no_other(title: str, most: bool) -> None:
    seats = kursbuch.title(title).seats
    compared = 0
    for environment in decisions(title, seats[-1 if most else 0], 5, 120):
        assert environment.menu is not None
        choices = environment.position.legal_actions(environment.seat)
        if sum(len(choice.amount or "1") for choice in choices) > MOST_ACTIONS:
            continue
        allowed = [action for choice in choices for action in choice.actions()]
        found = list(leaves(environment.menu))
        assert len(found) == len(set(found))
        assert set(found) - {None} == set(allowed)
        compared += 1
    assert compared > 20


def test_amounts_are_chosen_digit_by_digit() -> None:
    spelling = Tokens(NimmAction, ())
    menu = Menu(spelling, [Choice(Bid(0, 95), Range(95, 1195, 100))])
    digits = []
    while not menu.done:
        digits.append([spelling.tokens[token] for token in menu.legal])
        menu.choose(menu.legal[-1])
    assert digits == [["0", "1"], ["0", "1"]]
    assert menu.action == Bid(0, 1195)


def test_a_decision_without_alternative_is_one_choice() -> None:
    menu = Menu(Tokens(NimmAction, ()), [Choice(Bid(0, 95))])
    assert len(menu.legal) == 1
    assert not menu.done
    menu.choose(menu.legal[0])
    assert menu.action == Bid(0, 95)


@pytest.mark.parametrize("title", TITLES)
def test_an_observation_tells_nothing_but_what_the_seat_may_know(title: str) -> None:
    rng = random.Random(3)
    changed = 0
    for number, environment in enumerate(decisions(title, kursbuch.title(title).seats[0], 3, 80)):
        if number % 4:
            continue
        for seat in range(environment.table.players):
            guessed = environment.copy()
            view = environment.position.title.view(environment.position.state, seat)
            state = environment.position.title.determinize(
                environment.position.title.clone(view), seat, rng
            )
            changed += state != environment.position.state
            guessed.position.state = state
            guessed._known = {}
            assert guessed.observe(seat) == environment.observe(seat)
    assert bool(changed) == environment.table.hides


@pytest.mark.rule("dice:option-extended")
def test_an_extended_game_of_dice_can_be_learned() -> None:
    """Its observations and tokens are of the same sizes as those of the usual game, and tell the two apart."""
    usual, extended = (
        Table("dice", 2, options={"bank": bank}) for bank in ("standard", "extended")
    )
    assert (usual.size, usual.tokens) == (extended.size, extended.tokens)
    one, other = usual.begin("1"), extended.begin("1")
    differing = [
        (before, after)
        for before, after in zip(one.observe(0), other.observe(0), strict=True)
        if before != after
    ]
    assert differing == [(0, 20), (31, 51)]
    rng = random.Random(1)
    while not other.over:
        assert other.position.state.ledger.totals()["die"] == 60
        other.choose(rng.choice(other.legal))
    assert other.position.over


def test_what_a_seat_could_do_unasked_is_seen_by_itself_alone() -> None:
    """Whether a target tile is fulfilled tells which one it is."""
    seen = []
    for tile in ("9", "1"):
        scene = Scene(2).own(A="D5 D1 S1", B="E3 S4 S5").load("A", 1, "coal200 coal150 coal150")
        scene.open("oil200 food50 food50")
        environment = Table("nimm", 2).begin("1")
        environment.position.state = scene.tiles(A=tile).turn("B", "B A").state
        environment._turn()
        seen.append((environment.may_wait, environment.observe(0)[1:3], environment.observe(1)))
    (mine, own, other), (idle, none, same) = seen
    assert (mine, idle) == (True, False)
    assert own.tolist() == [1, 0]
    assert none.tolist() == [0, 1]
    assert other == same


@pytest.mark.parametrize("title", TITLES)
def test_observations_have_one_size_and_named_parts(title: str) -> None:
    for environment in decisions(title, kursbuch.title(title).seats[0], 2, 30):
        table = environment.table
        observation = environment.observe(environment.seat)
        assert len(observation) == table.size
        assert observation[table.part("viewer")][0] == environment.seat
        assert observation[table.part("asked")][environment.seat] == 1
        tag = str(type(environment.position.state.agenda[-1]).__struct_config__.tag)
        assert list(table.arrays.steps)[observation[table.part("step")][0] - 1] == tag
    ends = [part.start + part.size for part in table.parts]
    assert [0, *ends[:-1]] == [part.start for part in table.parts]


def test_the_board_stands_where_its_part_says() -> None:
    table = Table("rocket", 2)
    environment = table.begin("7")
    owner = environment.observe(0)[table.part("owner")]
    assert list(owner) == environment.position.state.owner
    environment.perform(environment.position.legal_actions(environment.seat)[-1].action)
    assert list(environment.observe(0)[table.part("owner")]) == environment.position.state.owner


def test_a_game_that_takes_too_long_is_broken_off() -> None:
    environment = Table("rocket", 2, most_decisions=3).begin("1")
    while not environment.over:
        environment.choose(environment.legal[0])
    assert environment.broken_off
    assert environment.returns() == [0, 0]


def test_a_title_without_encoding_says_so() -> None:
    title = kursbuch.title("rocket")

    class Bare(type(title)):  # type: ignore[misc]
        encoding = kursbuch.core.title.Title.encoding

    with pytest.raises(KursbuchError, match="does not say how it is written as numbers"):
        Table(Bare())


def test_papers_in_the_pool_are_observed() -> None:
    """After a bankruptcy the pool has papers, too."""
    table = Table("1835", 4)
    environment = table.begin("1")
    before = environment.observe(0)
    environment.position.state.ledger.move(paper_item("2"), PACKET, POOL, 1)
    environment._known.clear()
    changed = [n for n, now in enumerate(environment.observe(0)) if now != before[n]]
    paper = table.part(f"ledger {paper_item('2')}")
    assert len(changed) == 2
    assert all(paper.start <= number < paper.stop for number in changed)
