"""Refusals: every one names its rule and says what is really in the way, in both languages."""

from __future__ import annotations

import random

import pytest

from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.words import Words
from kursbuch.games.dice import TITLE
from kursbuch.games.dice.actions import BuildStation, BuyShare, LayTrack, OpenTile, ReturnDice, Roll
from kursbuch.games.dice.state import Bridge
from tests.games.dice.scenario import NAMES, Scene
from tests.games.dice.test_invariants import every_action, played


@pytest.mark.parametrize(
    "wrong",
    [
        LayTrack(0, "AB", "e4", "E"),  # type: ignore[arg-type]
        LayTrack(0, "A", "e4", "NES"),  # type: ignore[arg-type]
        LayTrack(0, "A", "e4", ""),  # type: ignore[arg-type]
        LayTrack(0, "A", "e44", "N"),
        LayTrack(0, "A", "e4\n", "N"),
        LayTrack(0, "A", "e4", "N", behind=-1),
        LayTrack(0, "A", "e4", "N", behind=1.0),  # type: ignore[arg-type]
        LayTrack(0, "A", "e4", "N", question="yes"),  # type: ignore[arg-type]
        BuyShare(0, "weiden", "anyone"),  # type: ignore[arg-type]
        BuyShare(0, 3, "bank"),  # type: ignore[arg-type]
        BuildStation(0, "weiden", "meadow", 3.5, "A"),  # type: ignore[arg-type]
        BuildStation(0, "weiden", "meadow", 3, "BA"),  # type: ignore[arg-type]
        Roll(0, 1.0, 0),  # type: ignore[arg-type]
        Roll(0, -1, 2),
        OpenTile(0, "lake", 4),
        ReturnDice(0, straights=-1, curves=1),
    ],
)
def test_malformed_actions_are_refused_from_python_and_json(wrong: Action) -> None:
    scene = Scene(2).front("A", straight=2, curve=2, question=4).behind("A", 4)
    before = TITLE.encode(scene.state)
    with pytest.raises(IllegalAction, match=r"^This is not an action of Railroad Dice: .*\.$"):
        scene.game.apply(wrong)
    with pytest.raises(KursbuchError, match=r"^This is not an action of Railroad Dice: .*\.$"):
        TITLE.action_from_json(TITLE.action_to_json(wrong))
    assert TITLE.encode(scene.state) == before


def test_every_refusal_of_a_wellformed_action_names_its_rule() -> None:
    """In random games: of everybody on turn, and of those who are not."""
    refusals = []
    for seed in range(8):
        rng = random.Random(seed)
        for game in played(seed, 2 + seed % 3, 120):
            if game.over:
                continue
            seat = game.pending[0].seat
            actions = rng.sample(every_action(game.state, seat), 60)
            others = rng.sample(every_action(game.state, (seat + 1) % len(game.names)), 3)
            refusals += [refusal(game, action) for action in actions + others]
    refused = [error for error in refusals if error is not None]
    assert all(error.rule in TITLE.rules for error in refused)
    assert all("{" not in error.text(Words("de", NAMES)) for error in refused)
    assert len({error.rule for error in refused}) >= 15


def refusal(game: Game, action: Action) -> IllegalAction | None:
    """Why a wellformed action is refused."""
    try:
        TITLE.action_from_json(TITLE.action_to_json(action))
    except KursbuchError:
        return None
    try:
        game.position.check(action)
    except IllegalAction as error:
        return error
    return None


def why(scene: Scene, text: str) -> str:
    """The sentence with which an action is refused."""
    scene.refused(text)
    return scene.why.rpartition(" [")[0]


@pytest.mark.rule("dice:turn-1")
def test_who_is_not_on_turn() -> None:
    scene = Scene(3)
    with pytest.raises(IllegalAction) as refused:
        scene.game.apply(scene.action("B takes income"))
    assert refused.value.rule == "turn-1"


@pytest.mark.rule("dice:ban-4", "dice:ban-3")
def test_the_line_may_not_close_at_a_station() -> None:
    """The station at the other end has an exit left."""
    scene = Scene(2).line("A", "e4 > E").station("A", "weiden", "f4", "meadow", 3)
    scene.line("B", "c4 c5 d5 e5 > E").front("A", curve=2, straight=2)
    assert scene.refused("A lays B f5 to N") == "ban-4"
    assert why(scene, "A lays B f5 to N") == "The line would close: its two ends may never meet."
    scene.line("A", "f3 e3 d3 d2 > E")
    assert scene.refused("A lays B f5 to N") == "ban-3"


@pytest.mark.rule("dice:ban-4")
def test_what_is_touched() -> None:
    scene = Scene(2).line("A", "e4 e3 > N").line("B", "c4 c3 > E").front("A", straight=2, curve=2)
    against = "The piece would run into track that is already there."
    assert why(scene, "A lays B d3 to S") == against
    scene = Scene(2).line("A", "e4 e3 d3 > N").line("B", "c4 c3 c2 > E").front("A", straight=2)
    assert why(scene, "A lays A d2 to N").startswith("The other end of the line leads to this")


@pytest.mark.rule("dice:track-2")
def test_which_die_is_missing() -> None:
    scene = Scene(2).front("A", curve=1)
    assert why(scene, "A lays A e4 to E") == "No die in front of your screen shows a straight."
    assert why(scene, "A lays A e4 to E with ?").endswith("shows a question mark.")
    scene.front("A", straight=1)
    scene.state.ledger.move("die", "0:curve", "supply")
    assert why(scene, "A lays A e4 to N") == "No die in front of your screen shows a curve."


def mountain() -> Scene:
    """The end A points to the foot of a mountain on e4."""
    scene = Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 > W")
    return scene.cross("A", "mountain2", "a4 b4 c4 > E", 1).line("A", "d4 > E")


@pytest.mark.rule("dice:mountain-1", "dice:mountain-2", "dice:dice-2")
def test_how_much_of_a_payment_comes_from_behind() -> None:
    scene = mountain().front("A", straight=4).behind("A", 1)
    low = "At least 1 of these dice must come from behind your screen: you have too few question marks."
    assert why(scene, "A lays A e4 to E") == low
    assert why(scene, "A lays A e4 to E paying 2 behind") == "That is more than has to be paid."
    scene.do("A lays A e4 to E paying 1 behind")
    assert scene.refused("A lays A f4 to E paying 1 behind") == "mountain-2"
    assert scene.refused("A lays B b4 to W paying 1 behind") == "dice-2"
    scene = mountain().front("A", straight=1, question=1)
    assert why(scene, "A lays A e4 to E paying 1 behind") == (
        "You do not have that many dice behind your screen."
    )


@pytest.mark.rule("dice:lake-1", "dice:lake-2", "dice:lake-3")
def test_question_marks_needed_beyond_the_bridge() -> None:
    scene = Scene(2).line("A", "e4 e3 e2 f2 g2 > E").cross("A", "lake", "a2 b2 > E")
    scene.front("A", straight=2, question=2).behind("A", 1)
    scene.do("A lays A c2 to E")
    assert scene.refused("A lays A d2 to E") == "lake-3"
    assert "needed for what must follow" in why(scene, "A lays A d2 to E")
    scene.do("A lays A d2 to E paying 1 behind")
    scene = Scene(2).line("A", "e4 e3 e2 f2 g2 > E").cross("A", "lake", "a2 b2 > E")
    scene.front("A", straight=5, curve=3).behind("A", 5)
    scene.do("A lays A c2 to E", "A lays A d2 to S paying 2 behind")
    assert scene.refused("A lays A d3 to S paying 2 behind") == "lake-2"


@pytest.mark.rule("dice:ban-2", "dice:lake-3")
def test_where_no_dice_would_help() -> None:
    """Round the lake everything is taken, and the end cannot leave its tile any more."""
    shore = "a4 a5 b5 b6 c6 c7 d7 e7 e6 f6 f5 g5 g4 g3 f3 f2 e2 e1 d1 c1 c2 b2"
    scene = (
        Scene(2).line("A", "e4 f4 g4 > E").line("B", "c4 > W").cross("A", "lake", shore + " > S")
    )
    scene.place(-1, 1, "meadow").front("A", straight=3, curve=3, question=3)
    assert scene.refused("A lays A b3 to E") == "ban-2"
    assert why(scene, "A lays A b3 to E").startswith("No bridge across the water")
    shore = "e7 e6 f6 f5 g5 g4 g3 f3 f2 e2 e1 d1 c1 c2 b2 b3 a3 a4 a5 b5 b6 c6"
    scene = (
        Scene(2).line("A", "e4 e3 e2 e1 > N").line("B", "c4 > W").cross("A", "lake", shore + " > E")
    )
    scene.place(-1, -1, "meadow").front("A", straight=3, curve=3).behind("A", 4)
    scene.state.agenda.append(Bridge(0, 0))
    assert scene.refused("A lays A d6 to N paying 2 behind") == "lake-3"
    assert why(scene, "A lays A d6 to N paying 2 behind").endswith("back to land that way.")
    assert scene.allowed("A lays A d6 to S paying 2 behind")


@pytest.mark.rule("dice:share-8", "dice:share-4")
def test_shares_of_ones_own_company() -> None:
    scene = Scene(2).director("A", "weiden").shares("weiden", B=2).front("A", share=1)
    assert scene.refused("A buys weiden from director") == "share-8"
    assert why(scene, "A buys weiden from director with ?").endswith("shows a question mark.")


@pytest.mark.rule("dice:station-1", "dice:table-stations")
def test_stations_that_are_gone_and_stations_that_never_were() -> None:
    scene = Scene(2).line("A", "e4 > E").director("A", "weiden").front("A", question=9)
    never = "There is no such station on the card of Weiden Express."
    for text in ("weiden lake 3", "weiden meadow 4", "weiden sand 3"):
        assert why(scene, f"A builds {text} at A") == never
    scene.built("weiden", "meadow", 3, 5)
    assert why(scene, "A builds weiden meadow 3 at A") == (
        "Weiden Express has built all its stations of this kind."
    )
    assert why(scene, "A builds insel meadow 3 at A").startswith("Insel Hopper has no director")
    scene.director("B", "insel")
    assert why(scene, "A builds insel meadow 3 at A").startswith("Only the director of")


@pytest.mark.rule("dice:tile-2", "dice:tile-1", "dice:reduce-1")
def test_what_is_to_be_done_first() -> None:
    scene = Scene(2).line("A", "e4 f4 > E").front("A", straight=3)
    assert why(scene, "A lays A g4 to E").startswith("At least 5 pieces must lie on the tile")
    assert scene.refused("A opens lake") == "tile-1"
    assert scene.refused("A returns 1 straight") == "reduce-1"
    assert why(scene, "A lays A h8 to E") == "There is no square h8."
    scene.front("A", question=4).do("A ends turn")
    assert why(scene, "A rolls 1").startswith("Your turn is over: first return dice until 5")
    assert why(scene, "A returns 1 straight").startswith("At most 5 dice")
    assert why(scene, "A returns 2 straight, 1 ?").startswith("Only surplus dice")
    assert why(scene, "A returns 2 curve") == "You do not have these dice in front of your screen."
