"""Values in which 18xx titles differ. A difference that takes code is a method of a `Ruleset` part,
overridden by the title."""

from __future__ import annotations

from typing import Literal

import msgspec

from kursbuch.games.g18xx.state import OfCompany


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What a title declares about the family's rules; by default nothing is special.

    `currency` is the sign of the money.

    Companies:

    - `turn` are the steps of a company's turn in order [turn-order]; `minor_turn` those of a minor;
    - `order`: the highest price acts first, or the company named first in the data
      [operating-order];
    - `float_percent` has to be sold for a company to float [float];
    - `capital` is what it gets then: the issue price of the shares players have, or of all
      [treasury-at-start]; `later_shares` receives the price of new shares sold after that
      [new-share-paid-to-company];
    - `ties` decides between players with equally many shares who becomes director: the nearest to
      the left of the old one, or the longest holder of shares [director-change].

    Shares:

    - `pool_limit` is the maximum percentage of a company in the pool [pool-limit];
    - `room_from` is the percentage of a company from which a player may hold one more certificate,
      0 without such a rule [certificate-limit-raised];
    - `nationalise_from` is the percentage from which shares may be taken from other players, 0 if
      never [nationalisation];
    - `companies_own_privates`: share companies may own privates and receive their income
      [private-income];
    - `sale_lowers_price`, `sold_out_raises_price`: effects of a sale [price-after-sale], and of
      selling out by the end of a stock round [price-when-sold-out].

    Revenue and trains:

    - `runs`: trains must run for the highest revenue, or as the director likes [revenue];
    - `mail`: one train also earns the values of both ends of its run for the treasury;
    - `run_duty`: a run may have to reach some place;
    - `pool_earns` receives the dividend on shares in the pool [dividend];
    - `train_duty`: a share company must own a train at the end of its turn, if need be with its
      director's money [train-duty]; `director_adds`: directors may add money only then
      [director-pays], or whenever the treasury is too small;
    - `least_price` is the minimum price of a train between companies [train-of-company].
    """

    currency: str = "£"
    turn: tuple[type[OfCompany], ...]
    minor_turn: tuple[type[OfCompany], ...] = ()
    order: Literal["price", "data"] = "price"
    float_percent: int = 50
    capital: Literal["sold", "all"] = "sold"
    later_shares: Literal["company", "bank"] = "company"
    ties: Literal["left", "longest"] = "left"
    pool_limit: int = 50
    room_from: int = 0
    nationalise_from: int = 0
    companies_own_privates: bool = False
    sale_lowers_price: bool = True
    sold_out_raises_price: bool = True
    runs: Literal["most", "any"] = "most"
    mail: bool = False
    run_duty: bool = False
    pool_earns: Literal["company", "bank"] = "company"
    train_duty: bool = True
    director_adds: Literal["duty", "any"] = "duty"
    least_price: int = 1
