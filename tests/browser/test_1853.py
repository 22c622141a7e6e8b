"""Three people in three browsers play 1853 by pointing: bonds and contracts in secret, the first stock
round, three operating rounds with track of both gauges, until a contract is fulfilled."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import kursbuch
from kursbuch.core.actions import Action
from kursbuch.core.game import Game
from kursbuch.core.words import Words
from kursbuch.games.g18xx.g1853 import TITLE
from tests.browser.ears import Ear
from tests.browser.table import carry_out, choices, has_turn, join, open_table, send, wait_for_move

NAMES = ("Anna", "Bernd", "Clara")

#: Written in this order; no two are equal, so no lots are drawn.
BONDS = """
Clara writes a bond of 150
Bernd writes a bond of 130
Anna writes a bond of 100
"""

#: The cities of every contract, with the companies of the shares.
CITIES = {
    "Anna": ("Mysore SIR", "Bangalore MSM", "Trichinopoly SIR", "Madras MSM"),
    "Bernd": ("Patna EIR", "Delhi EIR", "Calcutta EIR", "Jaipur BBCI"),
    "Clara": ("Delhi EIR", "Calcutta EIR", "Madras SIR", "Bangalore MSM"),
}

#: What is bought in the first stock round, until no one can buy more.
STOCK = """
Clara buys SIR 10
Clara is done
Bernd buys EIR 10
Bernd is done
Anna buys SIR 10
Anna is done
Clara buys MSM 10
Clara is done
Bernd buys EIR 10
Bernd is done
Anna buys MSM 10
Anna is done
Clara is done
Bernd is done
Anna buys SIR 10
Anna is done
Clara is done
Bernd is done
Anna buys MSM 10
Anna is done
Clara is done
Bernd is done
Anna is done
Clara offers the elephant to player 2 for 5
Bernd accepts
"""

#: A large company with two tiles, small ones with standard and metre gauge, one more round.
FIRST = """
Bernd lays two tiles for a fee
Bernd lays 58 on I27 turned 1
Bernd lays 6 on H24 turned 1
Bernd buys train 2
Bernd buys train 2
Bernd is done
Anna lays 7 on Q17 turned 1
Anna buys train 2
Anna is done
Anna lays 75 on T16 turned 4
Anna buys train 1M
Anna is done
Bernd orders an operating round
"""

#: Trains run, with the mail; a station.
SECOND = """
Bernd lays 8 on I25 turned 4
Bernd is done
Bernd pays out
Bernd is done
Anna lays 6 on R16 turned 3
Anna places a station on R16 city 1
Anna pays out
Anna is done
Anna lays 74 on S17 turned 2
Anna is done
Anna saves
Anna is done
"""

#: The tile that joins Anna's last city is laid in the next round.
THIRD = """
Bernd sells BBCI 10
Bernd is done
Anna is done
Clara is done
Bernd is done
Bernd is done
Bernd pays out
Bernd is done
Anna lays 69 on R14 turned 0
"""


class Table:
    """The pages of three players and a spectator, and the same game played along."""

    def __init__(self, visit: Any) -> None:
        anna = visit(size=(1400, 900))
        self.path = open_table(anna, "open", "open", title="1853")
        self.pages = [anna]
        for name in NAMES[1:]:
            page = visit(self.path, size=(1400, 900))
            join(page, name)
            self.pages.append(page)
        expect(anna.locator(".seats-list")).to_contain_text("Clara")
        anna.get_by_role("button", name="Start the game").click()
        for page in self.pages:
            expect(page.locator("#live.game")).to_be_visible()
        self.pages.append(visit(self.path))
        self.ears = [Ear(page) for page in self.pages]
        self.game: Game = kursbuch.new("1853", NAMES, "1")
        self.voice = TITLE.voice(Words("en", list(NAMES)))
        #: Sentences that only one player may ever read, by seat.
        self.secrets: list[set[str]] = [set() for _ in NAMES]
        self._pointed: set[str] = set()

    def play(self, text: str) -> None:
        """Moves by pointing at the pages of those who make them; what has been pointed at before is only
        sent, which is quicker."""
        for line in text.strip().splitlines():
            action = self.game.parse(line)
            page, data = self.pages[action.seat], as_json(action)
            if line in self._pointed:
                send(page, len(self.game.moves), data)
            else:
                wait_for_move(page, len(self.game.moves))
                carry_out(page, data)
                self._pointed.add(line)
            self.game.apply(action)
            for event in self.game.moves[-1].events:
                for seat in event.secret_to or ():
                    self.secrets[seat].add(self.voice.describe(event))

    def all_know(self) -> None:
        for page in self.pages:
            wait_for_move(page, len(self.game.moves))

    def check_secrets(self) -> None:
        """Everybody has been told his own secrets, and no one those of others."""
        self.all_know()
        contracts = self.game.state.contracts
        for reader, (page, ear) in enumerate(zip(self.pages, self.ears, strict=True)):
            ear.ask(len(self.game.moves))
            heard = ear.heard()
            for seat, sentences in enumerate(self.secrets):
                for sentence in sentences:
                    assert (sentence in heard) == (seat == reader), sentence
            state = page.request.get(f"/api/tables{self.path[2:]}").json()["state"]
            for seat, (known, found) in enumerate(zip(contracts, state["contracts"], strict=True)):
                told = seat == reader or known.shown
                assert found["cities"] == [city if told else "" for city in known.cities]
                waits = not self.game.state.seating and seat != reader
                assert found["bond"] == (None if waits else known.bond)
            sealed = reader < len(contracts) and not contracts[reader].shown
            assert rings(page) == (len(contracts[reader].cities) if sealed else 0)


def as_json(action: Action) -> dict[str, Any]:
    """An action as pages have it."""
    found: dict[str, Any] = json.loads(json.dumps(TITLE.action_to_json(action)))
    return found


def rings(page: Page) -> int:
    """How many cities of a contract are marked on the map; the sample in the legend is small."""
    count: int = page.locator("#board-now [data-part=map] .ring").evaluate_all(
        "rings => rings.filter(one => one.points[0].x - one.points[2].x > 50).length"
    )
    return count


def text(page: Page, selector: str) -> str:
    return page.locator(selector).inner_text().replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.long
def test_three_people(visit: Any) -> None:
    table = Table(visit)
    anna, bernd, clara, watcher = table.pages
    one, two, three = BONDS.strip().splitlines()
    table.play(f"{one}\n{two}")
    table.check_secrets()
    # Who has not written yet sees only who has.
    assert [page for page in table.pages if has_turn(page)] == [anna]
    for amount in ("£150", "£130"):
        assert amount not in anna.content()
        assert amount not in watcher.content()
    table.play(three)

    contracts = {name: list(cities) for name, cities in CITIES.items()}
    while not table.game.state.round.number:
        seat = table.game.pending[0].seat
        if not contracts[NAMES[seat]]:
            table.play(f"{NAMES[seat]} is done")
            continue
        city, company = contracts[NAMES[seat]].pop(0).split()
        if city == "Trichinopoly":
            check_bid(table)
        table.play(f"{NAMES[seat]} writes {city} for {company}")
    table.check_secrets()
    assert [rings(page) for page in table.pages] == [4, 4, 4, 0]

    table.play(STOCK)
    assert bernd.locator('#sheets [aria-pressed="true"]').inner_text() == "Map"
    assert "The choice is for the whole game." in text(bernd, "#prompt")
    table.play(FIRST)
    right, *rest = SECOND.strip().splitlines()
    table.play(right)
    table.play("Bernd is done")
    table.all_know()
    for page in table.pages:
        assert page.locator("#board-now .run-0").count() >= 2
    assert "£60 to the treasury from the mail contract" in text(bernd, "#action-bar")
    table.play("\n".join(rest[1:]))
    table.check_secrets()

    table.play(THIRD)
    table.check_secrets()
    told = "The contract of Anna is connected: Mysore, Bangalore, Trichinopoly and Madras."
    for page in table.pages:
        page.locator("#tab-log").click()
        expect(page.locator("#log")).to_contain_text(told)
    # Why, says the rule beside it.
    clara.locator("#log li", has_text=told).get_by_role("link").last.click()
    expect(clara.locator("#popup")).to_contain_text("4.3.2")
    clara.keyboard.press("Escape")
    # Looking back, the board is that of then, and still no one else's.
    for page, marked in ((anna, 4), (watcher, 0)):
        page.locator('[data-step="back"]').click()
        expect(page.locator(".past-banner")).to_be_visible()
        assert rings(page) == marked


def check_bid(table: Table) -> None:
    """Anna has written two cities: what is left of her bond and why she cannot pass is on her page
    alone; the map has the values of the cities and the companies of the shares."""
    table.all_know()
    left, why = "£60 of your bond of £100 is unused", "You cannot pass yet"
    for page in table.pages:
        assert (left in text(page, "#prompt")) == (page is table.pages[0])
        assert (why in text(page, "#prompt")) == (page is table.pages[0])
    assert "So far: Mysore and Bangalore." in text(table.pages[0], "#prompt")
    offered = {choice["keys"][0] for choice in choices(table.pages[0])}
    for key in offered:
        expect(table.pages[0].locator(f'#board-now [data-pick="{key}"]')).to_have_count(1)
    # Calcutta would leave too little for a fourth city.
    assert "hex:T16" in offered
    assert "hex:J28" not in offered
