"""Files of Rails-18xx: what was taken back in them, what cannot be taken over, options."""

from __future__ import annotations

from typing import Any

import pytest

from kursbuch.core.errors import KursbuchError
from kursbuch.core.registry import OtherGame
from kursbuch.games.g18xx.g1835 import TITLE, rails18xx
from kursbuch.games.g18xx.g1835.rails18xx import import_rails
from kursbuch.games.g18xx.rails18xx import CannotTake, Save, readings, settled
from tests.games.g18xx.g1835.railacts import PASS, act, acts, certificate, follow, null, packet

# ---- what has been taken back


def numbers(*given: Any) -> list[list[int]]:
    return [[one.number for one in way] for way in readings(acts(*given))]


def back(index: int | None = None, mode: str = "FORCED_UNDO") -> Any:
    return act("GameAction", mode=mode, moveStackIndex=index)


def test_what_was_taken_back_is_left_out() -> None:
    one, two = act("BuyStartItem", startItemName="M1"), act("BuyStartItem", startItemName="LD")
    undo, redo = act("GameAction", mode="UNDO"), act("GameAction", mode=4)
    kept = settled(acts(one, undo, two, undo, redo, act("GameAction", mode="SAVE")))
    assert [found["startItemName"] for found in kept] == ["LD"]
    # Several in a row, and again.
    assert numbers(one, two, undo, undo, redo, redo, two) == [[0, 1, 6]]
    assert numbers(one, two, back(-1, "UNDO"), two) == [[0, 3]]


def test_several_moves_are_taken_back_at_once() -> None:
    move = null(PASS)
    # The number of moves that are kept, or counted from another number.
    assert numbers(move, move, move, move, back(2), move) == [[0, 1, 5], [0, 1, 2, 5], [0, 5]]
    assert numbers(move, move, move, back(1), back(3, "REDO"), move)[0] == [0, 1, 2, 5]
    assert numbers(move, move, move, back(0), back(1, "REDO"), move) == [[0, 5], [0, 1, 5]]


@pytest.mark.parametrize(
    "given", [(back(),), (null(PASS), back(7)), (null(PASS), back(mode="REDO"))]
)
def test_taking_back_what_is_not_there(given: Any) -> None:
    with pytest.raises(KursbuchError, match=f"Action {len(given) - 1} .* moves that do not exist"):
        readings(acts(*given))


@pytest.mark.parametrize("shift", [0, 1])
def test_the_meaning_of_a_number_that_fits_what_follows_is_taken(
    shift: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = acts(
        act("BuyStartItem", "A", startItemName="M1"),
        act("BuyStartItem", "B", startItemName="LD"),
        act("BuyStartItem", "C", startItemName="NF"),
        # The first two are kept, whatever number that is.
        back(2 - shift),
        act("BuyStartItem", "C", startItemName="M2"),
        act("BuyStartItem", "A", startItemName="NF"),
        act("BuyStartItem", "B", startItemName="Bay"),
    )
    save = Save("1835", {}, ["A", "B", "C"], given)
    monkeypatch.setattr(rails18xx, "read", lambda data: save)
    game = import_rails(TITLE, b"").game
    assert [game.format(move.action) for move in game.moves] == [
        "A buys 1",
        "B buys LD",
        "C buys 2",
        "A buys NF",
        "B buys BY-director",
    ]


# ---- what cannot be taken over


def test_a_partial_import_ends_where_several_moves_are_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = acts(
        act("BuyStartItem", startItemName="M1"),
        act("GameAction", mode="FORCED_UNDO", moveStackIndex=7),
        act("BuyStartItem", startItemName="LD"),
    )
    save = Save("1835", {}, ["Anna", "Bernd", "Clara"], given)
    monkeypatch.setattr(rails18xx, "read", lambda data: save)
    with pytest.raises(KursbuchError, match="Action 1 "):
        import_rails(TITLE, b"")
    found = import_rails(TITLE, b"", partial=True)
    assert found.done == 1
    assert "Action 1" in str(found.stopped)


@pytest.mark.parametrize("kind", ["ShareCorrectionAction", "SomethingNew"])
def test_an_unknown_kind_is_named(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = acts(act("BuyStartItem", "A", startItemName="M1"), act(kind), null(PASS, "B"))
    save = Save("1835", {}, ["A", "B", "C"], given)
    monkeypatch.setattr(rails18xx, "read", lambda data: save)
    with pytest.raises(
        KursbuchError, match=f"Action 1 is of a kind that cannot be imported: {kind}."
    ):
        import_rails(TITLE, b"")
    found = import_rails(TITLE, b"", partial=True)
    assert (found.done, len(found.game.moves)) == (1, 1)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (act("BuyStartItem", startItemName="M7"), "names 'M7', which is not known"),
        (act("BuyStartItem", startItemName="PfB"), "breaks rule 1835:2.5.1"),
        (certificate("A", "BY", 10), "does not fit: no player can do this now"),
    ],
)
def test_what_does_not_fit_is_named(given: Any, sentence: str) -> None:
    with pytest.raises(CannotTake, match=sentence):
        follow(packet(), given)


def test_a_partial_import(monkeypatch: pytest.MonkeyPatch) -> None:
    given = acts(
        act("BuyStartItem", "A", startItemName="M1"),
        act("GameAction", "A", mode="SAVE"),
        act("BuyStartItem", "D", startItemName="LD"),
        act("Surprise", "A"),
    )
    save = Save("1835", {"Variant": "Standard"}, ["Anna", "Bernd", "Clara", "Dirk"], given)
    monkeypatch.setattr(rails18xx, "read", lambda data: save)
    with pytest.raises(KursbuchError, match="Action 3"):
        import_rails(TITLE, b"")
    found = import_rails(TITLE, b"", partial=True)
    assert (found.actions, found.done) == (4, 3)
    assert "Surprise" in str(found.stopped)
    assert [found.game.format(move.action) for move in found.game.moves] == [
        "Anna buys 1",
        "Bernd is done",
        "Clara is done",
        "Dirk buys LD",
    ]
    assert dict(found.reached) == {0: 3, 2: 4}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"BYFloatsAt": "40%"},
            "The option BYFloatsAt of Rails-18xx, here 40%, has no equivalent.",
        ),
        ({"Variant": "Advanced"}, "The option Variant of Rails-18xx, here Advanced"),
        ({"NewRule": "yes"}, "NewRule"),
        ({"NoMapMode": "yes"}, "NoMapMode"),
    ],
)
def test_options_without_an_equivalent_are_named(
    options: dict[str, str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = Save("1835", options, ["A", "B", "C"], [])
    monkeypatch.setattr(rails18xx, "read", lambda data: save)
    with pytest.raises(KursbuchError, match=sentence):
        import_rails(TITLE, b"")
    found = import_rails(TITLE, b"", partial=True)
    assert len(found.remarks) == 1


def test_options_with_an_equivalent(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {
        "Variant": "Snake",
        "LDIncome": "30M",
        "UnlimitedTiles": "Yes",
        "RouteAwareness": "Highlight",
    }
    save = Save("1835", options, ["A", "B", "C"], [])
    monkeypatch.setattr(rails18xx, "read", lambda data: save)
    found = import_rails(TITLE, b"")
    assert found.game.options["packet"] == "snake"
    assert found.game.options["ld-30"] == "on"
    # What is not needed is not set.
    assert found.game.options["unlimited-tiles"] == "off"
    assert not found.remarks


def test_a_game_of_another_title(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rails18xx, "read", lambda data: Save("1856", {}, [], []))
    with pytest.raises(OtherGame, match="a game of 1856"):
        import_rails(TITLE, b"")


def test_what_is_no_save_file() -> None:
    for data in (b"", b"Kursbuch record 1\n", b"\xac\xed\x00\x05", bytes(range(256))):
        with pytest.raises(KursbuchError, match="not a Rails-18xx save file"):
            import_rails(TITLE, data)
