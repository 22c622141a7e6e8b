"""The numbers of the player aid are those of the component data."""

from __future__ import annotations

import json
import re
from typing import Any

import kursbuch
from kursbuch.games.g18xx.g1853.components import standard_data
from tests.games.g18xx.aids import lines, numbers

TITLE = kursbuch.title("1853")
DATA = json.loads(standard_data())
TRAINS: dict[str, Any] = {train["id"]: train for train in DATA["trains"]}


def test_the_trains() -> None:
    for told in lines(TITLE, "Trains"):
        # What small companies add stands apart.
        ordinary = " · ".join([*told[:6]])
        found = re.findall(
            r"(\d+M?): (\d+)\s×\s£?(\d+)(?:\s£)?(?:, (?:rusts with|verschrottet mit) (\d))?",
            re.sub(r"(?<=\d)[.,](?=\d)", "", ordinary),
        )
        assert {id_: (int(count), int(price), by or None) for id_, count, price, by in found} == {
            id_: (train["count"], train["price"], train["scrapped_by"])
            for id_, train in TRAINS.items()
            if id_ != "1M"
        }
        small = [TRAINS[id_]["small_count"] for id_ in ("2", "2M", "3M")]
        assert numbers(told[6])[:3] == small
        assert TRAINS["1M"]["price"] in numbers(told[6])
        assert numbers(told[6])[-1] == int(TRAINS["1M"]["scrapped_by"])


def test_the_phases() -> None:
    for told in lines(TITLE, "Phases"):
        for phase, line in zip(DATA["phases"], told, strict=False):
            begins, rounds, limit = line.split(" · ")[:3]
            assert numbers(begins)[0] == phase["phase"]
            assert numbers(rounds) == [phase["operating_rounds"]]
            assert numbers(limit) == [phase["train_limit"]["major"]]


def test_the_costs() -> None:
    costs = {row["id"]: [row["standard"], row["metre"]] for row in DATA["build_costs"]}
    special = {row["id"]: row["cost"] for row in DATA["special_costs"]}
    fees = {
        company["id"]: company.get("second_tile_cost") for company in DATA["companies"]["public"]
    }
    for told in lines(TITLE, "Building costs: standard / metre gauge"):
        assert numbers(told[0]) == costs["river"] + costs["rivers"]
        assert numbers(told[1]) == costs["hill"] + costs["mountain"] + costs["high_mountain"]
        assert numbers(told[2]) == [special["Calcutta"], special["Ajmer"]]
    for told in lines(TITLE, "Operating round: a company's turn"):
        assert numbers(told[0])[2:4] == [fees["EIR"], fees["GIP"]]
        assert numbers(told[2]) == [
            2,
            DATA["station_cost"]["first"],
            DATA["station_cost"]["further"],
        ]


def test_the_contract() -> None:
    players = DATA["setup"]["players"]
    values = {city["id"]: city["value"] for city in DATA["cities"]}
    worth = [values["Calcutta"], values["Bombay"], values["Madras"], values["Jaipur"]]
    assert sorted(set(values.values()), reverse=True) == worth
    assert (values["Delhi"], values["Waltair"]) == (values["Bombay"], values["Madras"])
    for told in lines(TITLE, "Contract"):
        assert players[0]["least_bond"] in numbers(told[0])
        assert players[1]["least_bond"] in numbers(told[0])
        assert numbers(told[1]) == worth
        for row in players:
            low, high = row["min_cities"], row["max_cities"]
            assert re.search(rf"\b{low} (to|bis|or|oder) {high}\b", told[2])


def test_limits_and_companies() -> None:
    expected = [
        number
        for row in DATA["setup"]["players"]
        for number in (
            row["players"],
            row["cash"],
            row["per_company"],
            row["papers"],
            row["float_percent"],
        )
    ]
    heading = "Limits (capital, shares of one company, certificates, founded at)"
    for told in lines(TITLE, heading):
        assert numbers(" ".join(told[: len(DATA["setup"]["players"])])) == expected
    known = [
        (company["number"], company["id"], company["par"], company["station_markers"])
        for company in DATA["companies"]["public"]
    ]
    for told in lines(TITLE, "Companies (issue price, tokens)"):
        found = re.findall(r"(\d) ([A-Z]+) £?(\d+)(?:\s£)?, (\d)", " · ".join(told))
        assert [
            (int(number), id_, int(par), int(tokens)) for number, id_, par, tokens in found
        ] == known
