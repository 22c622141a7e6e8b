"""Phase one: the auctions of Nimm den Zug, by kind. Ids in brackets are those of rules.toml.

What a player can pay is secret. So everybody who takes part is asked, even if he can only pass; it
shows only where the rules need it (a starter who cannot pay, a locomotive nobody can pay for).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursbuch.core.state import Step
from kursbuch.games.nimm.asking import NimmRules
from kursbuch.games.nimm.auctions.choice import BuyingRules, ChoiceBidsRules, RankingRules
from kursbuch.games.nimm.auctions.open import OpenAuctionRules, SealedRaisesRules
from kursbuch.games.nimm.auctions.passing import DraftPriceRules, DraftRules, TooDearRules
from kursbuch.games.nimm.auctions.sealed import SealedBidsRules, SecondBidsRules
from kursbuch.games.nimm.auctions.secret import SecretBidsRules
from kursbuch.games.nimm.auctions.starting import ChooseCardRules, FirstBidRules, NextAuctionRules
from kursbuch.games.nimm.auctions.ties import TieRules
from kursbuch.games.nimm.auctions.turn import TurnAuctionRules
from kursbuch.games.nimm.state import (
    Buying,
    ChoiceBids,
    ChooseCard,
    Draft,
    DraftPrice,
    FirstBid,
    NextAuction,
    OpenAuction,
    Ranking,
    SealedBids,
    SealedRaises,
    SecondBids,
    Tie,
    TooDear,
    TurnAuction,
)

#: The rules of secret bids, by the type of their step.
SECRET: Mapping[type[Step], type[SecretBidsRules[Any]]] = {
    SealedBids: SealedBidsRules,
    SecondBids: SecondBidsRules,
    SealedRaises: SealedRaisesRules,
    ChoiceBids: ChoiceBidsRules,
}

#: The rules of every step of phase one.
PHASE_ONE: Mapping[type[Step], type[NimmRules[Any]]] = {
    NextAuction: NextAuctionRules,
    ChooseCard: ChooseCardRules,
    FirstBid: FirstBidRules,
    TurnAuction: TurnAuctionRules,
    OpenAuction: OpenAuctionRules,
    **SECRET,
    Tie: TieRules,
    Ranking: RankingRules,
    Buying: BuyingRules,
    Draft: DraftRules,
    DraftPrice: DraftPriceRules,
    TooDear: TooDearRules,
}
