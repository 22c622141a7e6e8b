"""Why nothing can be done with what is pointed at on the map of Stephenson's Rocket."""

from __future__ import annotations

import pytest

from kursbuch.core.explain import preview
from kursbuch.games.rocket import TITLE
from kursbuch.games.rocket import events as happened
from tests.asked import refused, told
from tests.games.rocket.scenario import Scene
from tests.happened import only


def scene() -> Scene:
    """GWR on its way to the east, stations of A and B, no token of Reading left."""
    made = Scene(3).line("GWR", "L9 L11 K12").stations("A", "F13 K12").stations("B", "H17")
    return made.tokens("Reading", B=3)


@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        # A line that is extended: not next to it, too sharp a turn, not free, moved already.
        (["line:GWR", "hex:A10"], "move-2"),
        (["line:GWR", "hex:L11"], "move-5"),
        (["line:GWR", "line:LBR"], "move-2"),
        (["line:GWR"], "possible"),
        (["line:YNM"], "turn-4"),
        # A station: next to another, next to a locomotive, on track; one of another, one of a line.
        (["hex:H15"], "station-2"),
        (["hex:L11"], "move-5"),
        (["station:H17"], "station-3"),
        (["station:K12"], "station-4"),
        (["station:F13", "hex:F13"], "station-3"),
        (["station:F13", "hex:H15"], "station-2"),
        # Tokens: there are none left, and a railway town has none.
        (["town:Reading"], "token-1"),
        (["town:Manchester"], "possible"),
        # What is nothing at all is told what a turn is.
        (["nothing"], "turn-2"),
    ],
)
def test_in_a_turn(keys: list[str], rule: str) -> None:
    made = scene().turn("A", 2, ["YNM"])
    assert refused(TITLE, made.state, 0, *keys) == rule


def test_a_hex_may_be_meant_for_a_line_or_a_station() -> None:
    made = scene().turn("A", 2, ["YNM"])
    assert told(TITLE, made.state, 0, "hex:L11") == (
        "The locomotive of GWR can only go straight ahead or bear left or right, not to L11. L11 is not free."
    )


def test_what_begins_elsewhere_is_said() -> None:
    """A hex to which a line can go, but where no station can stand."""
    made = Scene(3).line("GWR", "L9 L11 K12")
    assert refused(TITLE, made.state, 0, "hex:K14") == ""
    assert refused(TITLE, made.state, 0, "line:GWR", "hex:K14") == "possible"


def test_who_is_not_asked_is_told_who_is() -> None:
    made = scene()
    assert refused(TITLE, made.state, 1, "hex:A10") == "turn-1"
    made.turn("B")
    assert refused(TITLE, made.state, 1, "hex:A10") == "possible"


def test_in_a_veto_round_destinations_are_what_counts() -> None:
    made = Scene(3).line("GWR", "L9 L11 K12").shares("GWR", A=1, B=3, C=2)
    made.do("A extends GWR to K14")
    assert refused(TITLE, made.state, 1, "hex:K14") == "veto-2"
    made.do("B objects")
    assert refused(TITLE, made.state, 1, "hex:A10") == "veto-6"
    assert refused(TITLE, made.state, 1, "hex:K14") == "possible"


def test_who_gets_what_is_foreseen() -> None:
    """A line that comes next to a metropolis: the share, and who is paid for tokens."""
    made = Scene(3).line("GWR", "L9 L11 K12 K14").tokens("Reading", A=2, B=1)
    found = preview(made.game.view(0), made.action("A extends GWR to L15"))
    assert found.unopposed == ()
    assert only(found.certain, happened.ShareTaken).seat == 0
    assert only(found.certain, happened.MetropolisScored).amounts == (2000, 1000, 0)


def test_what_follows_if_nobody_objects_is_told_apart() -> None:
    made = Scene(3).line("GWR", "L9 L11 K12 K14").tokens("Reading", A=2, B=1).shares("GWR", B=1)
    found = preview(made.game.view(0), made.action("A extends GWR to L15"))
    assert not any(isinstance(event, happened.MetropolisScored) for event in found.certain)
    assert only(found.unopposed, happened.MetropolisScored).amounts == (2000, 1000, 0)
