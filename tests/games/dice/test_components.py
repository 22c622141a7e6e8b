"""Component data: as in the package, corrected, and wrong."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.words import Words
from kursbuch.games.dice import TITLE
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.components import standard_data
from tests.games.dice.scenario import NAMES, Scene
from tests.games.dice.test_invariants import one_of
from tests.happened import only

Data = dict[str, Any]
STANDARD: Data = json.loads(standard_data())


def changed(change: Callable[[Data], object]) -> bytes:
    data = copy.deepcopy(STANDARD)
    change(data)
    return json.dumps(data).encode()


def test_every_record_carries_its_source() -> None:
    for name in ("dice", "economy", "geometry", "start"):
        assert STANDARD[name]["source"] in ("rulebook", "public", "reconstructed")
    for name in ("share_trading", "tiles", "companies", "station_terrain", "components"):
        for record in STANDARD[name]:
            assert record["source"] in ("rulebook", "public", "reconstructed"), record


def test_counts_agree_with_the_index() -> None:
    counts = {component.id: component.count for component in TITLE.rules.components}
    assert {record["id"]: record["count"] for record in STANDARD["components"]} == counts
    assert sum(tile.small for tile in TITLE.board.tiles) == counts["small-tile"]
    assert sum(TITLE.board.totals) == counts["station"]
    assert TITLE.board.dice == counts["railroad-die"]
    assert sum(company.shares for company in TITLE.board.companies) == counts["share"]


def test_remarks_do_not_change_the_hash_but_numbers_do() -> None:
    same = TITLE.with_data(changed(lambda data: data.update(about="My copy")))
    assert same.data_is_standard
    other = TITLE.with_data(changed(lambda data: data["tiles"][0].update(small=12)))
    assert not other.data_is_standard
    assert other.data_hash != TITLE.data_hash


def other_mountain(data: Data) -> None:
    """The mountain runs across the tile instead of round a corner."""
    tile = data["tiles"][2]
    tile["sides"] = ["mountain", "meadow", "mountain", "meadow"]
    tile["grid"] = [".MMMMM."] * 7


def test_a_corrected_file_is_played() -> None:
    data = changed(other_mountain)
    title = TITLE.with_data(data)
    assert len(title.board.layouts[2]) == 2
    game = Game(title, ["Anna", "Bernd", "Clara"], seed="1")
    rng = random.Random(1)
    while not game.over and len(game.moves) < 120:
        game.apply(one_of(game.position, rng))
    assert kursbuch.load(game.record(), data).state == game.state
    with pytest.raises(KursbuchError, match="component data other than"):
        kursbuch.load(game.record())


def test_every_number_of_the_file_counts() -> None:
    title = TITLE.with_data(
        changed(
            lambda data: data["economy"].update(
                minimum_income=6,
                premium_new_tile=1,
                premium_station=3,
                mountain_cost=2,
                lake_cost=3,
                minimum_pieces_before_leaving=4,
                passengers_per_station=500,
            )
        )
    )
    scene = Scene(2, title=title).line("A", "e4 f4 > E").front("A", straight=9)
    assert only(scene.do("A takes income"), happened.IncomeTaken).dice == 6
    events = scene.do("A lays A g4 to E", "A opens lake", "A lays A a4 to E")
    assert only(events, happened.PremiumTaken).dice == 1
    events = scene.do("A lays A b4 to E paying 3 behind", *(f"A lays A {x}4 to E" for x in "cdefg"))
    assert only(events, happened.SurchargePaid).dice == 3
    scene = Scene(2, title=title).line("A", "e4 f4 g4 > E").cross("A", "mountain2", "a4 b4 > E", 1)
    scene.director("A", "bergtal").line("A", "c4 d4 > E").front("A", straight=1).behind("A", 7)
    events = scene.do("A lays A e4 to E paying 2 behind")
    assert only(events, happened.SurchargePaid).dice == 2
    events = scene.do("A builds bergtal mountain 3 at A paying 3 behind")
    assert only(events, happened.PremiumTaken).dice == 3
    assert title.voice(Words("en", NAMES)).written_score(3) == "1,500"


def set_(*path: Any, to: Any) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        place: Any = data
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (set_("dice", "count", to=0), "dice.count in the file cannot be 0"),
        (set_("dice", "count", to=16), "not enough dice to start with"),
        (set_("dice", "faces", to=["straight", "rabbit"]), "faces of the dice can only be"),
        (set_("economy", "premium_station", to=-1), "premium_station in the file cannot be -1"),
        (set_("geometry", "size", to=8), "odd number of squares a side, from 6 to 9"),
        (set_("geometry", "size", to=5), "odd number of squares a side, from 6 to 9"),
        (set_("share_trading", to=[]), "sold out with 2 players"),
        (set_("start", "tile", to="desert"), "no tile 'desert' to start with"),
        (set_("start", "tile", to="lake"), "must be all meadow"),
        (set_("tiles", 1, "id", to="meadow"), "types of tile with different ids"),
        (set_("tiles", 1, "id", to="a b"), "only have letters and digits"),
        (set_("tiles", 1, "small", to=-1), "cannot be -1 copies of tile lake"),
        (set_("tiles", 1, "grid", 0, to="......"), "grid of the tile lake is not 7 rows"),
        (set_("tiles", 1, "grid", 0, to="...W..."), "Side N of tile lake does not match its grid"),
        (set_("tiles", 2, "sides", 0, to="meadow"), "Side N of tile mountain2"),
        (set_("tiles", 2, "sides", to=["meadow"]), "must have four sides"),
        (set_("companies", to=[]), "1 to 12 companies"),
        (set_("companies", 1, "id", to="a,b"), "only have letters and digits"),
        (set_("companies", 0, "shares", to=0), "cannot have 0 shares"),
        (set_("companies", 0, "stations", 0, "terrain", to="moon"), "unknown terrain 'moon'"),
        (set_("companies", 0, "stations", 0, "terrain", to="lake"), "kind of station twice"),
        (set_("companies", 0, "stations", 0, "cost_3", to=-2), "cannot have -2 stations"),
        (set_("companies", 0, "stations", to=[]), "Eisberg Tours has no stations"),
        (set_("station_terrain", 0, "at_least", to=9), "surroundings of the 'mountain' station"),
        (set_("station_terrain", 0, "terrain", to="lake"), "Two kinds of station"),
        (set_("tiles", to=3), "cannot be read: Expected `array`, got `int`"),
    ],
)
def test_what_is_wrong_is_said(change: Callable[[Data], None], sentence: str) -> None:
    with pytest.raises(KursbuchError) as error:
        TITLE.with_data(changed(change))
    assert sentence in str(error.value)


def test_a_file_that_is_no_json() -> None:
    with pytest.raises(KursbuchError, match="cannot be read"):
        TITLE.with_data(b"\xff{")
