"""The numbers of the player aid are those of the component data."""

from __future__ import annotations

import json
import re

import kursbuch
from kursbuch.games.g18xx.g1835.components import standard_data
from tests.games.g18xx.aids import lines, numbers

TITLE = kursbuch.title("1835")
DATA = json.loads(standard_data())


def test_the_trains() -> None:
    rusting = {
        train: phase["starts_with_train"] for phase in DATA["phases"] for train in phase["scrapped"]
    }
    for told in lines(TITLE, "Trains"):
        for train, line in zip(DATA["trains"], told, strict=False):
            parts = [train["id"], str(train["count"]), str(train["price"])]
            found = re.match(
                r"(\S+): (\d+)\s×\s(\d+)\sM(?:, (?:rusts with|verschrottet mit) (\S+))?", line
            )
            assert found, line
            assert list(found.groups()) == [*parts, rusting.get(train["id"])]


def test_the_phases_say_how_many_operating_rounds_follow() -> None:
    rounds = {phase["starts_with_train"]: phase["operating_rounds"] for phase in DATA["phases"]}
    for told in lines(TITLE, "Trains"):
        for train, round_count in (("3", rounds["3"]), ("5", rounds["5"])):
            line = next(line for line in told if line.startswith(f"{train}: "))
            assert re.search(rf"\b{round_count} (operating rounds|Operationsrunden)", line)


def test_capital_and_limits() -> None:
    players = [
        number
        for row in DATA["setup"]["players"]
        for number in (row["players"], row["cash"], row["papers"])
    ]
    limits = {phase["starts_with_train"]: phase["train_limit"] for phase in DATA["phases"]}
    assert limits["5"]["minor"] is None
    trains = [limits[None]["major"], limits[None]["minor"], 4, limits["4"]["major"]]
    trains += [limits["4"]["minor"], limits["4"]["prussia"], 5, limits["5"]["major"]]
    trains += [limits["5"]["prussia"]]
    for told in lines(TITLE, "Costs and limits"):
        assert numbers(told[0]) == [DATA["station_cost"]["per_hex"]]
        assert numbers(told[1]) == players
        assert numbers(told[3]) == trains


def test_the_share_companies() -> None:
    known = {
        company["id"]: (company["par"], company["station_markers"])
        for company in DATA["companies"]["public"]
    }
    for told in lines(TITLE, "Share companies (for 10 %, tokens)"):
        found = re.findall(r"([A-Z]{2}) (\d+)\sM, (\d+)", " ".join(told))
        assert {id_: (int(par), int(tokens)) for id_, par, tokens in found} == known


def test_what_is_exchanged_for_prussia() -> None:
    parts = {minor["id"]: minor["exchange"]["percent"] for minor in DATA["companies"]["minors"]}
    assert {id_ for id_, percent in parts.items() if percent == 5} == {"1", "3", "5", "6"}
    for told in lines(TITLE, "Share companies (for 10 %, tokens)"):
        text = told[-1]
        assert numbers(text) == [2, 10, 4, 10, 1, 3, 5, 6, 5]
        assert parts["2"] == parts["4"] == 10
