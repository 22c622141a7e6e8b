"""The drawing of the table: what can be pointed at, what it shows, and the pieces."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

from kursbuch.core.words import Words
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.state import BuyTrains, Pay, PlaceToken, RaiseMoney
from tests.games.g18xx.g1835.table import Scene

WORDS = Words("en", ["<Anna & Co>", "Bernd", "Clara", "Dirk"])
BUTTONS = {"done", "pay", "save", "open", "wait", "accept", "refuse"}


def drawn(scene: Scene, *marks: str) -> tuple[ElementTree.Element, set[str]]:
    """The drawing, and the keys that can be pointed at."""
    root = ElementTree.fromstring(TITLE.draw(scene.state, WORDS, marks))
    return root, {str(one.get("data-pick")) for one in root.iter() if one.get("data-pick")}


def firsts(scene: Scene, seat: int = 0) -> set[str]:
    """What everything a player may do begins with."""
    choices = scene.position.legal_actions(seat)
    return {TITLE.voice(WORDS).pick(scene.state, choice.action).keys[0] for choice in choices}


def sheet(root: ElementTree.Element) -> str:
    return str(root.get("data-sheet"))


def test_the_start_packet_is_shown_while_it_is_sold() -> None:
    scene = Scene()
    scene.position = type(scene.position)(TITLE, TITLE.setup(4, TITLE.option_values({})),
                                          scene.position.chance)  # fmt: skip
    scene.on()
    root, keys = drawn(scene)
    assert sheet(root) == "packet"
    assert firsts(scene, 0) <= keys | BUTTONS
    assert "paper:NF" in keys
    names = [one["name"] for one in json.loads(str(root.get("data-sheets")))]
    assert names == ["map", "shares", "packet"]
    sold, _ = drawn(Scene().sold().stock("A"))
    assert [one["name"] for one in json.loads(str(sold.get("data-sheets")))] == ["map", "shares"]


def test_shares_are_bought_on_the_sheet_of_shares() -> None:
    scene = Scene().sold().shares("BY", A="20P 10 10", B="10", pool="10").operating("BY")
    scene.stock("A")
    root, keys = drawn(scene)
    assert sheet(root) == "shares"
    assert firsts(scene) <= keys | BUTTONS
    text = ElementTree.tostring(root, "unicode")
    assert "★40%" in text
    assert "price:BY" in keys


def test_who_has_sold_in_this_round_is_shown() -> None:
    scene = Scene().sold().shares("BY", A="20P 10 10", B="10", pool="10").operating("BY")
    scene.stock("A")
    assert ">sold<" not in ElementTree.tostring(drawn(scene)[0], "unicode")
    scene.do("A sells BY 10")
    assert ElementTree.tostring(drawn(scene)[0], "unicode").count(">sold<") == 1


def test_a_forced_sale_is_made_on_the_sheet_of_shares() -> None:
    scene = Scene().sold().shares("BY", A="20P 10", B="10").operating("BY")
    scene.money(BY=1000).turn("BY", BuyTrains)
    assert sheet(drawn(scene)[0]) == "map"
    scene.state.agenda.append(RaiseMoney("BY", "2", "bank"))
    root, _ = drawn(scene)
    assert sheet(root) == "shares"


def test_tiles_and_stations_are_placed_on_the_map() -> None:
    scene = Scene().papers(A="3").turn("3")
    root, keys = drawn(scene)
    assert sheet(root) == "map"
    assert firsts(scene) <= keys | BUTTONS
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY").money(BY=1000)
    scene.tiles("O15:201:3", "N14:8:1", "N12:57:0").turn("BY", PlaceToken)
    assert "stop:N12/0" in firsts(scene)
    assert firsts(scene) <= drawn(scene)[1] | BUTTONS


def test_runs_are_drawn_while_their_revenue_is_decided_about() -> None:
    scene = Scene().papers(A="3").sold().shares("BY", A="20P 10").operating("BY")
    scene.tiles("F14:57:0").station("BY", "F14").trains("BY", "2").on(Pay("BY", 40))
    root, _ = drawn(scene)
    runs = [one for one in root.iter() if one.get("class") == "run-0"]
    assert len(runs) == 3  # half a tile on each side of the border, and the legend
    assert "2: 40" in ElementTree.tostring(root, "unicode")


def test_the_last_runs_are_drawn_as_they_were_run() -> None:
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY")
    scene.tiles("O15:201:3", "N14:8:1", "N12:57:0", "F14:57:0").station("BY", "O15")
    scene.turn("BY", BuyTrains)
    # Not what earns the most, and with a train that is no longer there.
    root, _ = drawn(scene, "run:BY:0:2:O15/0-N12/0")
    text = ElementTree.tostring(root, "unicode")
    assert 'class="run-0"' in text
    assert "2: 50" in text
    # A run that is no longer possible is left out.
    root, _ = drawn(scene, "run:BY:0:2:O15/0-F14/0")
    assert 'class="run-0"' not in ElementTree.tostring(root, "unicode")


def test_the_last_move_is_pointed_out() -> None:
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY").tiles("O15:201:2")
    scene.turn("BY", BuyTrains)
    root, _ = drawn(scene, "hex:O15", "stop:O15/0", "price:BY", "company:BY")
    marked = [one for one in root.iter() if "mark" in str(one.get("class")).split()]
    assert len(marked) == 4


def test_homes_are_shown_until_their_company_is_there() -> None:
    def reserved(scene: Scene) -> list[str]:
        return re.findall(r'class="reserved"[^>]*>(\w+)<', TITLE.draw(scene.state, WORDS))

    assert "SX" in reserved(Scene())
    assert "SX" not in reserved(Scene().operating("SX"))


def test_every_tile_is_among_the_pieces() -> None:
    root = ElementTree.fromstring(TITLE.pieces)
    keys = {one.get("data-piece") for one in root.iter() if one.get("data-piece")}
    assert keys == {f"tile:{name}" for name in TITLE.ruleset.components.board.tiles}
