"""The reason given for a hex holds for every tile or token there, in games that computers played."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kursbuch
from kursbuch.core.errors import IllegalAction
from kursbuch.core.explain import why_illegal
from kursbuch.core.game import View
from kursbuch.core.position import Position
from kursbuch.core.words import Words
from kursbuch.games.g18xx.actions import LayTile, PlaceStation
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.tiles import Fit, shown, successors, supply
from kursbuch.games.g18xx.state import Build, PlaceToken

GAMES = Path(__file__).parents[2] / "browser" / "games"
TITLES = ("1835", "1853")
POSITIONS = 10
HEXES = 25

#: What speaks of one tile, rotation or city as if it had been chosen.
CHOSEN = re.compile(r"this tile|this city|turned|diese[ms]? Plättchen|diese[rm]? Stadt|dreht")
#: What names a tile.
TILE = re.compile(r"(?:[Tt]ile|Plättchen) (\d+)")


@cache
def played(title: str) -> dict[type, list[Position[Any]]]:
    """Positions from early to late in two games, by the step that is played."""
    found: dict[type, list[Position[Any]]] = {Build: [], PlaceToken: []}
    for text in (kursbuch.title(title).specimen, (GAMES / f"{title}.txt").read_text("utf-8")):
        game = kursbuch.load(text)
        here: dict[type, list[Position[Any]]] = {Build: [], PlaceToken: []}
        for number in range(len(game.moves)):
            position = game.at(number)
            kind = type(position.top()[0])
            if kind in here:
                here[kind].append(position)
        half = POSITIONS // 2
        for kind, positions in here.items():
            found[kind] += positions[:: max(1, len(positions) // half)][:half]
    return found


def acting(position: Position[Any]) -> str:
    """The company whose turn it is."""
    step: Any = position.top()[0]
    return str(step.company)


def asked(position: Position[Any], *keys: str) -> IllegalAction | None:
    """What is said to the one who decides."""
    seat = position.deciders()[0]
    title, state = position.title, position.state
    view = View(title, title.view(state, seat), seat, tuple("ABCDEFG"[: state.seats]))
    return why_illegal(view, title.voice(Words("en", view.names)), keys)


def said(refusal: IllegalAction) -> list[str]:
    """The sentence in both languages."""
    return [refusal.text(Words(language)) for language in ("en", "de")]


class Tiles:
    """Every tile on one hex, looked at without the order in which the rules do it."""

    def __init__(self, position: Position[Any], hex: str) -> None:
        state, ruleset = position.state, position.title.ruleset  # type: ignore[attr-defined]
        board, builder, company = ruleset.components.board, ruleset.builder, acting(position)
        left = supply(board, state.layout.tiles)
        self.company, self.hex, self.builder, self.state = company, hex, builder, state
        self.fits: list[Fit] = list(builder.fits(state, hex))
        self.left = [fit for fit in self.fits if left[fit.tile] > 0 or state.house.unlimited_tiles]
        self.joined = [fit for fit in self.left if builder.is_connected(state, company, hex, fit)]
        self.free = [
            fit for fit in self.joined if builder.tile_problem(state, company, hex, fit) is None
        ]
        unlisted = not state.house.printed_upgrades
        self.listed = successors(board, state.layout.tiles, hex, unlisted=unlisted)
        self.offered = [tile for tile in self.listed if tile.colour in ruleset.phase(state).tiles]
        self.purse = ruleset.purse(state, company)

    def dear(self, fit: Fit) -> bool:
        return bool(self.builder.cost(self.state, self.company, self.hex, fit.tile) > self.purse)


#: Sentences about all tiles of a hex, and what is then the case.
CLAIMS: dict[str, Callable[[Tiles], bool]] = {
    "Tile {old} on {hex} cannot be upgraded any further.": lambda t: not t.listed,
    "No tile can be laid on {hex}.": lambda t: not t.listed,
    "No tile for {hex} is on offer in this phase.": lambda t: not t.offered,
    (
        "Every tile for {hex} would have track leading off the map, into water or into a "
        "closed side."
    ): (lambda t: not t.fits),
    "No tile on offer fits {hex}: track would be lost, or lead off the map, into water or into "
    "a closed side.": lambda t: not t.fits,
    "No tile that fits {hex} is left.": lambda t: bool(t.fits) and not t.left,
    "No tile left for {hex} would connect to a station of {company}.": (
        lambda t: bool(t.left) and not t.joined
    ),
    "No tile left for {hex} would give {company} a route across it.": (
        lambda t: bool(t.left) and not t.joined
    ),
    "Every tile that could be laid on {hex} costs more than the {money} that {company} has.": (
        lambda t: bool(t.free) and all(map(t.dear, t.free))
    ),
}


@pytest.mark.parametrize("title", TITLES)
def test_the_reason_for_a_hex_holds_for_every_tile(title: str) -> None:
    """Either every tile in every rotation is refused with that very sentence, or the sentence is about all
    of them and true."""
    hexes = 0
    claims: set[str] = set()
    for number, position in enumerate(played(title)[Build]):
        board = position.title.ruleset.components.board  # type: ignore[attr-defined]
        seat = position.deciders()[0]
        builder = position.title.ruleset.builder  # type: ignore[attr-defined]
        near = [site.hex for site in builder.sites(position.state, acting(position))]
        rng = Random(number)
        some = [*rng.sample(near, min(len(near), HEXES // 2)), *board.names]
        for hex in list(dict.fromkeys([*some[: HEXES // 2], *rng.sample(board.names, HEXES)])):
            laid = position.state.layout.tiles.get(hex)
            refusal = asked(position, f"hex:{hex}")
            alone = [
                position.problem(LayTile(seat, hex, tile, rotation))
                for tile in board.tiles
                for rotation in board.tiles[tile].rotations
            ]
            if refusal is None:
                assert None in alone, hex
                continue
            assert None not in alone, (hex, str(refusal))
            hexes += 1
            for sentence in said(refusal):
                assert not CHOSEN.search(sentence), sentence
                assert {*TILE.findall(sentence)} <= ({laid.tile} if laid else set()), sentence
            if {str(one) for one in alone} == {str(refusal)}:
                continue
            claim = CLAIMS.get(str(refusal.template))
            if claim is not None:
                claims.add(str(refusal.template))
                assert claim(Tiles(position, hex)), (hex, str(refusal))
                continue
            # What a title forbids besides: nothing that came so far is allowed.
            tiles = Tiles(position, hex)
            problems = [
                position.problem(LayTile(seat, hex, fit.tile, fit.rotation)) for fit in tiles.joined
            ]
            assert problems, (hex, str(refusal))
            assert {one.rule for one in problems if one} == {refusal.rule}, (hex, str(refusal))
    assert hexes >= 250
    assert len(claims) > 1


@pytest.mark.parametrize("title", TITLES)
def test_the_reason_for_a_tile_holds_however_it_is_turned(title: str) -> None:
    for number, position in enumerate(played(title)[Build]):
        board = position.title.ruleset.components.board  # type: ignore[attr-defined]
        seat, state = position.deciders()[0], position.state
        for hex in board.names[number % 9 :: 9]:
            for tile in successors(board, state.layout.tiles, hex)[:4]:
                refusal = asked(position, f"hex:{hex}", f"tile:{tile.id}")
                alone = [
                    position.problem(LayTile(seat, hex, tile.id, rotation))
                    for rotation in tile.rotations
                ]
                if refusal is None:
                    assert None in alone
                    continue
                assert None not in alone, (hex, tile.id, str(refusal))
                assert refusal.rule in {one.rule for one in alone if one}
                if len(alone) > 1:
                    assert not re.search("this tile|comes closest", str(refusal)), str(refusal)


@pytest.mark.parametrize("title", TITLES)
def test_the_reason_for_a_token_holds_for_every_city(title: str) -> None:
    told = 0
    for position in played(title)[PlaceToken]:
        ruleset = position.title.ruleset  # type: ignore[attr-defined]
        board, state, seat = ruleset.components.board, position.state, position.deciders()[0]
        company = acting(position)
        for hex in board.names:
            stops = len(shown(board, state.layout.tiles, hex).stops)
            refusal = asked(position, f"hex:{hex}")
            alone = [position.problem(PlaceStation(seat, hex, n)) for n in range(max(1, stops))]
            if None in alone:
                continue
            assert refusal is not None, hex
            told += 1
            if stops > 1:
                assert not any(map(CHOSEN.search, said(refusal))), said(refusal)
            if "that could take the token" in str(refusal):
                reached = ruleset.position(state).reach(company).stops
                place = board.number(hex)
                ours = [n for n in range(stops) if place * PER_HEX + n in reached]
                assert ours
                assert not any(ruleset.builder.vacant(state, hex, n) for n in ours), hex
            elif {str(one) for one in alone} != {str(refusal)}:
                assert refusal.rule in {one.rule for one in alone if one}, (hex, str(refusal))
    assert told > 100


@pytest.mark.rule("1835:5.5.1.14b")
def test_a_hex_that_no_track_reaches_is_said_to_be_that() -> None:
    """BY lays a tile: of those that fit H10, some are used up, and no track of BY comes there at all."""
    game = kursbuch.load((GAMES / "1835.txt").read_text("utf-8"))
    position = game.at(210)
    for hex in ("H10", "G11", "G15", "H18", "J6"):
        refusal = asked(position, f"hex:{hex}")
        assert str(refusal) == f"No track leads from a station of BY to {hex}."
    assert str(asked(position, "hex:N16")) == (
        "No tile left for N16 would give BY a route across it."
    )
