"""Sentences, choices and holdings: complete, with the sums a player wants to see."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kursbuch.core.events import Event, Payment
from kursbuch.core.game import Game
from kursbuch.core.state import Decision
from kursbuch.core.words import LANGUAGES, Words
from kursbuch.games.g18xx import events as shared
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.g1835 import state as own
from kursbuch.games.g18xx.g1835.state import Action1835
from kursbuch.games.g18xx.map.track import Laid, Station
from kursbuch.games.g18xx.state import Build, BuyTrains, Pay, PlaceToken, StockTurn
from tests.games.g18xx.g1835.table import Scene

WORDS = Words("en", ["Anna", "Bernd", "Clara", "Dirk"])
VOICE = TITLE.voice(WORDS)

#: One event of every type, with what its line says.
EVENTS: list[tuple[Event, str]] = [
    (shared.StockRoundBegan(rule="", number=2, seat=1), "Stock round 2 begins; Bernd"),
    (shared.StockRoundEnded(rule="", number=2, seat=0), "Anna gets the priority deal"),
    (shared.OperatingRoundBegan(rule="", number=2, part=1, parts=2), "2.1 begins (1 of 2)"),
    (shared.PhaseBegan(rule="", phase="2a", train="3"), "green tiles, 2 operating rounds"),
    (
        shared.PaperBought(
            rule="", amounts=(0, -190, 0, 0), seat=1, paper="LD", price=190, company="SX",
            free="20P",
        ),
        "Bernd buys LD (Leipzig-Dresdner Bahn) for 190 M and gets SX 20 % (director) with it.",
    ),
    (shared.Passed(rule="", seat=2), "Clara passes."),
    (shared.Passed(rule="", seat=2, able=False), "Clara can do nothing and passes."),
    (
        shared.ShareBought(
            rule="", amounts=(-92, 0, 0, 0), seat=0, company="BY", certificate="10",
            source="stack", price=92, receiver="BY",
        ),
        "Anna buys 10 % of BY for 92 M; the money goes to BY.",
    ),
    (
        shared.Nationalised(
            rule="", amounts=(-138, 138, 0, 0), seat=0, company="BY", certificate="10",
            player=1, price=138,
        ),
        "Anna takes 10 % of BY from Bernd for 138 M.",
    ),
    (
        shared.SharesSold(
            rule="", amounts=(184, 0, 0, 0), seat=0, company="BY", certificates=("10", "10"),
            proceeds=184,
        ),
        "Anna sells 2 × 10 % of BY for 184 M.",
    ),
    (
        shared.PriceMoved(rule="", company="BY", before="C3", after="C4", price=88, why="sold"),
        "from 92 to 88 (shares sold)",
    ),
    (shared.Floated(rule="", company="BY", treasury=460, cell="C3"), "at 92 with 460 M"),
    (
        shared.DirectorChanged(
            rule="", company="BY", old=0, new=1, certificates=("10", "10"), receiver=0
        ),
        "Bernd becomes director of BY; in exchange 2 × 10 % go to Anna.",
    ),
    (shared.PapersClosed(rule="", papers=("NF", "OB")), "NF and OB close."),
    (
        shared.Exchanged(
            rule="", seat=0, paper="3", company="PR", certificate="5", money=45, trains=("3",)
        ),
        "Anna exchanges Minor 3 for 5 % of PR. PR takes over 45 M and these trains: 3-train.",
    ),
    (
        shared.Exchanged(
            rule="", seat=0, paper="3", company="PR", certificate="5", trains=("3",),
            unpaid=True, idle=("3",),
        ),
        "PR takes over these trains: 3-train. The share pays no dividend in this "
        "operating round. Already run in this operating round: 3-train.",
    ),
    (shared.NothingExchanged(rule="", seat=0), "Anna exchanges nothing."),
    (
        shared.PrivatesPaid(
            rule="", amounts=(25, 0, 0, 0), incomes=(("NF", 0, 5), ("LD", 0, 20))
        ),
        "Anna 25 M (NF, LD)",
    ),
    (shared.TurnBegan(rule="", company="3", seat=0), ("Minor 3 operates next "
                                                     "(director: Anna).")),
    (shared.PassedOver(rule="", company="PR"), "PR is skipped"),
    (
        shared.TileLaid(rule="", company="BY", hex="O11", tile="8", rotation=0, cost=70),
        "BY lays tile 8 on O11. Cost: 70 M.",
    ),
    (
        shared.StationPlaced(rule="", company="BY", hex="H16", stop=0, cost=140),
        "in Leipzig (H16). Cost: 140 M.",
    ),
    (
        shared.StationsTakenOver(
            rule="", company="PR", old="3", replaced=(Station("PR", "F14", 0),)
        ),
        "PR takes over the station of Minor 3: Magdeburg (F14).",
    ),
    (
        shared.StationsTakenOver(rule="", company="PR", old="5", removed=(Station("5", "E19", 1),)),
        "The station of Minor 5 is removed: Berlin (E19).",
    ),
    (
        shared.RunEvent(
            rule="", company="3", revenue=40,
            runs=(("2", 40, (("F12", 0, 20), ("F14", 0, 20))),),
        ),
        "2-train Braunschweig 20 + Magdeburg 20 = 40",
    ),
    (
        shared.RevenueEntered(rule="", company="BY", revenue=50, best=60),
        "The revenue of BY is entered as 50 M; its best runs earn 60 M.",
    ),
    (
        shared.DividendPaid(
            rule="", company="BY", revenue=180, amounts=(90, 54, 0, 0), treasury=36
        ),
        "Anna 90 M, Bernd 54 M, treasury 36 M",
    ),
    (shared.Withheld(rule="", company="BY", revenue=180, bank=20), "20 M of it goes to the bank to pay off its debt"),
    (shared.Withheld(rule="", company="BY", revenue=0), "BY pays no dividend."),
    (
        shared.TrainBought(
            rule="", company="BY", train="4", source="bank", price=360, added=60,
            amounts=(-60, 0, 0, 0),
        ),
        "BY buys a 4-train for 360 M. The director adds 60 M.",
    ),
    (
        shared.OfferMade(rule="", company="BY", owner="3", train="2", price=50, seat=1),
        "BY offers Minor 3 50 M for a 2-train; Bernd decides.",
    ),
    (
        shared.PriceAsked(rule="", company="BY", owner="3", train="2", price=70, seat=0),
        "Minor 3 asks BY for 70 M for the 2-train; Anna decides.",
    ),
    (
        shared.OfferRefused(
            rule="", seat=0, company="BY", owner="3", train="2", price=70, counter=True
        ),
        "Anna does not pay Minor 3 70 M for the 2-train.",
    ),
    (
        shared.OfferRefused(rule="", seat=1, company="BY", owner="3", train="2", price=50),
        "Bernd refuses 50 M from BY for the 2-train.",
    ),
    (
        shared.TrainsRusted(rule="", trains=(("BY", "2", 2), ("pool", "2", 1))),
        "BY: 2 × 2-train; Pool: 2-train",
    ),
    (shared.TrainsDiscarded(rule="", company="BY", trains=("2",)), "to the pool: 2-train"),
    (
        shared.Bankrupt(
            rule="", amounts=(-5, 0, 0, 0), seat=0, company="BY", certificates=(("BY", "10"),)
        ),
        "Anna is bankrupt and out of the game; into the pool go BY 10 %.",
    ),
    (shared.ManagerFound(rule="", company="BY", seat=1), "Bernd acts for BY"),
    (shared.BankBroken(rule="6.1"), "the game ends after this operating round"),
    (shared.BankBroken(rule="6.1b", in_stock_round=True), "after this stock round and one more operating round"),
    (
        shared.Noted(rule="", notes=(("p1", 110), ("BY", 20), ("3", 5))),
        "noted for the final scoring: Bernd 110 M, BY 20 M, Minor 3 5 M.",
    ),
    (
        shared.Ended(rule="", cash=(10, 0, 0, 0), noted=(0, 5, 0, 0), shares=(1, 1, 0, 0)),
        "Anna 11 M (10 M + shares 1 M), Bernd 6 M (0 M + noted 5 M + shares 1 M)",
    ),
    (
        shared.Ended(rule="", cash=(1000, 500, 0, 0), shares=(500, 1500, 0, 0)),
        "Bernd 2,000 M (500 M + shares 1,500 M), Anna 1,500 M",
    ),
    (own.PrussiaOpened(rule="", seat=0, treasury=308), "Anna opens the Prussian railway"),
    (own.PrussiaOpened(rule="", seat=None, treasury=308), "The Prussian railway opens; it gets 308"),
    (own.PrussiaWaits(rule="", seat=0), "Anna does not open"),
]  # fmt: skip


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(("event", "expected"), EVENTS, ids=lambda one: type(one).__name__)
def test_every_event_has_a_line(event: Event, expected: str) -> None:
    assert expected in plain(VOICE.describe(event))


def test_no_event_is_forgotten() -> None:
    declared = {
        kind
        for module in (shared, own)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Event) and kind not in (Event, Payment)
    }
    assert declared == {type(event) for event, _ in EVENTS}


def played(seed: int, moves: int) -> tuple[Game, Any]:
    """A game played at random, and the random numbers to go on with."""
    rng = random.Random(seed)
    return Game(TITLE, ["Anna", "Bernd", "Clara", "Dirk"], {}, seed=str(seed)), rng


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_can_be_said(language: str) -> None:
    words = Words(language, WORDS.names)
    game, rng = played(1, 600)
    kinds = set()
    for number in range(600):
        (decision, *_) = game.pending
        state = game.position.state
        choices = game.legal_actions(decision.seat)
        assert TITLE.voice(words).prompt(state, decision)
        for choice in choices:
            kinds.add(type(choice.action))
            pick = TITLE.voice(words).pick(state, choice.action)
            assert pick.keys
            assert pick.label
            assert pick.group
            assert bool(TITLE.voice(words).amount_label(choice.action)) == bool(choice.amount)
        if number % 20 == 0:
            panels = TITLE.voice(words).panels(state)
            assert [panel.seat for panel in panels[:4]] == [0, 1, 2, 3]
            for grid in TITLE.voice(words).tables(state):
                assert all(len(row) == len(grid.head) for row in grid.rows)
        weights = [
            {"done": 0.15, "sell": 0.1, "offer": 0.05}.get(
                str(type(choice.action).__struct_config__.tag), 1
            )
            for choice in choices
        ]
        (choice,) = rng.choices(choices, weights)
        game.apply(choice.action)
        for event in game.moves[-1].events:
            assert TITLE.voice(words).describe(event)
        TITLE.marks(game.moves[-1].events)
    assert len(kinds) > len(Action1835.__args__) / 2


def labels(scene: Scene, seat: int = 0) -> list[str]:
    """The texts of everything a player may do."""
    return [
        plain(VOICE.pick(scene.state, choice.action).label)
        for choice in scene.position.legal_actions(seat)
    ]


def test_a_sale_says_what_it_brings_and_where_the_price_goes() -> None:
    scene = Scene().sold().shares("BY", A="20P 10 10", B="10").operating("BY").stock("A")
    assert "BY: sell 10 % for 92 M, price → 88" in labels(scene)
    assert "BY: buy 10 % new for 92 M" in labels(scene)
    assert labels(scene)[-1] == "Pass"


def test_a_second_sale_for_one_train_says_the_price_of_the_first() -> None:
    """At a table that sells at one price."""
    scene = Scene(same_price="on").sold().phase("3").shares("BY", A="20P 10", B="10")
    scene.shares("SX", B="20P 10 10", A="10 10").operating("BY", "SX").money(A=0, BY=0)
    scene.turn("BY", BuyTrains).do("A buys train 3", "A sells SX 10")
    assert "SX: sell 10 % for 88 M, price → 86" in labels(scene)


def test_a_dividend_says_what_a_share_gets_and_where_the_price_goes() -> None:
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY").trains("BY", "2")
    scene.tiles("O15:201:3", "N14:8:1").on(Pay("BY", 180))
    assert labels(scene) == [
        "Pay out 180 M: 18 M per 10 %, 54 M to Anna, price 92 → 100",
        "Withhold 180 M, price 92 → 86",
    ]


def test_a_train_says_what_it_brings_about() -> None:
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY").money(BY=1000).phase("3")
    scene.trains("box", *["3"] * 4, *["3+3"] * 3).turn("BY", BuyTrains)
    (first,) = [label for label in labels(scene) if "Buy a 4-train" in label]
    assert first.startswith(
        "Buy a 4-train for 360 M (every 2-train rusts, train limit 3, minors 1, PR 4"
    )


@pytest.mark.parametrize(
    ("cash", "shares", "note"),
    [
        (100, "", " (the director adds 80 M)"),
        (30, "10 10", " (the director adds 30 M and sells shares for 50 M)"),
        (30, "", " (the director goes bankrupt)"),
    ],
)
def test_a_train_the_company_must_buy_says_who_pays(cash: int, shares: str, note: str) -> None:
    scene = Scene().sold().phase("3").shares("SX", B="20P 10 10", A=shares)
    scene.operating("SX").shares("BY", A="20P").operating("BY").money(BY=100, A=cash)
    scene.turn("BY", BuyTrains)
    assert f"Buy a 3-train for 180 M{note}" in labels(scene)
    text = plain(VOICE.prompt(scene.state, Decision(0, "buy")))
    assert text.startswith("BY has 100 M and no train: it must buy one.")


def test_who_sells_in_vain_is_told() -> None:
    scene = Scene().sold().phase("3").shares("SX", B="20P 10 10", A="10").operating("SX")
    scene.shares("BY", A="20P").operating("BY").money(BY=0, A=0)
    scene.turn("BY", BuyTrains).do("A buys train 3")
    text = plain(VOICE.prompt(scene.state, Decision(0, "raise")))
    assert text == (
        "You go bankrupt: even selling all the shares you can does not pay for the "
        "3-train of BY. Sell them."
    )


def test_a_train_of_a_company_without_director_is_lent() -> None:
    scene = Scene().sold().phase("3").shares("BY", pool="20P", A="10").operating("BY")
    scene.money(BY=100).turn("BY", BuyTrains)
    assert "Buy a 3-train for 180 M (the bank lends 80 M)" in labels(scene)


@pytest.mark.parametrize(
    ("language", "asked", "log", "full"),
    [
        ("en", "Minor 3 may lay a tile", "Minor 3 earns nothing.", "Minor 3 (Magdeburger)"),
        ("de", "Vorpreußische 3 darf", "V3 fährt nichts ein.", "Vorpreußische 3 (Magdeburger)"),
    ],
)
def test_minors_are_named_in_the_language_of_the_reader(
    language: str, asked: str, log: str, full: str
) -> None:
    voice = TITLE.voice(Words(language, WORDS.names))
    scene = Scene().papers(C="3").turn("3", Build)
    assert voice.prompt(scene.state, Decision(2, "build")).startswith(asked)
    assert voice.full_company("3") == full
    nothing = shared.RunEvent(rule="", company="3", revenue=0, runs=())
    assert voice.describe(nothing) == log
    assert voice.long_name("BY") == voice.company("BY") == "BY"


def test_a_minor_splits_its_revenue() -> None:
    event = shared.DividendPaid(
        rule="", company="3", revenue=40, amounts=(20, 0, 0, 0), treasury=20
    )
    assert plain(VOICE.describe(event)) == "Minor 3 splits 40 M: Anna 20 M, treasury 20 M."


@pytest.mark.parametrize(
    ("train", "line"),
    [
        ("3", "Phase 2 begins with the first 3-train: green tiles, 2 operating rounds after the "
         "next stock round, share companies lay 1 tile in a turn, trains from other companies."),
        ("4", "The first 4-train has been bought: train limit 3, minors 1, PR 4, Prussia may open."),
        ("4+4", "The first 4+4-train has been bought: Prussia must open."),
        ("6", "The first 6-train has been bought."),
    ],
)  # fmt: skip
def test_the_first_train_of_a_type(train: str, line: str) -> None:
    phase = TITLE.ruleset.components.phases[TITLE.ruleset.components.phase_row[train]].id
    event = shared.PhaseBegan(rule="", phase=phase, train=train)
    assert plain(VOICE.describe(event)) == line


def test_a_station_says_what_it_costs() -> None:
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY").money(BY=1000)
    scene.tiles("O15:201:3", "N14:8:1", "N12:57:0").turn("BY", PlaceToken)
    assert any("Station token in Augsburg (N12) for 40 M" in label for label in labels(scene))


def test_tiles_are_chosen_by_hex_tile_and_turn() -> None:
    scene = Scene().papers(A="3").turn("3")
    keys = [
        VOICE.pick(scene.state, choice.action).keys for choice in scene.position.legal_actions(0)
    ]
    assert ("hex:F14", "tile:57", "turn:0") in keys


def test_the_prompt_explains_the_sum() -> None:
    scene = Scene().papers(A="3").sold().shares("BY", A="20P 10").operating("BY")
    scene.tiles("F14:57:0").station("BY", "F14").trains("BY", "2").on(Pay("BY", 40))
    text = plain(VOICE.prompt(scene.state, Decision(0, "pay")))
    assert text == (
        "BY earns 40 M: 2-train Braunschweig 20 + Magdeburg 20 = 40. Pay it out or withhold it?"
    )


def test_the_table_of_shares_has_pool_director_and_limits() -> None:
    scene = Scene().sold().shares("BY", A="20P 10", B="10", pool="10").operating("BY")
    scene.stock("A")
    shares, companies, trains = VOICE.tables(scene.state)
    row = [plain(cell.text) for cell in shares.rows[0]]
    assert row == ["BY", "50", "10", "★30", "10", "", ""]
    papers = next(row for row in shares.rows if row[0].text == "Certificates")
    assert [cell.text for cell in papers[3:]] == ["2/15", "1/15", "0/15", "0/15"]
    assert companies.rows[0][0].text == "BY"
    assert [row[0].text for row in trains.rows] == list(TITLE.ruleset.components.train_order)


def test_the_table_of_shares_says_how_much_has_to_be_sold() -> None:
    scene = Scene().sold().shares("BY", A="20P 10", B="10").operating("BY").shares("SX", A="20P")
    grid = VOICE.share_table(scene.stock("A").state)
    notes = {row[0].text: plain(row[0].note) for row in grid.rows}
    assert notes["SX"] == "20/50% sold"
    assert notes["BY"] == "92 M"
    assert notes["PR"] == "", "Prussia begins by other rules"
    assert grid.note.endswith("A company floats when 50 percent of it has been sold.")
    assert "issue price 88 · 20/50% sold" in TITLE.draw(scene.state, WORDS)


def test_exchange_shares_of_prussia_are_no_new_shares() -> None:
    scene = Scene().sold().shares("PR", B="10").stock("A")
    shares, *_ = VOICE.tables(scene.state)
    (new,) = [row[1] for row in shares.rows if row[0].text == "PR"]
    assert (plain(new.text), plain(new.note)) == ("30", "exchange 60")


def test_who_is_above_his_paper_limit_is_told_to_sell() -> None:
    scene = Scene(5).shares("SX", A="20P 10 10", B="10").sold().operating("SX").fill("A", 13)
    scene.stock("A")
    text = VOICE.prompt(scene.state, Decision(0, "stock-turn"))
    assert text == "You have 13 certificates, and 12 are allowed: you have to sell."


def test_what_is_asked_in_a_stock_round_is_what_is_possible() -> None:
    decision = Decision(0, "stock-turn")
    scene = Scene().sold().shares("BY", A="20P 10 10", B="10 10").operating("BY").money(A=500)
    scene.stock("A")
    assert VOICE.prompt(scene.state, decision) == "You can buy a share, sell shares or pass."
    scene.money(A=20)
    assert plain(VOICE.prompt(scene.state, decision)) == (
        "You can sell shares or pass. The cheapest share costs 88 M, and you have 20 M."
    )
    step = scene.state.agenda[-1]
    assert isinstance(step, StockTurn)
    step.bought = step.acted = True
    assert VOICE.prompt(scene.state, decision) == (
        "You have bought. You can sell shares or end your turn."
    )
    scene = Scene().money(A=20).sold().shares("BY", A="10").stock("A")
    scene.state.agenda[-1] = StockTurn(0, asked=True, acted=True)
    assert plain(VOICE.prompt(scene.state, decision)).startswith(
        "You can only end your turn. The cheapest share costs "
    )


def test_a_company_that_can_pay_for_no_new_train_is_told_so() -> None:
    scene = Scene().sold().shares("BY", A="20P 10", B="10").operating("BY", "SX").phase("3")
    scene.shares("SX", B="20P 10").money(BY=20).trains("BY", "2").trains("SX", "2").turn(
        "BY", BuyTrains
    )
    text = plain(VOICE.prompt(scene.state, Decision(0, "buy-trains")))
    assert "2-train. Only a train of another company can be bought. New: " in text


def test_after_the_last_tile_only_rights_are_left() -> None:
    scene = Scene().sold().shares("BY", A="20P 10 10").papers(A="PF").operating("BY")
    scene.turn("BY", Build)
    scene.state.agenda[-1] = Build("BY", asked=True, laid=["O15", "M15"])
    text = VOICE.prompt(scene.state, Decision(0, "build"))
    assert text == "BY may still use the right of PF."


@pytest.mark.rule("1835:6.1")
def test_the_table_says_that_the_end_is_fixed() -> None:
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY").stock("A")
    for broken, part, note in (
        ("", 0, ""),
        ("stock", 0, "the game ends after the next operating round"),
        ("stock", 1, "the game ends after this operating round"),
        ("operating", 2, "the game ends after this operating round"),
    ):
        scene.state.broken, scene.state.round.part = broken, part
        (bank,) = [r for r in VOICE.panels(scene.state)[4].rows if r.label == "Bank"]
        assert bank.note == note


def test_what_rusts_next_is_said() -> None:
    scene = Scene().stock("A")
    table = VOICE.panels(scene.state)[4]
    rows = {row.label: row.value for row in table.rows}
    assert rows["Rusts next"] == "2-train with the first 4-train"
    assert plain(rows["Next train"]) == "2-train for 80 M, 9 left"


def test_what_is_always_in_sight_of_an_operating_round() -> None:
    scene = Scene().sold().shares("BY", A="20P 10", B="10").operating("BY", "SX")
    scene.money(BY=1000).trains("BY", "2", "3").turn("BY", BuyTrains)
    first, waiting, company = plain(VOICE.status(scene.state)).split("\n")
    assert first.startswith("operating round 1.1 (1 of 1) · phase 1 · bank ")
    assert waiting == "still to act: BY, SX; then stock round 2"
    assert company.startswith("BY: treasury ")
    assert "trains 2, 3 · price 92 M · tokens left " in company


def test_what_stays_in_sight_beside_the_board() -> None:
    scene = Scene().sold().shares("BY", A="20P 10", B="10").operating("BY", "SX")
    scene.turn("SX", BuyTrains)
    scene.state.round.acted = ["BY"]
    order, bank = [one for one in VOICE.summaries(scene.state) if one.pinned]
    assert [plain(chip.text) for chip in order.chips] == ["BY ✓", "▶ SX"]
    assert [(chip.note, chip.strong) for chip in order.chips] == [("Anna", False), ("Anna", True)]
    rows = {row.label: row for row in bank.figures}
    assert rows["Phase"].value == "1"
    assert rows["Next phase"].value == "2 with the first 3-train"
    assert rows["Tiles left"].value.startswith("yellow ")
    left = rows["Tiles left"].value
    scene.state.layout = scene.state.layout.with_tile("O17", Laid("8", 1), range(9))
    bank = [one for one in VOICE.summaries(scene.state) if one.pinned][-1]
    assert {row.label: row for row in bank.figures}["Tiles left"].value != left


def test_a_broken_bank_is_announced() -> None:
    scene = Scene().stock("A")
    scene.state.broken = "stock"
    assert plain(VOICE.status(scene.state)).endswith(
        "then operating round 2.1 and the end, because the bank is empty"
    )


def test_what_is_always_in_sight_of_a_player() -> None:
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY").money(A=120).stock("A")
    assert plain(VOICE.seat_note(scene.state, 0)) == "cash 120 M · certificates 2/15 · priority"
    scene.state.agenda.clear()
    assert plain(VOICE.seat_note(scene.state, 0)) == "cash 120 M + shares 276 M"


def test_a_revenue_is_entered_by_button_and_amount() -> None:
    for company, labels in (
        (
            "BY",
            {
                "pay": "Pay out 40 M: 4 M per 10 %, 12 M to Anna, price 92 → 100",
                "save": "Withhold 40 M, price 92 → 86",
                "enter pay": "Pay out a different revenue",
                "enter save": "Withhold a different revenue",
            },
        ),
        ("3", {"pay": "Share 40 M", "enter pay": "Share a different revenue"}),
    ):
        scene = Scene(free_revenue="on").sold().papers(A="3").shares("BY", A="20P 10")
        scene.operating("BY").trains(company, "2").turn(company).state.agenda.append(
            Pay(company, 40)
        )
        picks = [
            VOICE.pick(scene.state, choice.action) for choice in scene.position.legal_actions(0)
        ]
        assert {" ".join(pick.keys): plain(pick.label) for pick in picks} == labels
        asked = [
            VOICE.amount_label(choice.action)
            for choice in scene.position.legal_actions(0)
            if choice.amount
        ]
        assert set(asked) == {"The revenue in M"}
        assert company in VOICE.prompt(scene.state, Decision(0, "pay"))


@pytest.mark.rule("1835:2.4c")
def test_the_card_of_a_paper_says_what_comes_with_it() -> None:
    game = Game(TITLE, ["Anna", "Bernd", "Clara"], seed="1")
    voice = game.title.voice(Words("en", game.names))
    for paper, share in (("LD", "SX 20\N{NO-BREAK SPACE}% (director)"), ("BS", None)):
        card = voice.card(game.state, f"paper:{paper}")
        assert card is not None
        assert {row.label: row.value for row in card.rows}.get("Comes with") == share
