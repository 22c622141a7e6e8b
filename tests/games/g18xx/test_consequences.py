"""What a purchase or a sale changes is foreseen before it is made, as far as its player may know it."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import kursbuch
from kursbuch.core.explain import preview
from kursbuch.core.words import Words
from kursbuch.games.g18xx.actions import BuyShare, BuyTrain, LayTile, SellShares

NAMES = ("Anna", "Bernd", "Clara")


def numbers(text: str) -> list[int]:
    return [int(found.replace(",", "")) for found in re.findall(r"\d[\d,]*", text)]


@pytest.mark.parametrize("title", ["1835", "1853"])
def test_what_is_foreseen_comes_true(title: str) -> None:
    """The figures are those of the position after the action, at random games."""
    found: set[type[Any]] = set()
    for seed in range(3):
        game, rng = kursbuch.new(title, players=NAMES, seed=seed), random.Random(seed)
        eighteen: Any = game.title
        ruleset, voice = eighteen.ruleset, eighteen.voice(Words("en", NAMES))
        for _ in range(350):
            if game.over:
                break
            seat = game.pending[0].seat
            view = game.view(seat)
            action = rng.choice(view.legal_actions()).action
            after = preview(view, action).after
            lines = [] if after is None else voice.consequences(view.state, after, action)
            before = game.title.clone(game.state)
            game.apply(action)
            if isinstance(action, (BuyShare, SellShares)) and game.state.round == before.round:
                found.add(type(action))
                cash, papers, *_ = lines
                state = game.state
                assert numbers(cash) == [ruleset.cash(before, seat), ruleset.cash(state, seat)]
                assert numbers(papers)[0] == ruleset.shares.count_certificates(state, seat)
            elif isinstance(action, BuyTrain):
                found.add(type(action))
                company = before.agenda[-1].company
                treasury, trains, *_ = lines
                assert numbers(treasury)[-1] == ruleset.money(game.state, company)
                assert numbers(trains)[0] == len(ruleset.trains(game.state, company))
            elif isinstance(action, LayTile) and lines and lines[0].startswith("Revenue"):
                company = before.agenda[-1].company
                state = game.state
                if state.layout.tiles.get(action.hex) is not None:
                    found.add(type(action))
                    revenue = ruleset.depot.best_runs(state, company).total()
                    assert numbers(lines[0])[-2:] == [
                        ruleset.depot.best_runs(before, company).total(),
                        revenue,
                    ]
    assert found == {BuyShare, SellShares, BuyTrain, LayTile}


@pytest.mark.parametrize("title", ["1835", "1853"])
def test_what_a_tile_opens_is_said(title: str) -> None:
    """The places in reach after a tile that were not before, at random games."""
    said = 0
    for seed in range(2):
        game, rng = kursbuch.new(title, players=NAMES, seed=seed), random.Random(seed)
        eighteen: Any = game.title
        ruleset, voice = eighteen.ruleset, eighteen.voice(Words("en", NAMES))
        while not game.over and len(game.moves) < 400:
            view = game.view(game.pending[0].seat)
            legal = [choice.action for choice in view.legal_actions()]
            action = rng.choice([one for one in legal if isinstance(one, LayTile)] or legal)
            after = preview(view, action).after
            before = game.title.clone(game.state)
            lines = [] if after is None else voice.consequences(view.state, after, action)
            game.apply(action)
            if not isinstance(action, LayTile) or after is None:
                continue
            company = before.agenda[-1].company
            reached = [
                ruleset.builder.destinations(state, company) for state in (before, game.state)
            ]
            line = next((one for one in lines if one.startswith("Newly in reach: ")), "")
            for hex in reached[1] - reached[0]:
                assert voice.town(hex) in line
                said += 1
    assert said
