"""What is said about Stephenson's Rocket, in both languages."""

from __future__ import annotations

import re

import pytest

import kursbuch
from kursbuch.core.errors import IllegalAction, KursbuchError, Plural
from kursbuch.core.events import Event
from kursbuch.core.state import Decision
from kursbuch.core.words import Words
from kursbuch.games.rocket import TITLE
from kursbuch.games.rocket.actions import Bid
from kursbuch.games.rocket.events import BidPassed, SharesExchanged, SharesReturned, VetoDecided
from tests.games.rocket.randomplay import played
from tests.games.rocket.scenario import NAMES, Scene

ONE = re.compile(r"(?<![\d.,])1\N{NO-BREAK SPACE}?\s+(of them|\w+)")


def said(event: Event, language: str = "de") -> str:
    return TITLE.voice(Words(language, NAMES)).describe(event)


def exchanged(given: int, shares: int, supplementary: int) -> SharesExchanged:
    return SharesExchanged(
        rule="merge-5",
        seat=0,
        line="LMR",
        into="GWR",
        given=given,
        shares=shares,
        supplementary=supplementary,
    )


@pytest.mark.parametrize(
    ("event", "german", "english"),
    [
        (
            exchanged(4, 1, 1),
            "A tauscht 4 Aktien von LMR gegen 2 von GWR, davon 1 Zusatzaktie.",
            "A exchanges 4 shares of LMR for 2 of GWR, 1 of them supplementary.",
        ),
        (
            exchanged(4, 0, 2),
            "A tauscht 4 Aktien von LMR gegen 2 von GWR, davon 2 Zusatzaktien.",
            "A exchanges 4 shares of LMR for 2 of GWR, 2 of them supplementary.",
        ),
        (
            exchanged(2, 1, 0),
            "A tauscht 2 Aktien von LMR gegen 1 von GWR.",
            "A exchanges 2 shares of LMR for 1 of GWR.",
        ),
        (
            exchanged(1, 0, 0),
            "A gibt 1 Aktie von LMR ab und erhält nichts.",
            "A gives back 1 share of LMR and receives nothing.",
        ),
        (
            SharesReturned(rule="veto-13", seat=1, line="GWR", shares=1, gone=True),
            "B gibt 1 Aktie von GWR ab, sie geht aus dem Spiel.",
            "B returns 1 share of GWR, which leaves the game.",
        ),
        (
            VetoDecided(rule="veto-11", seat=None, line="GWR", hex="L13", shares=0),
            "Niemand bietet: GWR fährt wie vorgesehen nach L13.",
            "No one bids: GWR goes to L13 as intended.",
        ),
        (BidPassed(rule="veto-7", seat=1, forced=False), "B passt.", "B passes."),
    ],
)
def test_log_lines(event: Event, german: str, english: str) -> None:
    assert said(event) == german
    assert said(event, "en") == english


def test_one_share_is_one_share() -> None:
    scene = Scene().line("GWR", "L9 L11").shares("GWR", B=1).stock("GWR", 0)
    scene.do("A extends GWR to L13", "B objects")
    with pytest.raises(IllegalAction) as error:
        scene.game.apply(Bid(1, "K12", 2))
    assert str(error.value) == "You can return at most 1 share."
    assert error.value.text(Words("de")) == "Du kannst höchstens 1 Aktie zurückgeben."
    # No one has bid yet: the prompt names no bidder.
    (decision,) = scene.game.pending
    assert "so far L13" in TITLE.voice(Words("en", NAMES)).prompt(scene.state, decision)


def test_the_active_player_is_told_what_he_needs() -> None:
    scene = Scene().line("GWR", "L9 L11").shares("GWR", A=2, B=2)
    scene.do("A extends GWR to L13", "B objects", "B bids 1 for K12")
    prompt = TITLE.voice(Words("de", NAMES)).prompt(scene.state, Decision(0, "veto"))
    assert prompt == (
        "B hat 1 Aktie von GWR für K12 geboten. Verteidige dein L13 mit mindestens einer oder passe."
    )


def test_plural_sentences_need_a_number() -> None:
    few = KursbuchError(Plural("{n} foo", "{n} foos"), n=1)
    many = KursbuchError(Plural("{n} foo", "{n} foos"), n=1200)
    assert (str(few), str(many)) == ("1 foo", "1200 foos")
    assert many.text(Words("de")) == "1.200 foos"


@pytest.mark.parametrize("seed", range(6))
def test_no_line_speaks_of_one_in_the_plural(seed: int) -> None:
    """Whatever follows "1" in a log line is a singular."""
    game = played(2 + seed % 3, {}, seed, 3000)
    plurals = {"Aktien", "Städte", "Zusatzaktien", "shares", "towns", "tiles", "tokens"}
    for language in ("de", "en"):
        voice = TITLE.voice(Words(language, game.names))
        for _, event in game.events():
            text = voice.describe(event)
            assert not {found[1] for found in ONE.finditer(text)} & plurals, text


def test_the_map_is_told_as_text() -> None:
    game = kursbuch.load(kursbuch.title("rocket").specimen)
    (told,) = game.title.voice(Words("en", game.names)).board_text(game.state)
    told_of = {row.label: row for row in told.rows}
    assert re.match("locomotive on [A-Z][0-9]+$", told_of["GWR"].value)
    assert told_of["GWR"].note.startswith("track: ")
    assert sum(label.startswith("Station on ") for label in told_of) == len(game.state.stations)
