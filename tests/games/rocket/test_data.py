"""Corrected component data: a usable file is used, a wrong one refused with one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.games.rocket import TITLE
from kursbuch.games.rocket.components import standard_data
from tests.games.rocket.scenario import Scene

File = dict[str, Any]


def changed(change: Callable[[File], object]) -> bytes:
    file: File = json.loads(standard_data())
    change(file)
    return json.dumps(file).encode()


def hex_record(file: File, name: str) -> File:
    found: File = next(record for record in file["hexes"] if record["id"] == name)
    return found


def component(file: File, name: str) -> File:
    found: File = next(record for record in file["components"] if record["id"] == name)
    return found


def payment(file: File, name: str) -> File:
    found: File = next(record for record in file["payments"] if record["id"] == name)
    return found


def remove(file: File, *names: str) -> None:
    file["hexes"] = [record for record in file["hexes"] if record["id"] not in names]


def move_town(file: File, kind: str, number: int, **fields: object) -> None:
    file[kind][number].update(fields)


def wall_in_ipswich(file: File) -> None:
    """Only Ipswich with three hexes around it is left of the east."""
    remove(file, "I24", "J23", "K24", "L23", "L25", "H25", "H27", "H29", "M26", "M28", "N27")
    remove(file, "G26", "G28", "K22", "J25", "I26", "K26")
    file["metropolises"] = [m for m in file["metropolises"] if m["name"] != "Norwich"]
    file["railway_towns"] = [t for t in file["railway_towns"] if t["name"] != "Dover"]


WRONG: list[tuple[str, Callable[[File], object], str]] = [
    (
        "a town in a hole",
        lambda f: remove(f, "J15"),
        "The town Oxford is on hex J15, but the map has no such hex.",
    ),
    (
        "a start town in a hole",
        lambda f: remove(f, "L9"),
        "The town Bristol is on hex L9, but the map has no such hex.",
    ),
    (
        "a town off the map",
        lambda f: move_town(f, "railway_towns", 0, hex="Z99"),
        "The town Leeds is on hex Z99, but the map has no such hex.",
    ),
    (
        "an island",
        lambda f: remove(f, "O8", "O6", "N5", "N7", "N9", "M8"),
        "The map has a gap: N1 cannot be reached from A8.",
    ),
    ("nothing to reach", wall_in_ipswich, "The map has a gap: I28 cannot be reached from A8."),
    (
        "a hex twice",
        lambda f: f["hexes"].append({"id": "K16", "kind": "open"}),
        "The hex K16 is in the file twice.",
    ),
    (
        "a hex without a name",
        lambda f: hex_record(f, "K16").update(id="16K"),
        "The hex '16K' has no valid name, such as K16.",
    ),
    (
        "a hex between two",
        lambda f: f["hexes"].append({"id": "K17", "kind": "open"}),
        "The hex K17 lies between two hexes: in row A columns are even, in row B odd, and so on.",
    ),
    (
        "a hex of a strange kind",
        lambda f: hex_record(f, "K16").update(kind="sea"),
        "The hex K16 is marked 'sea', which contradicts the lists of towns.",
    ),
    (
        "a town not marked",
        lambda f: hex_record(f, "J15").update(kind="open"),
        "The hex J15 is marked 'open', which contradicts the lists of towns.",
    ),
    (
        "a mark without town",
        lambda f: hex_record(f, "K16").update(kind="metropolis"),
        "The hex K16 is marked 'metropolis', which contradicts the lists of towns.",
    ),
    (
        "two towns on a hex",
        lambda f: move_town(f, "railway_towns", 0, hex="C20"),
        "The towns Hull and Leeds are on the same hex.",
    ),
    (
        "two towns side by side",
        lambda f: (
            f["railway_towns"].append({"name": "Newbury", "hex": "K16"}),
            hex_record(f, "K16").update(kind="railway_town"),
        ),
        "The towns Reading and Newbury are next to each other.",
    ),
    (
        "a town twice",
        lambda f: move_town(f, "railway_towns", 0, name="Hull"),
        "The town Hull is in the file twice.",
    ),
    (
        "a town twice in other letters",
        lambda f: move_town(f, "railway_towns", 0, name="LONDON"),
        "The town London is in the file twice.",
    ),
    (
        "a town without name",
        lambda f: move_town(f, "railway_towns", 0, name=""),
        "A town in the file has an invalid name: ''.",
    ),
    (
        "a name of two lines",
        lambda f: move_town(f, "metropolises", 0, name="Shef\nfield"),
        "A town in the file has an invalid name: 'Shef\\nfield'.",
    ),
    (
        "an unknown industry",
        lambda f: move_town(f, "metropolises", 0, industry="coal"),
        "The metropolis Sheffield has the unknown industry 'coal'.",
    ),
    (
        "fewer than no tokens",
        lambda f: move_town(f, "metropolises", 0, tokens=-1),
        "The metropolis Sheffield has no valid number of tokens.",
    ),
    (
        "too many tokens",
        lambda f: move_town(f, "metropolises", 0, tokens=2**70),
        "The metropolis Sheffield has no valid number of tokens.",
    ),
    (
        "a line twice",
        lambda f: move_town(f, "lines", 0, id="GWR"),
        "Two lines in the file have the same id.",
    ),
    (
        "a line with a strange id",
        lambda f: move_town(f, "lines", 0, id="L&M"),
        "The id of a line must have 1 to 8 capital letters and digits.",
    ),
    (
        "a line in small letters",
        lambda f: move_town(f, "lines", 0, id="lmr"),
        "The id of a line must have 1 to 8 capital letters and digits.",
    ),
    (
        "a single line",
        lambda f: f.update(lines=f["lines"][:1]),
        "The file must have 2 to 26 lines.",
    ),
    (
        "too many hexes",
        lambda f: f.update(hexes=f["hexes"] * 20),
        "The map has more than 1000 hexes.",
    ),
    (
        "no shares",
        lambda f: component(f, "share").update(per_line=0),
        "The file has no valid number for the component share.",
    ),
    (
        "no number of shares",
        lambda f: component(f, "share").pop("per_line"),
        "The file has no valid number for the component share.",
    ),
    (
        "no tiles",
        lambda f: component(f, "track-tile").update(count=-60),
        "The file has no valid number for the component track-tile.",
    ),
    (
        "too many stations",
        lambda f: component(f, "station").update(per_player=10**9),
        "The file has no valid number for the component station.",
    ),
    (
        "no passengers",
        lambda f: f.update(components=[c for c in f["components"] if c["id"] != "passenger-token"]),
        "The file has no valid number for the component passenger-token.",
    ),
    (
        "no payment",
        lambda f: f.update(payments=[p for p in f["payments"] if p["id"] != "kind"]),
        "The file has no valid first for the payment kind.",
    ),
    (
        "a negative payment",
        lambda f: payment(f, "metropolis").update(second=-1),
        "The file has no valid second for the payment metropolis.",
    ),
    (
        "a payment in words",
        lambda f: payment(f, "metropolis").update(second="half"),
        "The file has no valid second for the payment metropolis.",
    ),
]


@pytest.mark.parametrize(("change", "sentence"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_wrong_files_are_refused(change: Callable[[File], object], sentence: str) -> None:
    with pytest.raises(KursbuchError) as error:
        TITLE.with_data(changed(change))
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b"{}",
        b"{" * 100_000,
        b"[" * 100_000,
        b'{"about": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        standard_data()[:5000],
        changed(lambda f: f.pop("hexes")),
        changed(lambda f: f.update(hexes={})),
        changed(lambda f: f.update(hexes=["K16"])),
        changed(lambda f: f.update(lines=None)),
        changed(lambda f: component(f, "share").update(per_line="16")),
        changed(lambda f: component(f, "share").update(count=1.5)),
        changed(lambda f: move_town(f, "metropolises", 0, tokens=True)),
        changed(lambda f: move_town(f, "metropolises", 0, name=5)),
    ],
)
def test_files_that_cannot_be_read(data: bytes) -> None:
    with pytest.raises(
        KursbuchError, match=r"^The file of component data cannot be read: .+\.$"
    ) as error:
        kursbuch.new("rocket", ["A", "B"], data=data)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


def test_a_line_that_can_do_nothing_from_the_start() -> None:
    """The only way out of A's corner lies between the start towns of B and C: a multiple merger."""

    def small_map(file: File) -> None:
        starts = {"A": "C0", "B": "B5", "C": "D5"}
        file["lines"] = [
            {"id": line, "name": line, "colour": "red", "start": f"Start {line}", "hex": place}
            for line, place in starts.items()
        ]
        file["metropolises"] = [
            {"name": "North", "hex": "B9", "industry": "steel", "tokens": 3},
            {"name": "South", "hex": "D9", "industry": "beer", "tokens": 3},
        ]
        file["railway_towns"] = file["optional_railway_towns"] = []
        kinds = dict.fromkeys(starts.values(), "start") | {"B9": "metropolis", "D9": "metropolis"}
        kinds |= dict.fromkeys(("C2", "C4", "B7", "D7"), "open")
        file["hexes"] = [{"id": name, "kind": kind} for name, kind in kinds.items()]

    with pytest.raises(KursbuchError) as error:
        TITLE.with_data(changed(small_map))
    assert str(error.value) == ("The map has a gap: line A cannot reach anything from C0.")

    def with_a_way(file: File) -> None:
        small_map(file)
        file["hexes"] += [{"id": name, "kind": "open"} for name in ("D1", "E2", "E4", "E6")]

    assert TITLE.with_data(changed(with_a_way)).boards.usual.lines[0].id == "A"


def test_corrected_numbers_are_used() -> None:
    def correct(file: File) -> None:
        component(file, "share").update(per_line=10)
        component(file, "track-tile").update(count=40)
        component(file, "station").update(per_player=5)
        payment(file, "metropolis").update(first=3000)
        payment(file, "rounding").update(mode="exact")
        move_town(file, "metropolises", 0, tokens=0)

    title = TITLE.with_data(changed(correct))
    scene = Scene(title=title).line("LMR", "D7 E8").tokens("Manchester", A=1)
    assert scene.supply("tile") == 40
    assert scene.supply("station:0") == 5
    assert scene.refused("A takes Sheffield") == "token-1"
    scene.do("A extends LMR to E10")
    assert scene.money() == [3000, 0, 0, 0]
    assert scene.left("LMR") == 9
    assert scene.state.exact


def test_a_corrected_map_is_used() -> None:
    def correct(file: File) -> None:
        move_town(file, "railway_towns", 6, hex="J13")
        hex_record(file, "J13").update(kind="railway_town")
        hex_record(file, "J15").update(kind="open")
        move_town(file, "metropolises", 10, hex="J9")
        hex_record(file, "J9").update(kind="metropolis")
        hex_record(file, "J11").update(kind="open")

    title = TITLE.with_data(changed(correct))
    assert not title.data_is_standard
    assert title.data_hash != TITLE.data_hash
    scene = Scene(title=title)
    assert scene.allowed("A builds J15")
    assert scene.refused("A builds J13") == "station-2"


def test_remarks_do_not_change_the_data() -> None:
    same = TITLE.with_data(changed(lambda f: f.update(about="another remark", sources={})))
    assert same.data_hash == TITLE.data_hash
    assert same.data_is_standard
    assert TITLE.with_data(standard_data()).data_is_standard
