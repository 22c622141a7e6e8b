"""The drawing of the table: the map with what it is asked, the chart, the trains."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from kursbuch.core.words import Words
from kursbuch.games.g18xx.components import POOL, STACK
from kursbuch.games.g18xx.drawing.sheets import chart_places
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.g1853.state import BidTurn, State1853, WriteBonds
from kursbuch.games.g18xx.map.track import Laid, Layout, Station
from kursbuch.games.g18xx.state import Build, BuyTrains, Pay, Round, StockTurn
from tests.games.g18xx.g1853.table import Scene

WORDS = Words("en", ["<Anna & Co>", "Bernd", "Clara", "Dirk"])
BOOK = TITLE.ruleset
SVG = "{http://www.w3.org/2000/svg}"


def state(*agenda: object) -> State1853:
    """The beginning, with these steps only."""
    found = TITLE.setup(4, TITLE.option_values({}))
    found.agenda[:] = agenda  # type: ignore[assignment]
    return found


def drawn(found: State1853, *marks: str) -> ElementTree.Element:
    return ElementTree.fromstring(TITLE.draw(found, WORDS, marks))


def text(root: ElementTree.Element) -> str:
    return ElementTree.tostring(root, "unicode")


def part(root: ElementTree.Element, name: str) -> ElementTree.Element:
    """A sheet of the drawing, with what is above its marks."""
    found = ElementTree.Element(name)
    found.extend(one for one in root.iter() if one.get("data-part") == name)
    return found


def with_class(root: ElementTree.Element, *names: str) -> list[ElementTree.Element]:
    return [one for one in root.iter() if set(names) <= set(str(one.get("class")).split())]


def test_there_are_sheets_for_the_map_the_shares_and_the_trains() -> None:
    root = drawn(state(StockTurn(0)))
    names = [one["name"] for one in json.loads(str(root.get("data-sheets")))]
    assert names == ["map", "shares", "trains"]


@pytest.mark.parametrize(
    ("step", "sheet"),
    [
        (WriteBonds([0]), "map"),
        (BidTurn(0), "map"),
        (StockTurn(0), "shares"),
        (BuyTrains("EIR"), "trains"),
    ],
)
def test_the_sheet_to_look_at_is_that_of_the_step(step: object, sheet: str) -> None:
    assert drawn(state(step)).get("data-sheet") == sheet


# ---- the map


def test_cities_show_their_values_and_companies_during_the_bids() -> None:
    asked = with_class(part(drawn(state(BidTurn(0))), "map"), "ask-text")
    assert sorted(str(one.text) for one in asked) == sorted(
        str(city.value) for city in BOOK.components.cities.values()
    )
    assert not with_class(drawn(state(StockTurn(0))), "ask-text")


def test_the_cities_of_ones_contract_have_a_ring_that_says_whether_they_are_joined() -> None:
    found = state(StockTurn(0))
    found.contracts[0].cities = ["Mysore", "Bangalore", "Karachi"]
    found.contracts[1].cities = ["Patna"]
    mine = TITLE.view(found, 0)

    def rings(one: State1853) -> tuple[int, int]:
        root = part(drawn(one), "map")
        solid, dashed = (len(with_class(root, "ring", kind)) for kind in ("solid", "dashed"))
        return solid, dashed

    # Each kind once more, in the legend.
    assert rings(mine) == (0, 3 + 1)
    assert rings(TITLE.view(found, 2)) == (0, 0)
    mine.layout = Layout({"R14": Laid("69", 0), "R16": Laid("69", 3)}, mine.layout.stations)
    assert rings(mine) == (2 + 1, 1 + 1)
    mine.contracts[0].shown = True
    assert rings(mine) == (0, 0)


def test_marks_do_not_cover_names_and_what_is_asked() -> None:
    root = drawn(state(BidTurn(0)))
    (above,) = (one for one in root if one.get("data-above") is not None)
    assert len(with_class(above, "name")) == len(with_class(above, "ask")) == 23
    assert with_class(root, "name") == with_class(above, "name")


def test_terrain_bonuses_and_the_valley_are_shown() -> None:
    root = part(drawn(state(StockTurn(0))), "map")
    records = BOOK.components.file.map.hexes
    assert len(with_class(root, "valley", "land")) == sum(
        record.valley and record.color == "white" for record in records
    )
    # One more in the legend.
    assert len(with_class(root, "bonus")) == 1 + sum(record.bonus > 0 for record in records)
    for kind in ("river", "rivers", "hill", "mountain", "high_mountain"):
        bare = sum(kind in record.terrains and not record.paths for record in records)
        assert len(with_class(root, f"terrain-{kind}")) == 1 + bare


def test_building_costs_are_hidden_until_a_tile_can_be_laid() -> None:
    costs = with_class(part(drawn(state(StockTurn(0))), "map"), "cost")
    assert len(costs) > 60
    assert {one.get("visibility") for one in costs} == {"hidden"}
    # The name of the hex says them, too.
    assert "<title>C5: 140/70</title>" in TITLE.draw(state(StockTurn(0)), WORDS)


def test_homes_and_tokens_have_the_numbers_of_their_companies() -> None:
    found = state(StockTurn(0))
    reserved = r'class="reserved"[^>]*>(\w+)<'
    # BBCI has its second home only if it is large.
    assert sorted(re.findall(reserved, TITLE.draw(found, WORDS))) == list("112233445678")
    found.layout = Layout(found.layout.tiles, [Station("SIR", "T16", 0)])
    picture = TITLE.draw(found, WORDS)
    assert "7" not in re.findall(reserved, picture)
    assert "<title>Trichinopoly, SIR</title>" in picture


def test_the_territory_of_the_company_that_builds_is_shown() -> None:
    def shown(found: State1853) -> list[str | None]:
        areas = [one for one in drawn(found).iter() if one.get("data-area-of")]
        assert [one.get("data-area-of") for one in areas] == list(BOOK.public)
        return [one.get("data-area-of") for one in areas if one.get("visibility") != "hidden"]

    assert shown(state(StockTurn(0))) == []
    assert shown(state(Build("BNR"))) == ["BNR"]


def test_the_run_that_carries_the_mail_is_named() -> None:
    found = state(Pay("SIR", 40))
    found.layout = Layout({"R14": Laid("69", 0), "R16": Laid("69", 3)}, found.layout.stations)
    found.layout = Layout(found.layout.tiles, [Station("SIR", "R14", 0)])
    found.companies["SIR"].operating = True
    found.ledger.move("train:2", STACK, "SIR")
    root = drawn(found)
    assert "2: 40 + 40 mail" in text(root)
    assert len(with_class(root, "letter")) == 1


def test_the_whole_map_can_be_read_on_a_screen_of_1440_by_900() -> None:
    found = state(BidTurn(0))
    found.layout = Layout(found.layout.tiles, [Station("SIR", "T16", 0)])
    root = drawn(found)
    (frame,) = (one for one in json.loads(str(root.get("data-sheets"))) if one["name"] == "map")
    # What the page leaves for a board there.
    scale = min(948 / frame["wide"][0], 799 / frame["wide"][1])
    sizes = {
        float(str(one.get("font-size")))
        for one in part(root, "map").iter(f"{SVG}text")
        if one.get("visibility") != "hidden" and one.get("font-size")
    }
    assert min(sizes) * scale >= 10


# ---- prices


def test_boxes_that_are_more_than_a_price_are_marked() -> None:
    sheet = part(drawn(state(StockTurn(0))), "shares")
    # One more of each, in the legend.
    assert len(with_class(sheet, "exempt")) == 4 + 1
    assert len(with_class(sheet, "end")) == 1 + 1
    assert len(with_class(sheet, "field")) == 35 + 2
    assert max(column for column, _ in chart_places(BOOK).values()) < 12


# ---- trains


def card(root: ElementTree.Element, train: str) -> str:
    """What stands on the card of a train."""
    titles = [str(one.text) for one in part(root, "trains").iter(f"{SVG}title")]
    (found,) = (one for one in titles if one.startswith(f"{train}: "))
    return found


def keys(root: ElementTree.Element) -> set[str]:
    found = {str(one.get("data-pick")) for one in part(root, "trains").iter()}
    return found - {"None"}


def test_cards_say_what_a_train_costs_and_when_it_is_sold() -> None:
    found = state(BuyTrains("EIR"))
    root = drawn(found)
    assert card(root, "2") == "2: £300, 6 left, on offer, until the first 4"
    assert card(root, "3M") == "3M: £430, 3 left, from phase 4"
    assert keys(root) == {"train:bank:2"}
    found.phase = 2
    found.ledger.items["train:3"][POOL] = 1
    root = drawn(found)
    assert card(root, "2") == "2: £300, out of the game"
    assert "train:pool:3" in keys(root)


def test_small_companies_may_buy_the_other_side_of_a_card() -> None:
    found = state(BuyTrains("SIR"))
    found.small_founded = True
    assert "train:bank:1M" in keys(drawn(found))
    assert "back of the 2" in card(drawn(found), "1M")
    # There are more of them than the cards that are counted.
    found.round = Round(1, 1)
    assert "any number left" in card(drawn(found), "2")
    found.round = Round(2, 1)
    assert "6 left" in card(drawn(found), "2")


def test_loco_tokens_are_shown_until_they_are_used() -> None:
    found = state(BuyTrains("SIR"))
    assert not with_class(drawn(found), "spent")
    found.charters["SIR"].token = False
    found.companies["SIR"].operating = True
    assert len(with_class(drawn(found), "spent")) == 1


@pytest.mark.rule("1853:2.7.3")
def test_unredeemed_shares_are_marked_in_the_list() -> None:
    found = state(StockTurn(0))
    found.ledger.move("SIR:10", STACK, "p1", 2)
    assert "not redeemed" not in text(part(drawn(found), "shares"))
    found.unredeemed[1]["SIR"] = 1
    assert "1 not redeemed" in text(part(drawn(found), "shares"))


@pytest.mark.rule("1853:2.5.3")
def test_players_are_listed_as_they_sit() -> None:
    """The highest bond settles who sits where."""
    scene = Scene(3).shares("EIR", B=5, C=1).operating("EIR")
    scene.state.seating = [0, 2, 1]
    assert [*TITLE.seating(scene.state, 3)] == [0, 2, 1]
    sheet = part(drawn(scene.state), "shares")
    letters = [
        (float(str(one.get("x"))), one.text or "")
        for one in sheet.iter()
        if one.tag == f"{SVG}text"
    ]
    heads = sorted((x, text) for x, text in letters if text[:2] in ("1 ", "2 ", "3 "))
    assert [text[0] for _, text in heads] == ["1", "3", "2"]
    held = sorted((x, text) for x, text in letters if x >= heads[0][0] and text.endswith("%"))
    assert held == [(heads[1][0], "10%"), (heads[2][0], "★50%")]
    # Before the bonds are shown everybody sits as they came.
    scene.state.seating = []
    assert [*TITLE.seating(scene.state, 3)] == [0, 1, 2]


@pytest.mark.rule("1853:1-map")
def test_what_is_reconstructed_has_a_dotted_line() -> None:
    def dotted(found: State1853) -> int:
        return text(part(drawn(found), "map")).count('class="doubt"')

    found = state(Build("SIR"))
    usual = dotted(found)
    # I29, J30, K29, O21, and the sample in the legend.
    assert usual == 5
    found.layout = found.layout.with_tile("T16", Laid("717", 0), range(9))
    assert dotted(found) == usual + 1
    found.layout = found.layout.with_tile("T16", Laid("12", 0), range(9))
    assert dotted(found) == usual
    # A tile that is recorded covers what is not.
    found.layout = found.layout.with_tile("I29", Laid("55", 0), range(9))
    assert dotted(found) == usual - 1
    # Only Delhi's companies stand in the book; those of six cities in records.
    asked = text(part(drawn(state(BidTurn(0))), "map"))
    boxes = re.findall('<[^>]*class="ask"[^>]*>', asked)
    assert len(boxes) == 23
    assert sum("stroke-dasharray" in box for box in boxes) == 16
