"""Files of Rails-18xx of any version: what they call otherwise, what is not known, and where that program
broke a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kursbuch.core.errors import KursbuchError
from kursbuch.core.registry import Imported
from kursbuch.core.words import Words
from kursbuch.games.g18xx.components import BOX, STACK, train_item
from kursbuch.games.g18xx.g1835 import TITLE, rails18xx
from kursbuch.games.g18xx.g1835.rails18xx import FileReplay, import_rails
from kursbuch.games.g18xx.g1835.rails18xx.terms import Names, candidates, translated
from kursbuch.games.g18xx.rails18xx import Act, CannotTake, DoesNotFit, Save, current, read, search
from kursbuch.games.g18xx.state import BuyTrains, PlaceToken
from tests.games.g18xx.g1835.railacts import (
    DONE,
    PASS,
    SKIP,
    act,
    acts,
    begun,
    certificate,
    null,
    remarks,
    sale,
    train,
)
from tests.games.g18xx.g1835.table import Scene
from tests.games.g18xx.g1835.test_rails_round_trip import written
from tests.games.g18xx.peer import FOLDER

#: Files of other versions.
FILES = sorted((FOLDER / "failing").glob("*.rails"))


def imported(save: Save, monkeypatch: pytest.MonkeyPatch, *, partial: bool = False) -> Imported:
    monkeypatch.setattr(rails18xx, "read", lambda data: save)
    return import_rails(TITLE, b"", partial=partial)


def found(*arguments: Any, **named: Any) -> FileReplay:
    """A game along actions, with what the search finds out; all of them are taken over."""
    replay, stopped = search(begun(*arguments, **named), lambda replay, option: None, None)
    assert stopped is None
    assert replay.head == len(replay.actions)
    return replay


def said(replay: FileReplay) -> list[str]:
    return [replay.game.format(move.action) for move in replay.game.moves]


# ---- names


@pytest.mark.parametrize(
    ("older", "today"),
    [
        ("Bay", "BY"),
        ("sax", "SX"),
        ("Bad", "BA"),
        ("Wrt", "WT"),
        ("HES", "HE"),
        ("Meck", "MS"),
        ("Mex", "MS"),
        ("Old", "OL"),
        ("Pr", "PR"),
        ("m4", "M4"),
        ("by", "BY"),
    ],
)
def test_older_names_of_companies(older: str, today: str) -> None:
    names = Names(TITLE.ruleset, ["A"])
    (given,) = acts(act("SetDividend", companyName=older, actualRevenue=0, revenueAllocation=0))
    assert names.current(given).company == today
    (laid,) = acts(act("LayTile", companyName=older, relaidBaseTokensString=f"{older}:2"))
    assert names.current(laid)["relaidBaseTokensString"] == f"{today}:2"
    (bought,) = acts(act("BuyTrain", companyName=older, fromName=older))
    assert names.current(bought)["fromName"] == today
    (money,) = acts(act("CashCorrectionAction", cashHolderName=older, amount=5))
    assert names.current(money)["cashHolderName"] == today


def test_names_of_papers_in_lists() -> None:
    names = Names(TITLE.ruleset, ["A"])
    (given,) = acts(
        act("FoldIntoPrussian", foldableCompanyNames="BB,hb,M1", foldedCompanyNames="hb")
    )
    there = names.current(given)
    assert (there["foldableCompanyNames"], there["foldedCompanyNames"]) == ("BB,HB,M1", "HB")
    for item, today in (("BY", "Bay"), ("Bay", "Bay"), ("pfb", "PfB"), ("OBB", "OBB")):
        (given,) = acts(act("BuyStartItem", startItemName=item))
        assert names.current(given)["startItemName"] == today


def test_older_names_of_fields() -> None:
    (money,) = acts(act("CashCorrectionAction", cashHolderName="BY", correctAmount=7))
    assert current(money)["amount"] == 7
    (sold,) = acts(act("SellShares", companyName="BY", share=10, numberSold=2))
    assert current(sold)["number"] == 2
    # Where both stand there, the newer one counts.
    (both,) = acts(act("SellShares", companyName="BY", share=10, number=3, numberSold=0))
    assert current(both)["number"] == 3


def test_fields_that_are_missing_or_not_known_are_named() -> None:
    (unknown,) = acts(act("NullAction", mode=0, surprise=1))
    with pytest.raises(CannotTake, match=r"Action 0 \(NullAction\) has a field .*: surprise\."):
        current(unknown)
    # One that says nothing may be there.
    (silent,) = acts(act("NullAction", mode=0, surprise=None))
    assert current(silent)["mode"] == 0
    (missing,) = acts(act("LayTile", companyName="BY", chosenHexName="O15", laidTileId=6))
    with pytest.raises(CannotTake, match=r"Action 0 \(LayTile\) lacks the field orientation\."):
        current(missing)


def test_what_is_no_number_is_named() -> None:
    (given,) = acts(act("SellShares", companyName="BY", share="ten", number=1))
    with pytest.raises(
        CannotTake, match=r"Action 0 \(SellShares\) has no number in the field share"
    ):
        current(given)


@pytest.mark.parametrize(
    "given",
    [
        act("LayTile", companyName="BY", chosenHexName="Z99", sLaidTileId="8", orientation=0),
        act("LayBaseToken", companyName="BY", chosenHexName="Z99", chosenStation=1),
    ],
)
def test_a_hex_that_is_not_known_is_named(given: Any) -> None:
    scene = Scene(free_track="on").sold().shares("BY", A="20P 10").operating("BY").money(BY=500)
    scene.phase("3").turn("BY")
    with pytest.raises(CannotTake, match="'Z99'"):
        raise begun(scene, given).run(None) or AssertionError


def test_a_train_that_is_not_known_is_named() -> None:
    scene = Scene().sold().shares("BY", A="20P 10").operating("BY").phase("3")
    scene.turn("BY", BuyTrains)
    with pytest.raises(CannotTake, match="'9'"):
        raise begun(scene, train("BY", "9_0", "IPO", 180)).run(None) or AssertionError


def test_a_player_who_is_not_at_the_table_is_named() -> None:
    given = Act(0, "NullAction", -1, {"playerName": "Zeno", "mode": 0})
    with pytest.raises(CannotTake, match="'Zeno'"):
        Names(TITLE.ruleset, ["A"]).current(given)


# ---- options


def test_options_in_any_letter_case() -> None:
    given = {
        "numberOfPlayers": "4",
        "variant": "CLEMENS",
        "LDINCOME": "30m",
        "unlimitedtiles": "Yellow Plain",
        "ByFloatsAt": "50%",
        "separateSalesAtSamePrice": "No",
        "withOptional6Train": "NO",
    }
    assert translated(given) == ({"packet": "clemens", "ld-30": "on"}, [])
    may = candidates(given)
    assert "unlimited-tiles" in may
    assert "minors-need-bavaria" in may
    assert "same-price" not in may
    assert translated({"Variant": ""})[0] == {"packet": "standard"}


@pytest.mark.parametrize("value", ["yes", "no"])
def test_where_less_is_possible_there_nothing_is_needed(value: str) -> None:
    """The markers of NF and PF at any time, or only when markers are placed; sales from the first stock
    round or from the second."""
    given = {"NF_PfB_Westermann": value, "FirstRoundSellRestriction": "First Stock Round"}
    assert translated(given) == ({}, [])


@pytest.mark.parametrize(
    ("name", "value", "end"),
    [
        ("NewRule", "no", "is not known."),
        ("NewRule", "", "is not known."),
        ("BYFloatsAt", "20%", "has no equivalent."),
        ("PrussianReservedIgnored", "maybe", "has no equivalent."),
        ("LDIncome", "40M", "has no equivalent."),
        ("UnlimitedTopTrains", "yes", "has no equivalent."),
    ],
)
def test_options_that_cannot_be_kept_are_named(name: str, value: str, end: str) -> None:
    _, (refused,) = translated({name: value})
    text = refused.text(Words())
    assert name in text
    assert text.endswith(end)


# ---- whatever is renamed is named, or does not matter


@cache
def sample() -> Save:
    """The beginning of a random game."""
    game, given = written(202, {"packet": "standard"})
    return Save("1835", {"Variant": "Standard", "LDIncome": "20M"}, list(game.names), given[:160])


def renamings(save: Save) -> Iterator[Save]:
    """Every option, class, field and company under a name that no one knows."""

    def of(change: Callable[[Act], Act]) -> Save:
        return save._replace(actions=[change(one) for one in save.actions])

    def kind(name: str, one: Act) -> Act:
        return replace(one, kind="Xxx") if one.kind == name else one

    def field(name: str, one: Act) -> Act:
        return replace(one, fields={"Xxx" if k == name else k: v for k, v in one.fields.items()})

    def value(name: str, given: str, one: Act) -> Act:
        return replace(one, fields={**one.fields, name: "Xxx"}) if one[name] == given else one

    for option in save.options:
        options = {"Xxx" if name == option else name: v for name, v in save.options.items()}
        yield save._replace(options=options)
    for name in sorted({one.kind for one in save.actions}):
        yield of(partial(kind, name))
    for name in sorted({name for one in save.actions for name in one.fields}):
        yield of(partial(field, name))
    for name in ("companyName", "startItemName", "foldedCompanyNames"):
        for given in sorted({str(one[name]) for one in save.actions if one[name]}):
            yield of(partial(value, name, given))


def check_renamings(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    here = imported(save, monkeypatch)
    refused, named = [], []
    for other in renamings(save):
        try:
            there = imported(other, monkeypatch)
        except KursbuchError as error:
            refused.append(str(error))
            named.append("Xxx" in str(error) or "lacks the field" in str(error))
        else:
            assert there.game.state == here.game.state
    assert all(named), refused
    assert len(refused) > 20


def test_what_is_renamed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    check_renamings(sample(), monkeypatch)


def test_a_partial_import_ends_before_what_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    save = sample()
    broken = [*save.actions]
    broken[20] = replace(broken[20], fields={**broken[20].fields, "surprise": 1})
    there = imported(save._replace(actions=broken), monkeypatch, partial=True)
    assert there.done <= 20
    assert "surprise" in str(there.stopped)


# ---- sales by percent


def of_oldenburg(A: str, B: str) -> Scene:
    scene = Scene().sold().shares("OL", A=A, B=B)
    return scene.operating("OL").money(A=0).stock("A")


def test_the_certificate_of_the_director_is_sold_last() -> None:
    replay = found(of_oldenburg("20P 20 10", "20 10"), sale("A", "OL", 10, 2), null(DONE, "A"))
    assert said(replay) == ["A sells OL 20", "A is done"]
    replay = found(of_oldenburg("20P 10 10", "20 20"), sale("A", "OL", 10, 2), null(DONE, "A"))
    assert said(replay) == ["A sells OL 10, 10", "A is done"]


@pytest.mark.rule("1835:2.6.3.2b")
def test_later_sales_decide_which_certificates_were_sold() -> None:
    """Two single shares were paid for, but only one was there: the other sale shows it."""
    scene = of_oldenburg("20 10", "20P 20 10")
    replay = found(scene, sale("A", "OL", 10, 2), sale("A", "OL", 20), null(DONE, "A"))
    assert said(replay)[0] == "Correction: share 1 OL 10 from player 1 to pool"
    assert said(replay)[-2:] == ["A sells OL 20", "A is done"]
    assert TITLE.ruleset.certificates(replay.game.state, "pool", "OL") == {"20": 1, "10": 1}
    (told,) = remarks(replay)
    assert told.startswith("In action 0 20 percent of OL are paid for, but only 10 percent change")
    assert "1835:2.6.3.2b" in told


def test_half_a_certificate_is_refused_by_its_rule() -> None:
    replay = begun(of_oldenburg("20", "20P 20 10"), sale("A", "OL", 10))
    why = replay.run(None)
    assert isinstance(why, DoesNotFit)
    assert "1835:2.6.3.2b" in str(why)


# ---- prices


def priced(name: str, company: str, price: int) -> Any:
    kind, seat, fields = certificate(name, company, 10, "Bank_Pool")
    return kind, seat, {**fields, "price": price}


def of_bavaria() -> Scene:
    scene = Scene().sold().shares("BY", A="10 10 10", B="20P 10 10")
    return scene.operating("BY").money(B=500).stock("A")


@pytest.mark.rule("1835:2.6.3.3")
def test_a_price_that_was_moved_for_every_share() -> None:
    scene = of_bavaria()
    before = scene.cell("BY")
    down = TITLE.ruleset.chart.down
    twice = down[down[before]]
    price = TITLE.ruleset.chart.price[twice]
    replay = found(scene, sale("A", "BY", 10, 2), null(DONE, "A"), priced("B", "BY", price))
    assert said(replay) == [
        "A sells BY 10, 10",
        f"Correction: price of BY at {twice}",
        "A is done",
        "B buys BY 10 from the pool",
    ]
    (told,) = remarks(replay)
    assert told.startswith("In action 0 Rails-18xx moves the price of BY one row for every share")
    assert "1835:2.6.3.3" in told


def test_a_price_as_in_the_book_needs_nothing() -> None:
    scene = of_bavaria()
    price = TITLE.ruleset.chart.price[TITLE.ruleset.chart.down[scene.cell("BY")]]
    replay = found(scene, sale("A", "BY", 10, 2), null(DONE, "A"), priced("B", "BY", price))
    assert len(said(replay)) == 3
    assert remarks(replay) == []


def test_a_price_that_nothing_explains_is_corrected_and_named() -> None:
    replay = found(of_bavaria(), sale("A", "BY", 10), null(DONE, "A"), priced("B", "BY", 134))
    assert any(line.startswith("Correction: price of BY at ") for line in said(replay))
    (told,) = remarks(replay)
    assert "the price of BY is 134, by the rules it would be 88" in told


# ---- who begins


@pytest.mark.rule("1835:2.3b")
def test_a_certificate_of_a_director_did_not_move_the_priority_deal() -> None:
    def scene() -> Scene:
        made = Scene().sold().money(A=500, B=500, C=500, D=500)
        made.shares("BY", B="20P 10 10 10 10 10 10 10")
        made.shares("SX", C="20P 10 10 10 10 10 10 10 10")
        return made.stock("C")

    bought = (
        certificate("C", "BY", 10),
        null(DONE, "C"),
        act("StartCompany", "D", companyName="BA", sharePerCert=20, fromName="Bank_IPO"),
        null(DONE, "D"),
        *(null(PASS, name) for name in "ABCD"),
        train("BY", "2_0", "IPO", 80, "B"),
        null(DONE, "B"),
    )
    there = found(scene(), *bought, *(null(PASS, name) for name in "DABC"))
    lines = said(there)
    assert "Correction: priority to player 4" in lines
    (told,) = remarks(there)
    assert "D begins, by rule 1835:2.3b it would be A" in told
    # As in the book nothing is corrected.
    here = found(scene(), *bought, *(null(PASS, name) for name in "ABCD"))
    assert not any("Correction" in line for line in said(here))
    assert remarks(here) == []


# ---- actions that break a rule


@pytest.mark.rule("1835:5.5.2.8")
def test_a_marker_in_the_last_place_of_a_home() -> None:
    scene = Scene(free_track="on").sold().shares("BY", A="20P 10").operating("BY")
    scene.shares("WT", B="20P 10").operating("WT").station("WT", "J8", 0)
    scene.money(BY=500).phase("3").turn("BY", PlaceToken)
    marker = act("LayBaseToken", companyName="BY", chosenHexName="J8", chosenStation=1, type=1)
    replay = found(scene, marker)
    assert "Correction: station of BY on J8 city 1" in said(replay)
    assert scene.has("BY") == 500 - 120
    (told,) = remarks(replay)
    assert told.startswith("Action 0 breaks rule 1835:5.5.2.8")
    assert "kept for the home of another company" in told


@pytest.mark.rule("1835:5.5.4.13b")
def test_a_train_for_which_the_director_goes_bankrupt_although_there_is_a_cheaper_one() -> None:
    """The cheaper trains are put aside as long as shares are sold for the dear one."""
    scene = Scene().sold().shares("BY", A="20P", B="10 10").operating("BY")
    scene.shares("SX", A="10", B="20P 10 10").operating("SX").trains("pool", "2+2")
    for older in ("2", "2+2"):
        count = scene.state.ledger.held(train_item(older), STACK)
        scene.state.ledger.move(train_item(older), STACK, BOX, count)
    scene.money(A=60, BY=0).phase("3").turn("BY", BuyTrains)
    replay = found(scene, train("BY", "3_0", "IPO", 180), sale("A", "SX", 10))
    lines = said(replay)
    assert "Correction: train 2+2 from pool to box" in lines
    assert lines.index("A buys train 3") < lines.index("A sells SX 10")
    state = replay.game.state
    assert state.out == [0]
    assert TITLE.ruleset.trains(state, "BY") == ["3"]
    # It is there again.
    assert "2+2" in TITLE.ruleset.trains(state, "pool")
    (told,) = remarks(replay)
    assert "1835:5.5.4.13b" in told


def test_tiles_and_markers_that_were_laid_by_hand() -> None:
    """Newer versions have no class of their own for that, but a type."""
    scene = Scene().sold().operating("BY").stock("A")
    laid = act(
        "LayTile",
        companyName="BY",
        chosenHexName="H8",
        sLaidTileId="8",
        orientation=0,
        type=99,
    )
    marker = act("LayBaseToken", companyName="BY", chosenHexName="J8", chosenStation=1, type=99)
    replay = found(scene, laid, marker, null(PASS, "A"))
    lines = said(replay)
    assert lines[0].startswith("Correction: tile 8 on H8 turned ")
    assert lines[1] == "Correction: station of BY on J8 city 1"
    assert remarks(replay) == [
        "In action 0, 1 something was corrected by hand. It is taken over as a correction."
    ]


def test_an_action_that_decides_nothing_is_passed_over() -> None:
    scene = Scene().sold().money(A=500, B=500, C=0, D=0).stock("A")
    replay = found(
        scene,
        certificate("A", "BY", 10),
        null(DONE, "A"),
        null(SKIP, "A"),
        certificate("B", "BY", 10),
        null(DONE, "B"),
    )
    assert [line for line in said(replay) if "buys" in line] == ["A buys BY 10", "B buys BY 10"]


# ---- published files of other versions


@pytest.mark.skipif(not FILES, reason=f"needs the files in {FOLDER}/failing")
@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_files_of_other_versions_are_imported_whole(file: Path) -> None:
    there = import_rails(TITLE, file.read_bytes())
    assert there.stopped is None
    assert there.done == there.actions == len(read(file.read_bytes()).actions)
    for remark in there.remarks:
        for language in ("en", "de"):
            assert remark.text(Words(language))
    if file.stem == "1835_AfterBankruptcy":
        # What the report of that program says at the end of operating round 8.2.
        cash = [TITLE.ruleset.cash(there.game.state, seat) for seat in range(4)]
        assert cash == [0, 316, 328, 1773]
        money = {"BY": 50, "SX": 1132, "BA": 51, "WT": 179, "HE": 150, "MS": 457, "OL": 125}
        for company, amount in {**money, "PR": 500}.items():
            assert TITLE.ruleset.money(there.game.state, company) == amount
        rules = {remark.params.get("rule") for remark in there.remarks} - {None}
        assert rules == {"1835:2.6.3.3", "1835:2.6.3.2b", "1835:5.5.4.13b"}


@pytest.mark.skipif(not FILES, reason=f"needs the files in {FOLDER}/failing")
def test_what_is_renamed_in_a_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    file = next(path for path in FILES if "PROperates" in path.stem)
    check_renamings(read(file.read_bytes()), monkeypatch)
