"""What is worked out without the rest of a state is what the whole state says."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.msgpack import encode

from kursbuch.core.words import Words
from kursbuch.games.g18xx.g1853 import drawing
from kursbuch.games.g18xx.share_register import ShareRegister, share_register
from kursbuch.games.g18xx.text import holdings
from tests.browser.positions import whole_game
from tests.test_refusals import random_game


@pytest.mark.parametrize("title", ["1835", "1853"])
def test_the_rest_of_the_state_has_no_bearing(title: str) -> None:
    rng = random.Random(title)
    for game in (whole_game(title), random_game(title, 3, 200)[0]):
        ruleset: Any = game.title.ruleset  # type: ignore[attr-defined]
        texts: Any = game.title.voice(Words("en", game.names))
        for number in rng.sample(range(len(game.moves)), 40):
            state = game.at(number).state
            known, whole = share_register(ruleset, state), ShareRegister(ruleset, state)
            assert known.holders == whole.holders
            assert ruleset.shares.offered(known.state) == ruleset.shares.offered(state)
            assert texts.shown_companies(known.state) == texts.shown_companies(state)
            for company in ruleset.public:
                found = texts.company_shares(known, company)
                assert found == texts.company_shares(whole, company)
            assert texts.paper_shares(known) == texts.paper_shares(whole)
            trains = encode(ruleset.bearing_on_trains(state)), encode(state)
            form: Any = type(state)
            rows = [holdings._train_rows(texts, form, one) for one in trains]
            assert rows[0] == rows[1]
            tables = [holdings._train_table(texts, form, one) for one in trains]
            assert tables[0] == tables[1]
            if title == "1853":
                for company in ("", *ruleset.public):
                    assert drawing._trains(texts, trains[0], company) == drawing._trains(
                        texts, trains[1], company
                    )
    assert share_register(ruleset, state) is share_register(ruleset, state)
