"""Sentences, choices, holdings and the drawing: complete, and without what may not be known."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.words import LANGUAGES, Words
from kursbuch.games.nimm import TITLE
from kursbuch.games.nimm.actions import Bid, Keep, Pass, Replace
from kursbuch.games.nimm.components import KINDS, SPECIALS
from kursbuch.games.nimm.events import TargetUsed
from kursbuch.games.nimm.text.panels import Names
from tests.games.nimm.randomplay import new_game, play
from tests.games.nimm.scenario import Scene


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (3, 2), (6, 3), (4, 10)])
def test_everything_can_be_said(language: str, seats: int, seed: int) -> None:
    game: Game = new_game(seats, {"open_auction": "rounds"} if seed % 2 else {}, seed)
    words = Words(language, game.names)
    for number, _ in enumerate(play(game, seed, 5000)):
        for event in game.moves[-1].events:
            assert TITLE.voice(words).describe(event)
        TITLE.marks(game.moves[-1].events)
        if number % 4:
            continue
        for decision in game.pending:
            view = game.view(decision.seat)
            assert TITLE.voice(words).prompt(view.state, decision)
            for choice in view.legal_actions():
                pick = TITLE.voice(words).pick(view.state, choice.action)
                assert pick.label
                assert pick.keys
        panels = TITLE.voice(words).panels(game.view(0).state)
        assert [panel.seat for panel in panels] == [*range(seats), None]


def test_the_drawing_is_well_formed_and_can_be_pointed_at() -> None:
    words = Words("en", ["<Anna & Co>", "Bernd", "Clara"])
    game = new_game(3, {}, 5)
    kinds = set()
    kinds_drawn = {"loco", "card", "train", "seat", "target"}
    for number, _ in enumerate(play(game, 5, 5000)):
        if number % 7:
            continue
        seat = game.pending[0].seat if game.pending else 0
        view = game.view(seat)
        text = TITLE.draw(view.state, words, ["train:0:1", "card:food50"])
        root = ElementTree.fromstring(text)
        drawn = {element.get("data-pick") for element in root.iter()} - {None}
        kinds |= {str(key).split(":")[0] for key in drawn}
        for choice in view.legal_actions():
            for key in TITLE.voice(words).pick(view.state, choice.action).keys:
                if key.split(":")[0] in kinds_drawn:
                    assert key in drawn, (number, choice)
    assert kinds == kinds_drawn


def test_every_wagon_and_special_card_can_be_drawn() -> None:
    scene = Scene(6).own(**{name: "S1 D1 E1".replace("1", str(n)) if n < 4 else "- - -"
                            for n, name in enumerate("ABCDEF", 1)})  # fmt: skip
    cards = [next(c for c in TITLE.cards.wagons if c.startswith(kind)) for kind in KINDS]
    scene.open(" ".join([*cards, *SPECIALS])).turn("A", "A B C D E F")
    scene.load("A", 1, "food50 double")
    ElementTree.fromstring(TITLE.draw(scene.state, Words("de", list("ABCDEF"))))


def test_sums_of_others_are_not_in_the_holdings() -> None:
    game = new_game(3, {}, 1)
    words = Words("en", game.names)
    money = [panel.rows[0].value for panel in TITLE.voice(words).panels(game.view(1).state)[:3]]
    assert money == ["–", "$5,000", "–"]
    money = [panel.rows[0].value for panel in TITLE.voice(words).panels(game.view(None).state)[:3]]
    assert money == ["–"] * 3
    tiles = [
        [row.key for row in panel.rows if row.key.startswith("target:")]
        for panel in TITLE.voice(words).panels(game.view(1).state)[:3]
    ]
    assert [len(keys) for keys in tiles] == [0, 3, 0]


@pytest.mark.rule("nimm:replace-2", "nimm:replace-5")
def test_only_who_can_pay_is_told_of_replacing() -> None:
    words = Words("en", "AB")
    scene = Scene(2).own(A="E3 D5 S5", B="D6 E1 S1").open("food50 coal150 oil200")
    scene.money(A=600, B=250).turn("A", "A B")

    def prompt(viewer: int) -> str:
        return TITLE.voice(words).prompt(scene.game.view(viewer).state, scene.game.pending[0])

    assert prompt(0) == "Take an open card, have cards replaced for $600, or pass."
    scene.money(A=550)
    assert prompt(0) == "Take one of the open cards, or pass."
    # What A has does not show to B.
    assert prompt(1) == "Take an open card, have cards replaced for $600, or pass."
    assert not any(line.startswith("replaces") for line in scene.can("A"))


def test_log_lines_speak_of_somebody_not_to_him() -> None:
    for language, own in (("en", ("your", "you ")), ("de", ("dein", "du "))):
        words = Words(language, ["Anna", "Bernd"])
        for tile in TITLE.cards.targets:
            event = TargetUsed(rule=tile, amounts=(100, 0), seat=0, tile=tile)
            line = TITLE.voice(words).describe(event)
            assert not any(word in line.casefold() for word in own), line


@pytest.mark.parametrize(
    ("tile", "english", "german"),
    [
        (
            "target-2",
            "special card taken (Multiplier +1, Bonus or Double wagon)",
            "Sonderkarte genommen (Multiplikator +1, Bonus oder Doppelwagen)",
        ),
        ("target-7", "4 wagons with food", "4 Wagen mit Lebensmitteln"),
        ("target-8", "4 wagons with cattle", "4 Wagen mit Vieh"),
        ("target-11", "2 wagons with luxury goods", "2 Wagen mit Luxusgütern"),
        ("target-12", "2 wagons with passengers", "2 Wagen mit Passagieren"),
    ],
)
def test_what_target_tiles_say(tile: str, english: str, german: str) -> None:
    for language, text in (("en", english), ("de", german)):
        assert Names(TITLE.cards, Words(language)).condition(tile).startswith(text)


@pytest.mark.parametrize(
    "text", ["", "takes", "bids", "bids -50", "bids 1e3", "replaces", "sells E3"]
)
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(KursbuchError, match="is not a move"):
        TITLE.notation.parse(text, 0)


def test_moves_may_be_typed_freely() -> None:
    assert TITLE.notation.parse("BIDS $500", 1) == Bid(1, 500)
    assert TITLE.notation.parse("keeps e3", 1) == Keep(1, "E3")
    assert TITLE.notation.parse("replaces Double food50 COAL200", 1) == Replace(
        1, ("food50", "coal200", "double")
    )
    assert TITLE.notation.parse(" passes ", 1) == Pass(1)


def test_irrevocable_moves() -> None:
    assert TITLE.irrevocable(Bid(0, 50))
    assert not TITLE.irrevocable(Pass(0))


def test_rule_texts_name_the_same_numbers() -> None:
    """Numbers of the game are the same in both languages."""
    for rule in TITLE.rules:
        english, german = (re.findall(r"\d{3,}", rule.text(language)) for language in ("en", "de"))
        assert sorted(english) == sorted(german), rule.id
