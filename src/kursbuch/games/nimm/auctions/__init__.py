"""Phase one: the auctions of Nimm den Zug, by kind. Ids in brackets are those of rules.toml.

What a player can pay is secret. So everybody who takes part is asked, even if he can only pass; it
shows only where the rules need it (a starter who cannot pay, a locomotive nobody can pay for).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursbuch.core.state import Step
from kursbuch.games.nimm.auctions.bids import SecretBidsRules
from kursbuch.games.nimm.auctions.choice import BuyingRules, ChoiceBidsRules, RankingRules
from kursbuch.games.nimm.auctions.draft import DraftPriceRules, DraftRules, TooDearRules
from kursbuch.games.nimm.auctions.single import (
    ChooseCardRules,
    FirstBidRules,
    NextAuctionRules,
    OpenAuctionRules,
    SealedBidsRules,
    SealedRaisesRules,
    SecondBidsRules,
    TieRules,
    TurnAuctionRules,
)
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
from kursbuch.games.nimm.steps import NimmRules

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
