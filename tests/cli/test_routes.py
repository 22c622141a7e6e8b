"""`kursbuch routes`: position files, records, pictures, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.core.game import Game
from kursbuch.core.planner import read_plan, write_plan
from tests.cli.test_commands import PNG, Runner, english, finished_game, run

__all__ = ["english", "run"]

POSITION = """\
title = "1835"
phase = 3
tiles = [
  "F14 57 0",
  "C11 221 0",
  "B10 9 1",
]
stations = ["3 F14", "6 C11 0"]

[trains]
3 = ["2", "4"]
6 = ["2+2"]
"""


@pytest.fixture
def position(tmp_path: Path) -> Path:
    path = tmp_path / "position.toml"
    path.write_text(POSITION, encoding="utf-8")
    return path


def test_every_company_with_trains_in_plain_words(run: Runner, position: Path) -> None:
    ran = run("routes", str(position))
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "1835, phase 3",
        "3  Magdeburger: 40\N{NO-BREAK SPACE}M",
        "    4    Braunschweig F12 (20) – Magdeburg F14 (20) = 40",
        "    2    does not run",
        "6  Altona-Kiel: 70\N{NO-BREAK SPACE}M",
        "    2+2  Hamburg C11 (60) – Schwerin C13 (10) = 70",
    ]


@pytest.mark.rule("1835:5.5.3.11.3b")
def test_the_ferry_is_shown(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(
        '{"title": "1835", "phase": 3, "tiles": ["C11 221 0", "D10 8 3", "D8 57 0"],'
        ' "stations": ["MS C13"], "trains": {"MS": ["3"]}}',
        encoding="utf-8",
    )
    assert (
        "3    Schwerin C13 (10) – Hamburg C11 (60) – Bremen D8 (20), less 10 for the ferry = 80"
        in run("routes", str(path)).out
    )
    (train,) = run("routes", str(path), "--json").json["companies"][0]["runs"]
    assert (train["ferry"], train["value"]) == (10, 80)


def test_one_company_with_other_trains(run: Runner, position: Path) -> None:
    found = run("routes", str(position), "--company", "6", "--train", "2", "--json").json
    assert found["title"] == "1835"
    assert found["phase"] == 3
    (company,) = found["companies"]
    assert company["id"] == "6"
    assert company["name"] == "Altona-Kiel"
    assert company["trains"] == ["2"]
    assert company["total"] == 70
    (train,) = company["runs"]
    assert [call["hex"] for call in train["calls"]] == ["C11", "C13"]
    assert sum(call["value"] for call in train["calls"]) - train["ferry"] == train["value"]


def test_a_company_without_trains_or_stations(run: Runner, position: Path) -> None:
    ran = run("routes", str(position), "--company", "BY", "--train", "2")
    assert "There is no station of this company on the map." in ran.out
    position.write_text('title = "1835"\nstations = ["BY O15"]\n', encoding="utf-8")
    assert "This company has no train." in run("routes", str(position), "--company", "BY").out
    assert "No company has a train." in run("routes", str(position)).out


def test_a_run_that_has_to_come_somewhere(run: Runner, position: Path) -> None:
    duties = '[duties]\n3 = ["F12 0"]\n6 = ["B10"]\n'
    position.write_text(f"{POSITION}\n{duties}", encoding="utf-8")
    ran = run("routes", str(position))
    assert "6  Altona-Kiel: 20\N{NO-BREAK SPACE}M" not in ran.out
    assert "No run can reach B10." in ran.out
    found = run("routes", str(position), "--json").json["companies"]
    assert [(one["total"], one["mail"], one["duties"]) for one in found] == [
        (40, 0, ["F12 0"]),
        (0, 0, ["B10"]),
    ]


INDIA = """\
title = "1853"
phase = 3
tiles = ["H24 6 1", "I25 8 4", "I27 58 1"]
stations = ["EIR J28 0"]

[trains]
EIR = ["3", "2M"]

[duties]
EIR = ["I27"]
"""


@pytest.mark.rule("1853:4.6.6")
def test_the_mail_is_told(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "india.toml"
    path.write_text(INDIA, encoding="utf-8")
    assert run("routes", str(path)).out.splitlines() == [
        "1853, phase 3",
        "EIR  East Indian Railway: £150, £70 of it for the mail",
        "    3    Patna H24 (20) – I27 (10) – Calcutta J28 (50) = 80, and 70 for the mail",
        "    2M   does not run",
    ]
    found = run("routes", str(path), "--json").json
    assert found["phase"] == 3
    (company,) = found["companies"]
    assert (company["total"], company["mail"], company["duties"]) == (150, 70, ["I27"])
    assert [(one["train"], one["value"], one["mail"]) for one in company["runs"]] == [("3", 80, 70)]
    path.write_text(INDIA.replace('["I27"]', '["J26"]'), encoding="utf-8")
    assert "    No run can reach J26." in run("routes", str(path)).out.splitlines()


CHOICE = """\
title = "1853"
phase = 4
tiles = ["H22 716 0", "H24 716 0", "I23 58 2"]
stations = ["EIR H24 0"]

[trains]
EIR = ["2"]
"""


@pytest.mark.rule("1853:4.6.6", "1853:4.6.4")
def test_the_runs_to_save_are_told_where_they_are_others(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "choice.toml"
    path.write_text(CHOICE, encoding="utf-8")
    assert run("routes", str(path)).out.splitlines() == [
        "1853, phase 4",
        "EIR  East Indian Railway: £110, £40 of it for the mail",
        "    2    Patna H24 (30) – Benares H22 (30) – I23 (10) = 70, and 40 for the mail",
        "  If it is withheld: £120, £60 of it for the mail",
        "    2    Benares H22 (30) – Patna H24 (30) = 60, and 60 for the mail",
    ]
    (company,) = run("routes", str(path), "--json").json["companies"]
    saved = company["saved"]
    assert (company["total"], company["mail"]) == (110, 40)
    assert (saved["total"], saved["mail"], saved["idle"]) == (120, 60, [])
    assert [(one["value"], one["mail"]) for one in saved["runs"]] == [(60, 60)]
    # The picture shows either.
    drawn = [
        run("routes", str(path), "--company", "EIR", "-o", "-", *option).out
        for option in ((), ("--withhold",))
    ]
    assert drawn[0] != drawn[1]
    path.write_text(INDIA, encoding="utf-8")
    assert run("routes", str(path), "--json").json["companies"][0]["saved"] is None


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("phase = 3", "phase = 1", "Line 2, phase: The phases are 2 to 5."),
        ('["I27"]', '["I27 3"]', "Line 10, duties.EIR: There is no stop '3' on I27."),
        ('"2M"', '"2+2"', "Line 7, trains.EIR: There is no train '2+2'."),
        ("I27 58 1", "I27 58 9", "Line 3, tiles: Tile 58 can be laid on I27 in rotations"),
    ],
)
def test_what_is_wrong_with_a_position_of_1853(
    run: Runner, tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    path = tmp_path / "india.toml"
    assert old in INDIA
    path.write_text(INDIA.replace(old, new), encoding="utf-8")
    assert sentence in run.refused("routes", str(path))


def test_the_first_phase_is_the_usual_one(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "india.toml"
    path.write_text(INDIA.replace("phase = 3\n", ""), encoding="utf-8")
    assert run("routes", str(path)).out.startswith("1853, phase 2\n")


def test_a_picture(run: Runner, position: Path, tmp_path: Path) -> None:
    svg, png = tmp_path / "runs.svg", tmp_path / "runs.png"
    assert run("routes", str(position), "--company", "3", "-o", str(svg)).code == 0
    assert 'class="run-0"' in svg.read_text("utf-8")
    assert run("routes", str(position), "--company", "6", "-o", str(png)).code == 0
    assert png.read_bytes().startswith(PNG)
    assert "choose it with --company" in run.refused("routes", str(position), "-o", str(svg))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            '"F14 57 0"',
            '"F14 57 9"',
            "Line 4, tiles: Tile 57 can be laid on F14 in rotations 0, 1, 2",
        ),
        ('"F14 57 0"', '"F14 999 0"', "Line 4, tiles: There is no tile '999'."),
        ('"F14 57 0"', '"Z99 57 0"', "Line 4, tiles: There is no hex 'Z99' on the map."),
        ('"F14 57 0"', '"F14 7 0"', "Line 4, tiles: Tile 7 can never be laid on F14."),
        ('"F14 57 0"', '"F14 57"', "Line 4, tiles: 'F14 57' is not a tile such as F14 57 0"),
        ('"F14 57 0"', '"C11 221 0"', "tiles: There is more than one tile on C11."),
        (
            '"3 F14"',
            '"3 F14 2"',
            "Line 8, stations: F14 has the cities 0: say which, as in 3 F14 0.",
        ),
        ('"3 F14"', '"3 B10"', "Line 8, stations: There is no city on B10."),
        ('"3 F14"', '"3 F14", "4 F14"', "Line 8, stations: City 0 of F14 has no room"),
        (
            '"3 F14"',
            '"3 F14", "3 A11"',
            "Line 8, stations: Minor 3 has fewer station tokens than that: only 1.",
        ),
        ('"3 F14"', '"XX F14"', "There is no company 'XX'; the companies are BY, SX"),
        ("phase = 3", "phase = 7", "Line 2, phase: The phases are 1 to 3."),
        ("phase = 3", "phase =", "Line 2: This is not a position file"),
        ("phase = 3", "phases = 3", "Line 2, phases: There is no such field"),
        ('"2+2"', '"2+5"', "Line 12, trains.6: There is no train '2+5'."),
        ('["2+2"]', '"2+2"', "trains.6: It must be a list of texts."),
        ("[trains]", 'duties = "F14"\n[trains]', "duties: It must list companies with the places"),
        ("[trains]", "[trains]\n[duties]", "Line 12, duties.3: There is no hex '2' on the map."),
        ('["2+2"]', '["2", "2", "2", "2", "2", "2", "2"]', "Minor 6 has more than 6 trains."),
        ('"1835"', '"1899"', "Line 1, title: There is no title 1899"),
        ('"1835"', '"nimm"', "has no trains that run"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    run: Runner, position: Path, old: str, new: str, sentence: str
) -> None:
    assert old in POSITION
    position.write_text(POSITION.replace(old, new), encoding="utf-8")
    assert sentence in run.refused("routes", str(position))


def test_wrong_json_and_wrong_options(run: Runner, position: Path, tmp_path: Path) -> None:
    json = tmp_path / "position.json"
    json.write_text('{"title": "1835",\n "phase": }', encoding="utf-8")
    assert "Line 2: This is not JSON" in run.refused("routes", str(json))
    json.write_text('{"phase": ' + "9" * 5000 + "}", encoding="utf-8")
    assert "a number that is too large" in run.refused("routes", str(json))
    json.write_text("[1]", encoding="utf-8")
    assert "A position file has fields" in run.refused("routes", str(json))
    assert "so it has no moves" in run.refused("routes", str(position), "--move", "3")
    assert "needs exactly one --company" in run.refused("routes", str(position), "--train", "2")
    assert "There is no company 'X'" in run.refused("routes", str(position), "--company", "X")
    assert "There is no file" in run.refused("routes", "/nowhere")
    assert "ending in .svg or .png" in run.refused("routes", str(position), "-o", "x.pdf")


def test_a_plan_and_its_text_are_the_same() -> None:
    plan = read_plan(POSITION)
    assert read_plan(write_plan(plan)) == plan


def played_game(moves: int) -> Game:
    game = kursbuch.new("1835", ["Anna", "Bernd", "Clara"], 5)
    bot = make("random", 5)
    while len(game.moves) < moves and not game.over:
        game.apply(bot.choose(game.view(game.pending[0].seat)))
    return game


def test_a_record_of_a_game(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    game = played_game(150)
    path.write_text(game.record(), encoding="utf-8")
    planner = kursbuch.title("1835").planner
    assert planner is not None
    plan = planner.of_state(game.position.state)
    assert plan.tiles
    found = run("routes", str(path), "--json").json
    assert {one["id"]: tuple(one["trains"]) for one in found["companies"]} == plan.trains
    assert "No company has a train." in run("routes", str(path), "--move", "0").out
    assert "no move number 9999" in run.refused("routes", str(path), "--move", "9999")
    rocket = tmp_path / "rocket.txt"
    rocket.write_text(finished_game().record(), encoding="utf-8")
    assert "has no trains that run" in run.refused("routes", str(rocket))
