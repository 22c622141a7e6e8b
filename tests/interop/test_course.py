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
    course = Table(title, players).begin(str(seed))
    while not course.over and course.decisions < count:
        if course.menu is not None and not course.menu.begun:
            yield course
        course.choose(rng.choice(course.legal))


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("most", [False, True])
def test_tokens_lead_to_every_legal_action_and_to_no_other(title: str, most: bool) -> None:
    seats = kursbuch.title(title).seats
    compared = 0
    for course in decisions(title, seats[-1 if most else 0], 5, 120):
        assert course.menu is not None
        choices = course.position.legal_actions(course.seat)
        if sum(len(choice.amount or "1") for choice in choices) > MOST_ACTIONS:
            continue
        allowed = [action for choice in choices for action in choice.actions()]
        found = list(leaves(course.menu))
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
    for number, course in enumerate(decisions(title, kursbuch.title(title).seats[0], 3, 80)):
        if number % 4:
            continue
        for seat in range(course.table.players):
            guessed = course.copy()
            view = course.position.title.view(course.position.state, seat)
            state = course.position.title.determinize(course.position.title.clone(view), seat, rng)
            changed += state != course.position.state
            guessed.position.state = state
            guessed._known = {}
            assert guessed.observe(seat) == course.observe(seat)
    assert bool(changed) == course.table.hides


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
        course = Table("nimm", 2).begin("1")
        course.position.state = scene.tiles(A=tile).turn("B", "B A").state
        course._turn()
        seen.append((course.may_wait, course.observe(0)[1:3], course.observe(1)))
    (mine, own, other), (idle, none, same) = seen
    assert (mine, idle) == (True, False)
    assert own.tolist() == [1, 0]
    assert none.tolist() == [0, 1]
    assert other == same


@pytest.mark.parametrize("title", TITLES)
def test_observations_have_one_size_and_named_parts(title: str) -> None:
    for course in decisions(title, kursbuch.title(title).seats[0], 2, 30):
        table = course.table
        observation = course.observe(course.seat)
        assert len(observation) == table.size
        assert observation[table.part("viewer")][0] == course.seat
        assert observation[table.part("asked")][course.seat] == 1
        tag = str(type(course.position.state.agenda[-1]).__struct_config__.tag)
        assert list(table.arrays.steps)[observation[table.part("step")][0] - 1] == tag
    ends = [part.start + part.size for part in table.parts]
    assert [0, *ends[:-1]] == [part.start for part in table.parts]


def test_the_board_stands_where_its_part_says() -> None:
    table = Table("rocket", 2)
    course = table.begin("7")
    owner = course.observe(0)[table.part("owner")]
    assert list(owner) == course.position.state.owner
    course.perform(course.position.legal_actions(course.seat)[-1].action)
    assert list(course.observe(0)[table.part("owner")]) == course.position.state.owner


def test_a_game_that_takes_too_long_is_broken_off() -> None:
    course = Table("rocket", 2, most_decisions=3).begin("1")
    while not course.over:
        course.choose(course.legal[0])
    assert course.broken_off
    assert course.returns() == [0, 0]


def test_a_title_without_encoding_says_so() -> None:
    title = kursbuch.title("rocket")

    class Bare(type(title)):  # type: ignore[misc]
        encoding = kursbuch.core.title.Title.encoding

    with pytest.raises(KursbuchError, match="does not say how it is written as numbers"):
        Table(Bare())


def test_papers_in_the_pool_are_observed() -> None:
    """After a bankruptcy the pool has papers, too."""
    table = Table("1835", 4)
    course = table.begin("1")
    before = course.observe(0)
    course.position.state.ledger.move(paper_item("2"), PACKET, POOL, 1)
    course._known.clear()
    changed = [n for n, now in enumerate(course.observe(0)) if now != before[n]]
    paper = table.part(f"ledger {paper_item('2')}")
    assert len(changed) == 2
    assert all(paper.start <= number < paper.stop for number in changed)
