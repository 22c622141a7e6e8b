"""Notation of the actions of 1853, and how its positions are written as numbers."""

from __future__ import annotations

from kursbuch.core.state import Counted, Encoding, Keyed, Listed, Size
from kursbuch.games.g18xx import notation
from kursbuch.games.g18xx import notation as family
from kursbuch.games.g18xx.actions import (
    BuyPaper,
    ChooseHome,
    ChooseSwap,
    EnterRevenue,
    Exchange,
    Nationalise,
)
from kursbuch.games.g18xx.g1853.actions import (
    BuyOnCredit,
    OfferElephant,
    OrderRound,
    Redeem,
    SettleTrain,
    ShowContract,
    TakeRight,
    Vote,
    WriteBond,
    WriteCity,
)
from kursbuch.games.g18xx.g1853.components import Components1853
from kursbuch.games.g18xx.g1853.state import bond_holder
from kursbuch.games.g18xx.notation import Form, spelt

#: Actions of the family that never come up.
_NEVER = (BuyPaper, ChooseHome, ChooseSwap, EnterRevenue, Exchange, Nationalise)
FORMS_1853 = (
    Form(
        WriteBond,
        ("writes a bond of AMOUNT",),
        lambda action: f"writes a bond of {action.bond}",
        r"writes a bond of (\d{1,9})",
        lambda seat, found, names: WriteBond(seat, int(found[0])),
    ),
    Form(
        WriteCity,
        ("writes CITY for COMPANY",),
        lambda action: f"writes {action.city} for {action.company}",
        r"writes ([a-z]+) for (\w+)",
        lambda seat, found, names: WriteCity(
            seat, spelt(found[0], names.papers), names.company(found[1])
        ),
    ),
    Form(
        Redeem,
        ("redeems NUMBER of COMPANY",),
        lambda action: f"redeems {action.count} of {action.company}",
        r"redeems (\d) of (\w+)",
        lambda seat, found, names: Redeem(seat, names.company(found[1]), int(found[0])),
    ),
    Form(
        TakeRight,
        ("lays two tiles for a fee", "lays two tiles later"),
        lambda action: "lays two tiles for a fee" if action.fee else "lays two tiles later",
        r"lays two tiles (for a fee|later)",
        lambda seat, found, names: TakeRight(seat, found[0].casefold() == "for a fee"),
    ),
    Form(
        BuyOnCredit,
        ("buys train TRAIN [from the pool] on credit",),
        lambda action: (
            f"buys train {action.train}{notation.POOL_SOURCE * (action.source == 'pool')} on credit"
        ),
        rf"buys train {notation.TRAIN}({notation.POOL_SOURCE})? on credit",
        lambda seat, found, names: BuyOnCredit(
            seat, spelt(found[0], names.trains), "pool" if found[1] else "bank"
        ),
    ),
    Form(
        SettleTrain,
        ("pays for the train", "returns the train"),
        lambda action: "pays for the train" if action.pays else "returns the train",
        r"(pays for|returns) the train",
        lambda seat, found, names: SettleTrain(seat, found[0].casefold() == "pays for"),
    ),
    Form(
        OfferElephant,
        ("offers the elephant to player NUMBER for AMOUNT",),
        lambda action: f"offers the elephant to player {action.player + 1} for {action.price}",
        r"offers the elephant to player (\d{1,2}) for (\d{1,5})",
        lambda seat, found, names: OfferElephant(seat, int(found[0]) - 1, int(found[1])),
    ),
    Form(
        OrderRound,
        ("orders an operating round", "orders no operating round"),
        lambda action: f"orders {'an' if action.orders else 'no'} operating round",
        r"orders (an|no) operating round",
        lambda seat, found, names: OrderRound(seat, found[0].casefold() == "an"),
    ),
    Form(
        ShowContract,
        ("shows the contract",),
        lambda action: "shows the contract",
        r"shows the contract",
        lambda seat, found, names: ShowContract(seat),
    ),
    Form(
        Vote,
        ("pardons", "does not pardon"),
        lambda action: "pardons" if action.pardons else "does not pardon",
        r"(pardons|does not pardon)",
        lambda seat, found, names: Vote(seat, found[0].casefold() == "pardons"),
    ),
    *(form for form in notation.FORMS if form.action not in _NEVER),
)


def encoding(components: Components1853, seats: int) -> Encoding:
    """The words and sizes of a game with so many seats."""
    companies = tuple(components.public)
    most = components.players[seats].max_cities
    by_company = Keyed(companies)
    sizes: dict[str, Size] = {
        "contracts.cities": Listed(most),
        "contracts.companies": Listed(most),
        "charters": by_company,
        "unredeemed": Listed(seats, by_company),
        "drawn": Listed(seats, by_company),
        "first_group": Counted(companies),
        "founded": Counted(companies),
        "noticed": Listed(seats, Counted(companies)),
        "opening": Counted(companies),
        "turn.tiles": Listed(family.LAID),
        "turn.duties": Listed(family.LAID),
    }
    words = (*components.cities, "later", "fee")
    purses = [bond_holder(seat) for seat in range(seats)]
    return family.encoding(components, seats, words, sizes, purses)
