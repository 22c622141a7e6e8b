"""What someone asks who does not act yet, in random games of every title: what elements are, why nothing
can be done with them, and what an action would bring."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from html import unescape

import pytest

import kursbuch
from kursbuch.core.actions import Action, Choice, sampled
from kursbuch.core.events import visible_to
from kursbuch.core.explain import preview, why_illegal
from kursbuch.core.game import Game, View
from kursbuch.core.words import Words

NAMES = ("Anna", "Bernd", "Clara")
TITLES = sorted(kursbuch.titles())
#: Moves of a game that are looked at; the longest games are cut off.
MOST = 420
LANGUAGES = ("en", "de")


def some_action(game: Game, seat: int, rng: random.Random) -> Action:
    """Any action of a seat, of every kind alike."""
    kinds: dict[type, list[Choice]] = {}
    for choice in game.legal_actions(seat):
        kinds.setdefault(type(choice.action), []).append(choice)
    choice = rng.choice(kinds[rng.choice(list(kinds))])
    if choice.amount is None:
        return choice.action
    return choice.with_amount(rng.choice(sampled(choice.amount)))


def played(title: str, seed: int, options: dict[str, str]) -> Iterator[tuple[Game, int, Action]]:
    """A random game, before each of its moves: who moves, and what he does then."""
    rng = random.Random(seed)
    game = kursbuch.new(title, players=NAMES, seed=seed, options=options)
    while not game.over and len(game.moves) < MOST:
        seat = rng.choice(game.pending).seat
        action = some_action(game, seat, rng)
        yield game, seat, action
        game.apply(action)


def keys(view: View, words: Words) -> list[str]:
    """Everything that can be pointed at: on the board, and in the lists beside it."""
    voice = view.title.voice(words)
    found = map(unescape, re.findall(r'data-pick="([^"]*)"', view.title.draw(view.state, words)))
    rows = [row.key for panel in voice.panels(view.state) for row in panel.rows]
    cells = [row[0].key for grid in voice.tables(view.state) for row in grid.rows]
    chips = [chip.key for each in voice.summaries(view.state) for chip in each.chips]
    return sorted(set(found) | {key for key in (*rows, *cells, *chips) if key})


def moments(title: str) -> list[tuple[View, Game]]:
    """What the one who moves sees early, in the middle and late in a game."""
    found = []
    for game, seat, _ in played(title, 5, {}):
        if len(game.moves) in (0, 1, 12, 33, 61, 97, 150, 230, 340):
            there = game.branch(len(game.moves))  # the game goes on
            found.append((there.view(seat), there))
    return found


@pytest.mark.parametrize("title", TITLES)
def test_nothing_that_can_be_pointed_at_has_no_card(title: str) -> None:
    for view, _ in moments(title):
        for seen in (view, View(view.title, view.state, None, view.names)):
            words = Words("de", NAMES)
            voice = seen.title.voice(words)
            for key in keys(seen, words):
                card = voice.card(seen.state, key)
                assert card is not None, key
                assert card.title, key
                assert card.rows or card.notes, key
                for rule in card.rules:
                    assert seen.title.rules.cite(rule) in seen.title.rules, (key, rule)


@pytest.mark.parametrize("title", TITLES)
def test_whatever_leads_to_nothing_has_a_reason(title: str) -> None:
    """Of everything that can be pointed at, at first and after the first element of a choice: either a
    choice begins like that, or there is a sentence."""
    rng = random.Random(title)
    refusals = set()
    for view, game in moments(title):
        assert view.seat is not None
        words = Words("en", NAMES)
        voice = view.title.voice(words)
        picks = [voice.pick(view.state, one.action) for one in view.legal_actions()]
        begun = sorted({pick.keys[0] for pick in picks if pick.keys})
        for key in keys(view, words):
            for way in ((key,), (rng.choice(begun), key)):
                problem = why_illegal(view, voice, way)
                if problem is None:
                    assert any(
                        pick.keys[: len(way)] == way
                        or (pick.several and set(way) <= set(pick.keys))
                        for pick in picks
                    ), way
                    continue
                assert not any(
                    pick.keys[: len(way)] == way and not pick.several for pick in picks
                ), way
                assert problem.text(words)
                assert not problem.rule or problem.rule in view.title.rules, problem.rule
                refusals.add(problem.rule)
        for other in range(len(NAMES)):
            if other in {decision.seat for decision in view.pending}:
                continue
            there = game.view(other)
            problem = why_illegal(there, voice, ["hex:A1"])
            if problem is not None:  # else something may be done although no one waits for it
                assert problem.text(words)
    assert len(refusals) > 2


#: Keys that no drawing has, and ways that no choice has.
JUNK: Sequence[Sequence[str]] = [
    [""],
    [":"],
    ["hex:"],
    ["hex:ZZ99", "tile:x", "turn:9"],
    ["stop:A11/999999999"],
    ["stop:A11/x"],
    ["company:"],
    ["company:ZZ", "buy:pool:10"],
    ["train:bank:99"],
    ["train:0:99"],
    ["train:x:y:z"],
    ["seat:99"],
    ["seat:-1"],
    ["square:A:zz", "exit:A:zz:Q"],
    ["square:A:a1", "exit:A:e5:N", "die:question"],
    ["tile:mountain2:9"],
    ["card:none", "train:0:1"],
    ["target:none"],
    ["loco:none"],
    ["line:ZZ", "hex:A1"],
    ["station:A1", "town:Nowhere"],
    ["paper:none"],
    ["price:none"],
    ["\N{SNOWMAN}" * 50],
]


@pytest.mark.parametrize("title", TITLES)
def test_any_text_may_be_given_as_a_key(title: str) -> None:
    for view, _ in moments(title)[::3]:
        voice = view.title.voice(Words("en", NAMES))
        for way in JUNK:
            voice.card(view.state, way[-1])
            problem = why_illegal(view, voice, way)
            assert problem is None or problem.text(voice.words)


OPTIONS: list[tuple[str, dict[str, str]]] = [
    *((title, {}) for title in TITLES),
    ("rocket", {"money": "hidden"}),
]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("title", "options"), OPTIONS)
def test_what_is_foreseen_comes_to_pass(title: str, options: dict[str, str], seed: int) -> None:
    foreseen = 0
    before = None
    for game, seat, action in played(title, seed, options):
        if before is not None:
            view, expected, number = before
            happened = [
                event for event in game.moves[number].events if visible_to(event, view.seat)
            ]
            assert tuple(happened[: len(expected)]) == expected
        view = game.view(seat)
        state = game.title.encode(game.state)
        found = preview(view, action)
        assert game.title.encode(game.state) == state
        foreseen += len(found.certain)
        before = (view, found.certain, len(game.moves))
        voice = game.title.voice(Words("en", NAMES))
        assert all(voice.outcome(found.certain))
    assert foreseen > 20


def test_what_follows_if_nobody_objects_comes_to_pass() -> None:
    told = 0
    for seed in range(6):
        for game, seat, action in played("rocket", seed, {}):
            found = preview(game.view(seat), action)
            if not found.unopposed:
                continue
            told += 1
            after = game.branch(len(game.moves))
            events = [*after.apply(action)]
            while after.pending:
                offer = after.title.standing_refusal(after.state, after.pending[0])
                if offer is None:
                    break
                events += after.apply(offer[1])
            assert tuple(events[: len(found.certain + found.unopposed)]) == (
                found.certain + found.unopposed
            )
    assert told > 5


def test_what_is_not_allowed_brings_nothing() -> None:
    game = kursbuch.new("rocket", players=NAMES, seed=7)
    view = game.view(game.pending[0].seat)
    assert preview(view, game.parse("Anna extends GWR to D13")).certain == ()


def test_nobody_is_told_what_is_secret() -> None:
    """The last secret bid turns all of them up; before that it says nothing of them."""
    for number in range(50):
        game = kursbuch.new("nimm", NAMES, number)
        if game.state.auction == "choice":
            break
    while len(game.pending) > 1:
        game.apply(game.legal_actions(game.pending[0].seat)[0].action)
    seat = game.pending[0].seat
    choice = game.legal_actions(seat)[0]
    found = preview(game.view(seat), choice.action)
    assert [type(event).__name__ for event in found.certain] == ["BidSealed"]
