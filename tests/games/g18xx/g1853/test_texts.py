"""Sentences, choices and holdings of 1853: complete, exact, and silent about what a reader may not know."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest

from kursbuch.core import corrections
from kursbuch.core.events import Event
from kursbuch.core.game import Game
from kursbuch.core.state import Decision
from kursbuch.core.voice import Grid, Panel, Pick
from kursbuch.core.words import Words
from kursbuch.games.g18xx import events as shared
from kursbuch.games.g18xx.actions import Discard
from kursbuch.games.g18xx.corrections import InOperatingRound
from kursbuch.games.g18xx.g1853 import TITLE, actions
from kursbuch.games.g18xx.g1853 import events as own
from kursbuch.games.g18xx.g1853.actions import Action1853
from kursbuch.games.g18xx.g1853.state import (
    ElephantOffer,
    ExtraRound,
    Pardon,
    SellElephant,
    SettleCredit,
    State1853,
)
from kursbuch.games.g18xx.g1853.text import Texts1853
from kursbuch.games.g18xx.state import Build, BuyTrains, Pay, PlaceToken, Run, Surplus
from tests.games.g18xx.g1853.land import company, land, lay
from tests.games.g18xx.g1853.table import Scene, bidding, listing
from tests.games.g18xx.scene import NAMES

PLAYERS = ["Anna", "Bernd", "Clara", "Dirk", "Eva", "Fritz"]


def voice(language: str = "en") -> Texts1853:
    return TITLE.voice(Words(language, PLAYERS))


VOICE, GERMAN = voice(), voice("de")


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_refusals_of_the_family_speak_as_the_book_does() -> None:
    """What all titles say is said in the words of this one, also by who knows nothing of it."""
    scene = Scene().shares("EIR", A=3).operating(EIR=122).stock()
    text = "turn of EIR in operating round 1 part 2 of 1"
    correction = corrections.read(TITLE.corrections, text, scene.state, NAMES)
    problem = scene.position.problem(correction)
    assert problem is not None
    assert problem.text(Words("de")) == "Es gibt keine Betriebsrunde 2 von 1."
    assert problem.text(Words("en")) == "There is no operating round 2 of 1."
    assert GERMAN.words._(InOperatingRound.label) == "Zug in einer Betriebsrunde"


# ---- what happens

#: One event of every type that 1853 has or says otherwise, with its line in both languages.
EVENTS: list[tuple[Event, str, str]] = [
    (
        own.BondWritten(rule="", seat=0),
        "Anna has written a bond.",
        "Anna hat eine Anleihe aufgeschrieben.",
    ),
    (
        own.BondNoted(rule="", seat=0, bond=110),
        "The bond of Anna is £110.",
        "Die Anleihe von Anna beträgt 110 £.",
    ),
    (
        own.BondsShown(rule="", amounts=(-90, -130), bonds=(90, 130), seating=(1, 0)),
        "The bonds are revealed and set aside: Bernd £130, Anna £90. Players are seated in this order; "
        "Bernd gets the elephant.",
        "Die Anleihen werden aufgedeckt und beiseitegelegt: Bernd 130 £, Anna 90 £. Das ist die "
        "Sitzreihenfolge; Bernd bekommt den Elefanten.",
    ),
    (
        own.ShareTaken(rule="", seat=1, company="EIR"),
        "Bernd writes a city and takes a share of EIR for it.",
        "Bernd schreibt eine Stadt auf und nimmt dafür eine Aktie von EIR.",
    ),
    (
        own.CityNoted(rule="", seat=1, city="Patna", company="EIR"),
        "The city that Bernd wrote down for EIR is Patna.",
        "Die Stadt, die Bernd für EIR aufgeschrieben hat, ist Patna.",
    ),
    (
        own.ContractComplete(rule="", seat=1, cities=4),
        "Bernd passes: the contract is complete with 4 cities.",
        "Bernd passt: Der Kontrakt ist mit 4 Städten vollständig.",
    ),
    (
        own.ContractComplete(rule="", seat=1, cities=6, passed=False),
        "The contract of Bernd is complete with 6 cities.",
        "Der Kontrakt von Bernd ist mit 6 Städten vollständig.",
    ),
    (
        own.SharesPaid(rule="", amounts=(-292, 0), seat=0, unredeemed=()),
        "Anna pays £292 for the shares in the contract.",
        "Anna bezahlt 292 £ für die Aktien aus dem Kontrakt.",
    ),
    (
        own.SharesPaid(rule="", amounts=(-92, 0), seat=0, unredeemed=(("SIR", 2), ("ECR", 1))),
        "Not redeemed: 2 shares of SIR and 1 share of ECR.",
        "Nicht eingelöst: 2 Aktien von SIR und 1 Aktie von ECR.",
    ),
    (
        shared.StockRoundBegan(rule="", number=2, seat=0),
        "Stock round 2 begins; Anna has the elephant.",
        "Aktienrunde 2 beginnt; den Elefanten hat Anna.",
    ),
    (
        shared.StockRoundEnded(rule="", number=2, seat=1),
        "Stock round 2 is over; Bernd has the elephant.",
        "Aktienrunde 2 ist zu Ende; den Elefanten hat Bernd.",
    ),
    (
        own.SharesRedeemed(rule="", amounts=(-150, 0), seat=0, company="SIR", count=2, price=150),
        "Anna redeems 2 shares of SIR for £150.",
        "Anna löst 2 Aktien von SIR für 150 £ ein.",
    ),
    (
        shared.ShareBought(
            rule="", amounts=(-100, 0), seat=0, company="EIR", certificate="10", source="stack",
            price=100, receiver="bank",
        ),
        "Anna buys a share of EIR for £100.",
        "Anna kauft eine Aktie von EIR für 100 £.",
    ),
    (
        shared.SharesSold(
            rule="", amounts=(190, 0), seat=0, company="EIR", certificates=("10", "10"),
            proceeds=190,
        ),
        "Anna sells 2 shares of EIR for £190.",
        "Anna verkauft 2 Aktien von EIR für 190 £.",
    ),
    (
        own.ElephantOffered(rule="", seat=0, buyer=1, price=30),
        "Anna offers Bernd the elephant for £30.",
        "Anna bietet Bernd den Elefanten für 30 £ an.",
    ),
    (
        own.ElephantRefused(rule="", seat=1),
        "Bernd does not want the elephant.",
        "Bernd lehnt den Elefanten ab.",
    ),
    (own.ElephantKept(rule="", seat=0), "Anna keeps the elephant.", "Anna behält den Elefanten."),
    (
        own.ElephantSold(rule="", amounts=(30, -30), seat=0, buyer=1, price=30),
        "Bernd buys the elephant from Anna for £30.",
        "Bernd kauft Anna den Elefanten für 30 £ ab.",
    ),
    (
        own.Founded(rule="", company="EIR"),
        "Enough shares of EIR (East Indian Railway) have been issued: it is founded "
        "and begins operating after this stock round.",
        "Von EIR (East Indian Railway) sind genügend Aktien ausgegeben: Die Gesellschaft ist "
        "gegründet und geht nach dieser Aktienrunde in Betrieb.",
    ),
    (
        own.FormFixed(rule="", company="BBCI", large=True, shown=("Ajmer", "Bombay")),
        "BBCI is a large company: the contract of its director holds Ajmer and Bombay.",
        "BBCI ist eine große Gesellschaft: Der Kontrakt ihres Direktors enthält Ajmer und Bombay.",
    ),
    (
        own.FormFixed(rule="", company="BBCI", large=False),
        "BBCI is a small company.",
        "BBCI ist eine kleine Gesellschaft.",
    ),
    (
        own.TrainsAdded(rule="", trains=("2", "2M", "3M")),
        "A small company has been founded; these trains enter the game: 2-train, 2M-train and 3M-train.",
        "Eine kleine Gesellschaft ist gegründet worden: Ins Spiel kommen 2er-Lok, 2M-Lok und 3M-Lok.",
    ),
    (
        shared.ManagerFound(rule="", company="EIR", seat=1),
        "EIR has no director: Bernd is its operating manager.",
        "EIR hat keinen Direktor: Betriebsleiter ist Bernd.",
    ),
    (
        own.DirectorLost(rule="", company="EIR", old=0),
        "Anna is no longer director of EIR: no player has two of its shares.",
        "Anna ist nicht mehr Direktor von EIR: Niemand hat zwei Aktien davon.",
    ),
    (
        own.RightTaken(rule="", company="EIR", fee=True),
        "EIR may lay two tiles from now on; the second one costs £50 each time.",
        "EIR darf ab sofort zwei Plättchen legen; das zweite kostet jedes Mal 50 £.",
    ),
    (
        own.RightTaken(rule="", company="EIR", fee=False),
        "EIR waits until phase 3 to lay two tiles, and then pays nothing for it.",
        "EIR legt erst ab Phase 3 zwei Plättchen, dann aber umsonst.",
    ),
    (
        own.FeePaid(rule="", company="EIR", amount=50),
        "EIR pays £50 for laying a second tile.",
        "EIR bezahlt 50 £ für ein zweites Plättchen.",
    ),
    (
        own.BonusPaid(rule="", company="NWR", amount=40),
        "NWR gets a development bonus of £40.",
        "NWR bekommt eine Erschließungsprämie von 40 £.",
    ),
    (
        own.ContractShown(
            rule="", amounts=(80, 0), seat=0, cities=("Delhi", "Patna"), bond=80
        ),
        "The contract of Anna is connected: Delhi and Patna. The bond of £80 is paid back.",
        "Der Kontrakt von Anna ist verbunden: Delhi und Patna. Die Anleihe von 80 £ wird "
        "zurückgezahlt.",
    ),
    (
        own.ContractShown(
            rule="", amounts=(80, 0), seat=0, cities=("Delhi",), bond=80, legal=False
        ),
        "Anna shows an illegal contract, which is connected: Delhi. The bond of £80 is paid back.",
        "Anna zeigt einen ungültigen Kontrakt vor, der verbunden ist: Delhi. Die Anleihe von 80 £ "
        "wird zurückgezahlt.",
    ),
    (
        own.PardonDecided(rule="", seat=0, votes=((1, True), (2, True)), pardoned=True),
        "Anna is pardoned. For it: Bernd and Clara.",
        "Anna wird begnadigt. Dafür: Bernd und Clara.",
    ),
    (
        own.PardonDecided(rule="", seat=0, votes=((1, True), (2, False)), pardoned=False),
        "Anna is not pardoned and has to give up every directorship in the next stock round. For it: "
        "Bernd. Against it: Clara.",
        "Anna wird nicht begnadigt und muss in der nächsten Aktienrunde alle Direktorenposten abgeben. "
        "Dafür: Bernd. Dagegen: Clara.",
    ),
    (
        own.TrainOnCredit(rule="", company="EIR", train="2", source="bank", price=300),
        "EIR buys a 2-train on credit and owes the bank £300.",
        "EIR kauft eine 2er-Lok auf Kredit und schuldet der Bank 300 £.",
    ),
    (
        own.TrainOnCredit(rule="", company="MSM", train="1M", source="pool", price=180),
        "MSM buys a 1M-train from the pool on credit and owes the bank £180.",
        "MSM kauft eine 1M-Lok aus dem Bankpool auf Kredit und schuldet der Bank 180 £.",
    ),
    (
        own.CreditSettled(rule="", amounts=(0, 0), company="EIR", train="2", price=300),
        "EIR pays £300 for the 2-train it had on credit.",
        "EIR bezahlt 300 £ für die 2er-Lok auf Kredit.",
    ),
    (
        own.CreditSettled(
            rule="", amounts=(0, -60), company="EIR", train="2", price=300, seat=1, added=60
        ),
        "EIR pays £300 for the 2-train it had on credit. Bernd adds £60.",
        "EIR bezahlt 300 £ für die 2er-Lok auf Kredit. Bernd schießt 60 £ zu.",
    ),
    (
        own.CreditReturned(rule="", company="EIR", train="2", seat=1),
        "Bernd returns the 2-train that EIR had on credit: it goes to the pool.",
        "Bernd gibt die 2er-Lok zurück, die EIR auf Kredit hatte: Sie kommt in den Bankpool.",
    ),
    (
        own.CreditReturned(rule="", company="EIR", train="2", seat=1, forced=True),
        "Bernd cannot pay for the 2-train that EIR has on credit: it goes to the pool.",
        "Bernd kann die 2er-Lok, die EIR auf Kredit hat, nicht bezahlen: Sie kommt in den Bankpool.",
    ),
    (
        own.LocoTokenUsed(rule="", company="ECR", train="2M"),
        "ECR gives up its loco token for the 2M-train.",
        "ECR gibt für die 2M-Lok die Lokmarke ab.",
    ),
    (
        shared.TrainBought(
            rule="", amounts=(0, -60), company="EIR", train="2", source="bank", price=300, added=60
        ),
        "EIR buys a 2-train for £300. Bernd adds £60.",
        "EIR kauft eine 2er-Lok für 300 £. Bernd schießt 60 £ zu.",
    ),
    (
        shared.Withheld(rule="", company="EIR", revenue=80),
        "EIR withholds £80 for its treasury.",
        "EIR behält 80 £ ein.",
    ),
    (
        shared.Withheld(rule="", company="EIR", revenue=0),
        "EIR pays no dividend.",
        "EIR zahlt keine Dividende.",
    ),
    (
        shared.PriceMoved(rule="", company="EIR", before="U1", after="T1", price=96, why="saved"),
        "(revenue withheld)",
        "(einbehalten)",
    ),
    (
        shared.PhaseBegan(rule="", phase="3", train="3"),
        "all large companies may lay two tiles, metre-gauge trains for large companies, too",
        "nach der nächsten Aktienrunde 2 Betriebsrunden, alle großen Gesellschaften dürfen zwei "
        "Plättchen legen, Meterspur-Loks auch für große Gesellschaften",
    ),
    (
        shared.PhaseBegan(rule="", phase="5", train="5"),
        "a 5-train or 6-train opens the land outside a company's own territory",
        "mit einer 5er- oder 6er-Lok darf außerhalb des eigenen Gebiets gebaut werden",
    ),
    (
        shared.OperatingRoundBegan(rule="", number=2, part=1, parts=2),
        "Operating round 2.1 begins (1 of 2).",
        "Betriebsrunde 2.1 beginnt (1 von 2).",
    ),
    (
        own.RoundOrdered(rule="", seat=0, orders=True),
        "Anna orders one more operating round.",
        "Anna setzt eine zusätzliche Betriebsrunde an.",
    ),
    (
        own.RoundOrdered(rule="", seat=0, orders=False),
        "Anna orders no further operating round.",
        "Anna setzt keine weitere Betriebsrunde an.",
    ),
    (
        shared.BankBroken(rule=""),
        "The bank has no money left; the game ends after this operating round.",
        "Die Bank hat kein Geld mehr; die Partie endet nach dieser Betriebsrunde.",
    ),
    (
        shared.BankBroken(rule="", in_stock_round=True),
        "The bank has no money left; the game ends after this stock round.",
        "Die Bank hat kein Geld mehr; die Partie endet nach dieser Aktienrunde.",
    ),
    (
        own.PriceLimit(rule="", company="EIR"),
        "The price of EIR has reached £400: the game is over at once.",
        "Der Aktienkurs von EIR hat 400 £ erreicht: Die Partie ist sofort zu Ende.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("event", "english", "german"), EVENTS, ids=[type(one[0]).__name__ for one in EVENTS]
)
def test_every_event_has_a_line(event: Event, english: str, german: str) -> None:
    assert english in plain(VOICE.describe(event))
    assert german in plain(GERMAN.describe(event))


def test_no_event_is_forgotten() -> None:
    declared = {
        kind
        for kind in vars(own).values()
        if isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == own.__name__
    }
    assert declared <= {type(event) for event, _, _ in EVENTS}


# ---- random games, seen by everybody


def texts(panels: list[Panel], grids: list[Grid]) -> Iterator[str]:
    """Every text of holdings."""
    for panel in panels:
        yield panel.title
        for row in panel.rows:
            yield from (row.label, row.value, row.note)
    for grid in grids:
        assert all(len(row) == len(grid.head) for row in grid.rows)
        yield from (grid.title, grid.note, *grid.head)
        yield from (text for row in grid.rows for cell in row for text in (cell.text, cell.note))


def look(state: State1853, seats: int) -> None:
    """Holdings in every view, in both languages: whole sentences, and cities only of those contracts the
    reader may know."""
    for reader in (None, *range(seats)):
        view = TITLE.view(state, reader)
        for said in (VOICE, GERMAN):
            panels = said.panels(view)
            found = [*texts(panels, said.tables(view)), said.status(view)]
            found += [said.seat_note(view, seat) for seat in range(seats)]
            assert not [text for text in found if "{" in text or "}" in text]
            for seat in range(seats):
                contract = view.contracts[seat]
                told = [row.label for row in panels[seat].rows if row.key.startswith("hex:")]
                if seat == reader or contract.shown or not view.agenda:
                    assert told == contract.cities
                else:
                    assert set(told) <= {"Ajmer", "Bombay"} & set(contract.cities)


def ask(state: State1853, decision: Decision) -> None:
    """What the player is asked, and what spectators would read."""
    for said in (VOICE, GERMAN):
        for reader in (decision.seat, None):
            asked = said.prompt(TITLE.view(state, reader), decision)
            assert asked
            assert "{" not in asked


def point(state: State1853, seat: int, choices: Any) -> None:
    """Every action has a text and keys of its own, none of which leads to two."""
    paths = set()
    for choice in choices:
        for said in (VOICE, GERMAN):
            pick: Pick = said.pick(TITLE.view(state, seat), choice.action)
            assert pick.group
            assert pick.label
            assert "{" not in pick.label
            assert bool(said.amount_label(choice.action)) == bool(choice.amount)
        assert pick.keys not in paths
        paths.add(pick.keys)
    assert not [path for path in paths for part in range(1, len(path)) if path[:part] in paths]


@lru_cache
def played(seats: int) -> tuple[set[type], set[str]]:
    """A random game in which everything is said; returns the types of actions and steps it came to."""
    seen: tuple[set[type], set[str]] = (set(), set())
    rng = random.Random(seats)
    options = {"illegal-contracts": "on"} if seats == 5 else {}
    game = Game(TITLE, PLAYERS[:seats], options, seed=str(seats))
    for number in range(260):
        if game.over:
            break
        state: State1853 = game.position.state
        if number % 13 == 0:
            look(state, seats)
        seat = rng.choice(game.pending).seat
        decision = next(one for one in game.pending if one.seat == seat)
        seen[1].add(decision.step)
        ask(state, decision)
        choices = game.legal_actions(seat)
        point(state, seat, choices)
        seen[0].update(type(choice.action) for choice in choices)
        kinds = sorted({type(choice.action) for choice in choices}, key=lambda kind: kind.__name__)
        kind = rng.choices(
            kinds, [{"Done": 1, "OfferTrain": 1}.get(one.__name__, 4) for one in kinds]
        )[0]
        choice = rng.choice([one for one in choices if type(one.action) is kind])
        action = choice.action
        if choice.amount is not None:
            low = choice.amount.low
            action = choice.with_amount(low + choice.amount.step * (len(choice.amount) // 3))
        game.apply(action)
        for event in game.moves[-1].events:
            for said in (VOICE, GERMAN):
                assert "{" not in said.describe(event)
    return seen


@pytest.mark.parametrize("seats", TITLE.seats)
def test_everything_can_be_said(seats: int) -> None:
    assert len(played(seats)[0]) > 12


def test_random_games_come_to_almost_everything() -> None:
    """The rest is in the scenes below."""
    games = [played(seats) for seats in TITLE.seats]
    left = set(Action1853.__args__) - set().union(*(kinds for kinds, _ in games))
    assert left <= {
        Discard,
        actions.BuyOnCredit,
        actions.SettleTrain,
        actions.ShowContract,
        actions.Vote,
    }
    assert set().union(*(steps for _, steps in games)) >= {
        *("write-bonds", "bid", "stock-turn", "sell-elephant", "elephant-offer"),
        *("choose-right", "build", "place", "pay", "buy-trains", "train-offer", "extra-round"),
    }


# ---- what is asked, and what can be chosen


def prompt(scene: Scene, name: str = "A") -> str:
    decision = Decision(NAMES.index(name), scene.step())
    return plain(VOICE.prompt(TITLE.view(scene.state, decision.seat), decision))


def labels(scene: Scene, name: str = "A") -> list[str]:
    """The texts of everything a player may do."""
    return [
        plain(VOICE.pick(scene.state, choice.action).label)
        for choice in scene.position.legal_actions(NAMES.index(name))
    ]


def keys(scene: Scene, name: str = "A") -> list[tuple[str, ...]]:
    return [
        VOICE.pick(scene.state, choice.action).keys
        for choice in scene.position.legal_actions(NAMES.index(name))
    ]


def rows(scene: Scene, seat: int, reader: int | None) -> dict[str, tuple[str, str]]:
    """What is said of a player to a reader."""
    panel = VOICE.panels(TITLE.view(scene.state, reader))[seat]
    return {row.label: (plain(row.value), plain(row.note)) for row in panel.rows}


def test_the_bond() -> None:
    scene = bidding(3)
    assert prompt(scene).startswith(
        "Write your bond, at least £80 and a multiple of £10; you have £730. The values of your "
        "contract cities (4 to 6) may not exceed your bond."
    )
    assert "Elephant" not in rows(scene, 0, 0)
    assert VOICE.status(scene.state).startswith("contract bids · phase 1")
    scene.do("A writes a bond of 120")
    assert rows(scene, 0, 0)["Bond"] == ("£120", ("shown once everyone has written theirs"))
    assert "Bond" not in rows(scene, 0, 1)
    assert "Bond" not in rows(scene, 0, None)
    assert VOICE.seat_note(TITLE.view(scene.state, 0), 0).endswith(" · bond £120")
    assert "bond" not in VOICE.seat_note(TITLE.view(scene.state, 1), 0)


def test_writing_a_city_says_what_is_left_and_why_not_to_pass() -> None:
    scene = listing(4, 130, 120, 110, 100)
    assert prompt(scene) == (
        "Write a city on your contract and take a share for it: choose the city on the map. £130 of "
        "your bond of £130 is unused; at most 6 more cities are possible. You cannot pass yet: Your "
        "contract needs 3 cities and has 0."
    )
    assert ("hex:J28", "take:EIR") in keys(scene)
    assert "Calcutta (counts £50): a share of EIR for £100" in labels(scene)
    scene.do("A writes Calcutta for EIR")
    assert rows(scene, 0, 0)["Bond"] == ("£130", "set aside, £80 unused")
    assert rows(scene, 0, 0)["Calcutta"] == ("not connected", "EIR, £50")
    assert rows(scene, 0, 1)["Contract"] == ("1 city", "not complete, for EIR")
    assert "Calcutta" not in rows(scene, 0, 1)
    assert rows(scene, 0, 1)["Bond"] == ("£130", "set aside")
    scene.do("B writes Lahore for NWR", "C writes Jaipur for BBCI", "D writes Ajmer for BBCI")
    scene.do("A writes Delhi for EIR", "B writes Multan for NWR", "C writes Ajmer for BBCI")
    scene.do("D writes Jaipur for BBCI", "A writes Patna for EIR")
    scene.do("B writes Karachi for NWR", "C writes Nagpur for BNR", "D writes Multan for NWR")
    assert prompt(scene) == (
        "Write a city on your contract and take a share for it: choose the city on the map. So far: "
        "Calcutta, Delhi and Patna. The shares for them will cost £300; you have £440. £20 of your "
        "bond of £130 is unused; at most 1 more city is possible. Or pass: then your contract is complete."
    )
    assert labels(scene)[-1] == "Pass: the contract is complete"
    # Who looks on from elsewhere reads nothing of the cities.
    decision = Decision(0, scene.step())
    assert VOICE.prompt(TITLE.view(scene.state, None), decision) == (
        "Write a city on your contract and take a share for it: choose the city on the map."
    )


def test_shares_of_a_contract_count_nothing_before_they_are_paid_for() -> None:
    scene = listing(4, 130, 120, 110, 100)
    cash = TITLE.scores(scene.state)[0]
    scene.do("A writes Calcutta for EIR")
    assert TITLE.scores(scene.state)[0] == cash
    assert rows(scene, 0, 1)["Shares at market price"] == ("£0", "")
    note = "shares in the contract are worth nothing until they are paid for"
    assert rows(scene, 0, 1)["Shares not paid for"] == ("£100", note)
    assert VOICE.seat_note(scene.state, 0).endswith(" · shares for £100, not yet paid for")
    paid = Scene().shares("ECR", A=2).unredeemed("A", ECR=1).stock()
    assert rows(paid, 0, 1)["Shares not paid for"][1] == ("unredeemed shares are worth nothing")
    assert "Shares not paid for" not in rows(paid, 1, 0)


def test_a_contract_says_which_cities_are_joined() -> None:
    scene = Scene().contract("A", 100, "Delhi", "Jaipur", "Patna").track("standard", "F14", "G13")
    scene.stock("C")
    assert rows(scene, 0, 0)["Contract"] == ("3 cities", "1 link is missing")
    assert rows(scene, 0, 0)["Delhi"][0] == "joined to Jaipur"
    assert rows(scene, 0, 0)["Patna"][0] == "not connected"
    assert rows(scene, 0, 2)["Contract"] == ("3 cities", "for EIR, BBCI, EIR")
    scene.state.contracts[0].shown = True
    assert rows(scene, 0, 2)["Contract"] == ("3 cities", "connected and shown")
    assert rows(scene, 0, 2)["Bond"] == ("£100", "paid back")
    assert rows(scene, 0, 2)["Patna"] == ("", "EIR, £20")


def test_shares_that_are_not_redeemed() -> None:
    scene = Scene().shares("ECR", A=2).unredeemed("A", ECR=2).money(A=150).stock()
    assert prompt(scene) == (
        "You can redeem shares or pass. You cannot buy any before you have redeemed "
        "2 shares of ECR, for £140 in all; you have £150."
    )
    assert labels(scene) == [
        "ECR: redeem a share for £70",
        "ECR: redeem 2 shares for £140",
        "Pass",
    ]
    assert keys(scene)[1] == ("company:ECR", "redeem:2")
    assert rows(scene, 0, 1)["ECR"] == ("2 shares", "2 not redeemed")
    assert VOICE.seat_note(scene.state, 0).endswith(" · elephant · 2 not redeemed")


def test_what_is_asked_is_what_is_possible() -> None:
    scene = Scene().shares("ECR", A=2).unredeemed("A", ECR=2).money(A=60).shares("EIR", A=1).stock()
    assert prompt(scene).startswith("You can sell shares or pass. You cannot buy any before")
    scene = Scene().money(A=60).shares("EIR", A=1).stock()
    assert prompt(scene) == (
        "You can sell shares or pass. The cheapest share costs £70, and you have £60."
    )
    scene.do("A sells EIR 10")
    assert prompt(scene).startswith("You can buy a share or end your turn.")


def test_who_can_write_no_city_is_told_to_pass() -> None:
    scene = listing(4, 70, 60, 60, 60)
    scene.do("A writes Patna for EIR", "B writes Lahore for NWR", "C writes Jaipur for BBCI")
    scene.do("D writes Ajmer for BBCI", "A writes Nagpur for BNR", "B writes Multan for NWR")
    scene.do("C writes Ajmer for BBCI", "D writes Jaipur for BBCI", "A writes Hyderabad for BNR")
    scene.do("B writes Karachi for NWR", "C writes Nagpur for BNR", "D writes Multan for NWR")
    assert labels(scene) == ["Pass: the contract is complete"]
    assert prompt(scene).startswith("You can only pass: then your contract is complete. So far: ")


def test_a_sale_moves_no_price_and_brings_par_before_the_founding() -> None:
    scene = Scene().shares("EIR", A=3, B=2).operating(EIR=122).shares("SIR", A=1).stock()
    assert "EIR: sell a share for £122" in labels(scene)
    assert "EIR: sell 2 shares for £244" in labels(scene)
    assert "SIR: sell a share for £75" in labels(scene)
    assert "GIP: buy a share new for £96" in labels(scene)


def test_a_company_without_a_director_in_the_table_of_shares() -> None:
    scene = Scene().shares("EIR", A=1, B=1, pool=3).operating("EIR")
    first, *_ = VOICE.share_table(scene.state).rows
    assert [plain(cell.text) for cell in first] == ["EIR", "50", "30", "☆10", "10", "", ""]
    notes = {row[0].text: plain(row[0].note) for row in VOICE.share_table(scene.state).rows}
    assert notes["ECR"] == "issue price £70\n0/50% sold"
    (row,) = VOICE.company_table(scene.state).rows
    assert (row[0].note, row[-1].text) == ("Anna, operating manager", "large")
    assert VOICE.price_note(scene.state, "SIR") == "issue price £75"


def test_the_elephant() -> None:
    scene = Scene().money(B=40).on(SellElephant())
    assert prompt(scene).startswith("You have the elephant: you begin the next stock round")
    assert labels(scene) == [
        "Offer it to Bernd, who has £40",
        "Offer it to Clara, who has £570",
        "Offer it to Dirk, who has £570",
        "Keep the elephant",
    ]
    scene.do("A offers the elephant to player 2 for 30")
    assert isinstance(scene.state.agenda[-1], ElephantOffer)
    assert prompt(scene, "B").startswith("Anna offers you the elephant for £30")
    assert labels(scene, "B") == ["Accept", "Refuse"]


def test_one_more_operating_round() -> None:
    scene = Scene().on(ExtraRound())
    assert prompt(scene) == (
        "You have the elephant. Do you order one more operating round before stock round 3?"
    )
    assert labels(scene) == ["No, begin stock round 3", "Order one more operating round"]


def test_what_follows() -> None:
    scene = company().turn("EIR", Build)
    assert VOICE.what_follows(scene.state) == (
        "stock round 3, or one more operating round if Anna orders it"
    )
    scene.state.extra = True
    assert VOICE.what_follows(scene.state) == "stock round 3"
    assert VOICE.round_name(scene.state) == "operating round 2.1 (1 of 1)"
    assert GERMAN.round_name(scene.state) == "Betriebsrunde 2.1 (1 von 1)"
    stock = Scene().stock()
    stock.state.broken = "stock"
    assert VOICE.what_follows(stock.state) == "the end of the game, because the bank is empty"
    assert VOICE.end_note(stock.state) == "the game ends after this stock round"


def test_why_it_has_ended() -> None:
    scene = Scene().shares("EIR", A=2).operating(EIR=400)
    assert VOICE.status(scene.state).endswith("ended because the price of EIR has reached £400")
    broken = Scene()
    broken.state.broken = "operating"
    assert VOICE.status(broken.state).endswith("ended because the bank is empty")


# ---- a company's turn


def test_when_two_tiles_may_be_laid() -> None:
    scene = company()
    scene.state.charters["EIR"].right = ""
    scene.turn("EIR")
    assert prompt(scene).startswith("EIR is a large company. When may it start laying two tiles")
    assert labels(scene) == [
        "From phase 3 on, free of charge",
        ("At once, paying £50 each time for the second tile"),
    ]


def test_building_says_what_may_be_laid_and_what_it_costs() -> None:
    scene = company().turn("EIR", Build)
    assert prompt(scene) == ("EIR may lay a tile: choose a hex and its tile. It has £1,000.")
    scene = company()
    scene.state.charters["EIR"].right = "fee"
    scene.turn("EIR", Build)
    assert prompt(scene) == (
        "EIR may lay one new tile, or two (the second for £50): choose a hex and its tile. It has £1,000."
    )
    scene.do(f"A {lay('metre I27 J28 H26')}")
    assert prompt(scene) == (
        "EIR may lay a second tile, which costs £50 more and has to be reached from another station: "
        "choose a hex and its tile. It has £1,000."
    )
    found = [label for label in labels(scene) if label.startswith("Tile")]
    assert all(", for £" in label for label in found)
    assert any(label.endswith(", for £90 (terrain £40, second tile £50)") for label in found)
    scene = company(phase="3").turn("EIR", Build)
    assert prompt(scene) == (
        "EIR may lay one new tile, or two, or upgrade a hex: choose a hex and its tile. It has £1,000."
    )
    scene = company("SIR", phase="3").turn("SIR", Build)
    assert prompt(scene) == (
        "SIR may lay one new tile, or upgrade a hex: choose a hex and its tile. It has £1,000."
    )


def test_a_tile_says_which_bonus_it_brings() -> None:
    scene = land(company("NWR"), "C11 B10 D10").turn("NWR", Build)
    found = [label for label in labels(scene) if "Rawalpindi" in label]
    assert found
    assert all(label.endswith(" (bonus £40)") for label in found)


def test_a_station_says_what_it_costs() -> None:
    scene = land(company(), "H24 H22 I25", "H22 H24 I21").turn("EIR", PlaceToken)
    assert prompt(scene).endswith("A token costs £40.")


def test_a_dividend_says_how_far_the_price_goes_and_what_the_mail_brings() -> None:
    scene = company().trains("EIR", "2")
    land(scene, "H24 H22 I25", "H22 H24 I21").turn("EIR", Pay)
    scene.state.agenda[-1] = Pay("EIR", 40)
    assert prompt(scene).endswith(" You may also run other routes.")
    paid, kept = labels(scene)
    assert paid == (
        "Pay out £40: £4 a share, £12 to Anna, £40 to the treasury from the mail contract, price 100 → 104"
    )
    assert kept == "Withhold £40, with the mail £80 for the treasury, price stays 100"
    scene.shares("EIR", pool=1)
    assert labels(scene)[1].endswith(", price 100 → 96")


@pytest.mark.rule("1853:4.6.6", "1853:4.6.4")
def test_both_plans_of_runs_stand_at_the_decision() -> None:
    """Where more can be paid out by other runs than are best to withhold."""
    scene = land(company().trains("EIR", "2"), "H24 716 0", "H22 716 0", "I23 58 2")
    scene.turn("EIR", Run)
    assert prompt(scene).startswith(
        "EIR can pay out £70: 2-train Patna 30 + Benares 30 + I23 10 = 70, and £40 for the mail; or withhold "
        "£60: 2-train Benares 30 + Patna 30 = 60, and £60 for the mail. Pay out or withhold?"
    )
    paid, kept = labels(scene)
    assert paid == (
        "Pay out £70: £7 a share, £21 to Anna, £40 to the treasury from the mail contract, price 100 → 104"
    )
    assert kept == "Withhold £60, with the mail £120 for the treasury, price stays 100"


def test_a_dividend_can_end_the_game() -> None:
    scene = Scene().shares("EIR", A=3).operating(EIR=380).trains("EIR", "2").on(Pay("EIR", 100))
    assert VOICE.price_change(scene.state, "EIR", True, 100) == "price 380 → 400: the game is over"


def test_an_operating_manager_has_to_withhold() -> None:
    scene = Scene().shares("EIR", A=1, pool=5).operating("EIR").trains("EIR", "2")
    land(scene, "H24 H22 I25", "H22 H24 I21").on(Pay("EIR", 40))
    assert "EIR has no director: its operating manager has to withhold the revenue." in prompt(
        scene
    )
    assert [label.split()[0] for label in labels(scene)] == ["Withhold"]


def test_trains_of_both_gauges_on_offer() -> None:
    scene = company("MSM", money=200).small_founded().turn("MSM", BuyTrains, part=2)
    assert prompt(scene) == (
        "MSM has £200 and no train. Buy a train? New: 2-train for £300, 7 left; "
        "1M-train for £180, 7 left. You may make up the difference from your £570."
    )
    assert labels(scene)[:2] == [
        "Buy a 2-train for £300 (the director adds £100)",
        "Buy a 1M-train for £180",
    ]
    table = {row[0].text: row for row in VOICE.train_table(scene.state).rows}
    assert (table["2"][2].text, table["2"][2].note) == ("7 of 7", "on offer")
    assert (table["1M"][2].text, table["1M"][2].note) == ("7 of 7", "on offer to small companies")
    assert table["1M"][0].note == "the other side of the 2-train"
    assert (table["2M"][0].note, table["2M"][2].note) == ("from phase 3 on", "")
    scene = company("MSM", money=200).small_founded()
    scene.state.round.number = 1
    scene.turn("MSM", BuyTrains, part=1)
    assert "2-train for £300, any number left; 1M-train for £180, any number left" in prompt(scene)


def test_a_train_for_the_loco_token_and_one_on_credit() -> None:
    scene = company("MSM").small_founded()
    scene.trains("box", *["2"] * 7).turn("MSM", BuyTrains, part=2)
    assert "Buy a 2M-train for £250 (costs the loco token)" in labels(scene)
    scene = Scene().shares("EIR", A=1, pool=5).operating("EIR").money(EIR=200, A=150)
    scene.turn("EIR", BuyTrains, part=2)
    assert prompt(scene).endswith(
        "You may make up the difference from your £150, or buy a train on credit."
    )
    assert labels(scene)[:2] == [
        "Buy a 2-train for £300 (the operating manager adds £100)",
        "Buy a 2-train on credit, £300 owed",
    ]
    assert keys(scene)[:2] == [("train:bank:2",), ("credit:bank:2",)]
    scene.do("A buys train 2 on credit")
    assert VOICE.company_line(scene.state, "EIR").endswith(
        "owes £300 for its 2-train".replace(" ", "\N{NO-BREAK SPACE}")
    )


def test_a_new_director_settles_the_credit() -> None:
    scene = Scene().shares("EIR", A=2).operating("EIR").credit("EIR", "2").money(EIR=240, A=100)
    scene.on(SettleCredit("EIR"))
    assert prompt(scene) == (
        "You are now director of EIR. It has the 2-train on credit: do you pay for "
        "it (£300, of which you add £60), or does the train go to the pool?"
    )
    assert labels(scene) == ["Pay £300: EIR £240, you £60", "Return the 2-train"]
    scene.money(EIR=400)
    assert labels(scene) == ["Pay £300 from the treasury", "Return the 2-train"]


def test_trains_above_the_limit() -> None:
    scene = Scene().phase("5").shares("EIR", A=3).operating("EIR").trains("EIR", "3M", "3M", "4M")
    scene.on(Surplus(["EIR"]))
    assert prompt(scene) == (
        "EIR has more trains than its limit of 2: choose what goes to the pool."
    )
    assert labels(scene) == ["EIR gives up 3M-train", "EIR gives up 4M-train"]


# ---- illegal contracts


def test_an_illegal_contract_is_voted_on() -> None:
    scene = Scene(illegal_contracts="on").contract("B", 60, "Delhi", "Delhi", "Delhi")
    scene.stock()
    assert labels(scene, "B") == ["Show your connected contract; the others vote on it"]
    scene.do("B shows the contract")
    assert isinstance(scene.state.agenda[-1], Pardon)
    assert prompt(scene).startswith(
        "Bernd has shown an illegal contract: Delhi (EIR), Delhi (EIR) and Delhi (EIR). Do you pardon "
        "it?"
    )
    assert labels(scene) == ["Pardon", "Do not pardon"]
    scene.do("A does not pardon", "C does not pardon", "D pardons")
    assert rows(scene, 1, None)["Penalty"] == (
        "gives up every directorship",
        "from stock round 3 on",
    )
