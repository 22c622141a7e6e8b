"""Illegal contracts of 1853, where the table allows them: showing, voting, the penalty."""

from __future__ import annotations

import pytest

from kursbuch.bots import make
from kursbuch.core.game import View
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.g1853.actions import ShowContract
from kursbuch.games.g18xx.g1853.events import ContractShown, PardonDecided
from kursbuch.games.g18xx.state import Build, StockRound
from tests.games.g18xx.g1853.table import Scene
from tests.games.g18xx.scene import NAMES
from tests.happened import every, only

#: Cities that the lines of `illegal` join, worth 60.
NORTH = ("Peshawar", "Rawalpindi", "Lahore")


def linked(scene: Scene) -> Scene:
    """The cities of the north are joined."""
    scene.track("standard", "B8", "B10").tiles("B10:6:1")
    return scene.track("standard", "B10", "C11")


def illegal(players: int = 4) -> Scene:
    """A's contract is connected, and its cities are worth more than its bond; it is the turn of ECR,
    which D directs."""
    scene = linked(Scene(players, illegal_contracts="on").contract("A", 50, *NORTH))
    scene.shares("ECR", D=3).money(ECR=100).operating("ECR")
    return scene


def vote(scene: Scene, votes: dict[str, bool]) -> bool:
    """A shows his contract and the others vote; whether he is pardoned."""
    scene.do("A shows the contract")
    events = []
    for name, pardons in votes.items():
        assert name in scene.deciders()
        events = scene.do(f"{name} {'pardons' if pardons else 'does not pardon'}")
    return only(events, PardonDecided).pardoned


@pytest.mark.rule("1853:4.3.2", "1853:2.5.12")
def test_the_owner_shows_it_when_he_likes() -> None:
    """In the turn of another; he gets his bond back at once, whatever the vote."""
    scene = illegal().money(A=5).turn("ECR", Build)
    assert scene.can("A") == ["shows the contract"]
    assert scene.refused("B shows the contract") == "4.3.2"
    shown = only(scene.do("A shows the contract"), ContractShown)
    assert (shown.legal, shown.bond, shown.cities) == (False, 50, NORTH)
    assert (scene.has("A"), scene.bond("A")) == (55, 0)
    assert (scene.step(), scene.deciders()) == ("pardon", "BCD")
    assert scene.refused("A pardons") == "4.3.2"
    assert scene.refused("B is done") == "4.3.2"
    scene.do("C pardons")
    assert scene.refused("C pardons") == "4.3.2"
    scene.do("B pardons", "D does not pardon")
    assert (scene.step(), scene.deciders()) == ("build", "D")
    assert scene.can("A") == []


@pytest.mark.rule("1853:4.3.2")
def test_at_which_moments_it_is_shown() -> None:
    """While tiles, stations, trains or shares are decided about; a legal one shows itself."""
    scene = illegal().stock("B")
    assert "shows the contract" in scene.can("A")
    assert scene.refused("A buys EIR 10") == "3.1.1"
    scene = illegal().stock("A")
    assert "shows the contract" in scene.can("A")
    assert "buys EIR 10" in scene.can("A")
    scene.state.contracts[0].bond = 60
    assert "shows the contract" not in scene.can("A"), "it is legal"
    scene = illegal().stock("B")
    scene.bare("B10")
    assert scene.can("A") == []
    assert scene.refused("A shows the contract") == "4.3.2"


def test_opponents_show_it_if_that_costs_them_no_company() -> None:
    """The bond comes back at once, but no one will pardon them."""

    def shows(**held: int) -> bool:
        scene = illegal().shares("GIP", **held).operating("GIP").turn("ECR", Build)
        unasked = View(TITLE, scene.state, 0, tuple(NAMES[:4]))
        return make("greedy", seed=1).volunteer(unasked) == ShowContract(0)

    assert shows(A=2, B=3)
    assert not shows(A=3, B=2)


@pytest.mark.rule("1853:4.3.2")
def test_a_legal_contract_is_shown_by_the_tile_also_with_the_option() -> None:
    for bond, seats in ((60, [0]), (50, [])):
        scene = Scene(illegal_contracts="on").contract("A", bond, *NORTH)
        scene.track("standard", "B8", "B10").tiles("B10:6:1")
        scene.shares("NWR", D=3).operating("NWR").money(NWR=500).turn("NWR", Build)
        shown: list[ContractShown] = []
        for line in [line for line in scene.can("D") if line.startswith("lays 5 on C11")]:
            again = scene.position.clone()
            shown += every(again.apply(scene.read(f"D {line}")), ContractShown)
        assert sorted({event.seat for event in shown}) == seats


@pytest.mark.rule("1853:4.3.2")
@pytest.mark.parametrize(
    ("players", "votes", "pardoned"),
    [
        (4, {"B": True, "C": False, "D": False}, False),
        (4, {"B": True, "C": True, "D": False}, True),
        (5, {"E": True, "C": True, "D": False, "B": False}, False),
        (5, {"E": True, "C": True, "D": False, "B": True}, True),
        (3, {"B": True, "C": False}, False),
    ],
)
def test_more_than_half_have_to_pardon(
    players: int, votes: dict[str, bool], pardoned: bool
) -> None:
    """The example is that of five players: a tie is no pardon."""
    scene = illegal(players) if "D" in votes else Scene(3, illegal_contracts="on")
    if "D" not in votes:
        scene.contract("A", 50, *NORTH).track("standard", "B8", "B10").tiles("B10:6:1")
        scene.track("standard", "B10", "C11").shares("ECR", B=3).operating("ECR")
    scene.turn("ECR", Build)
    assert vote(scene, votes) == pardoned
    assert scene.state.penalties == ({} if pardoned else {0: 3})


def punished(**money: int) -> Scene:
    """Question 17: A directs GIP (4, B has 2) and NWR (3, no one else has any), and has two of EIR."""
    scene = illegal().shares("GIP", A=4, B=2).shares("NWR", A=3).shares("EIR", A=2, C=2)
    scene.operating("GIP", "NWR").turn("ECR", Build).money(**money)
    assert not vote(scene, {"B": True, "C": False, "D": False})
    return scene


@pytest.mark.rule("1853:4.3.2", "1853:3.2.3", "1853:3.4.1")
def test_an_illegal_contract() -> None:
    """Question 17."""
    scene = punished(A=500)
    assert scene.state.penalties == {0: 3}
    scene.state.agenda.clear()
    scene.on(StockRound(3))
    assert scene.deciders() == "A"
    assert scene.refused("A is done") == "4.3.2"
    assert scene.refused("A buys BNR 10") == "4.3.2"
    assert scene.refused("A sells EIR 10") == "4.3.2"
    scene.do("A sells GIP 10, 10")
    assert scene.director("GIP") == "A", "a tie does not unseat him"
    assert scene.refused("A is done") == "4.3.2"
    scene.do("A sells GIP 10")
    assert scene.director("GIP") == "B"
    assert scene.refused("A sells GIP 10") == "4.3.2", "NWR comes first"
    assert scene.refused("A buys BNR 10") == "4.3.2"
    scene.do("A sells NWR 10, 10")
    assert (scene.director("NWR"), scene.leads("NWR")) == ("", "A")
    assert scene.state.penalties == {}
    for company in ("GIP", "NWR"):
        assert scene.refused(f"A buys {company} 10") == "3.1.9"
        assert scene.refused(f"A buys {company} 10 from the pool") == "3.1.9"
    scene.do("A sells EIR 10", "A buys BNR 10", "A is done")
    assert scene.deciders() == "B"


@pytest.mark.rule("1853:4.3.2")
def test_the_penalty_begins_with_the_next_stock_round() -> None:
    """In the one in which the contract is shown nothing has to be sold yet."""
    scene = illegal().shares("GIP", A=4, B=2).operating("GIP").stock("A")
    assert not vote(scene, {"B": False, "C": False, "D": False})
    assert scene.state.penalties == {0: 3}
    assert scene.deciders() == "A"
    scene.do("A is done", "B is done", "C is done", "D is done")
    assert scene.step() == "sell-elephant"


@pytest.mark.rule("1853:4.3.2")
def test_who_directs_nothing_has_nothing_to_sell() -> None:
    """The penalty is over with his first turn: who directs something later keeps it."""
    scene = illegal().shares("GIP", A=2, B=3).operating("GIP").turn("ECR", Build)
    assert not vote(scene, {"B": False, "C": False, "D": False})
    scene.state.agenda.clear()
    scene.on(StockRound(3))
    assert scene.state.penalties == {}
    scene.do("A is done", "B sells GIP 10, 10", "B is done", "C is done", "D is done")
    assert scene.director("GIP") == "A"


@pytest.mark.rule("1853:4.3.2", "1853:2.7.4")
def test_what_cannot_be_sold_is_sold_later() -> None:
    """Two of three shares are unredeemed: A sells the third and stays director, for the time being."""
    scene = illegal().shares("GIP", A=3, B=1).unredeemed("A", GIP=2).operating("GIP")
    scene.turn("ECR", Build).money(A=0)
    assert not vote(scene, {"B": False, "C": False, "D": False})
    scene.state.agenda.clear()
    scene.on(StockRound(3))
    scene.do("A sells GIP 10")
    assert scene.director("GIP") == "A"
    assert scene.state.penalties == {0: 3}
    assert scene.refused("A sells GIP 10") == "2.7.4"
    scene.do("A redeems 1 of GIP")
    assert scene.refused("A is done") == "4.3.2"
    scene.do("A sells GIP 10")
    assert scene.director("GIP") == ""
    assert scene.state.penalties == {}


@pytest.mark.rule("1853:4.3.2")
def test_without_the_option_nothing_is_shown_by_hand() -> None:
    """Though the contract is fulfilled."""
    scene = linked(Scene().contract("A", 50, *NORTH)).stock("A")
    assert "shows the contract" not in scene.can("A")
    assert scene.refused("A shows the contract") == "4.3.2"
