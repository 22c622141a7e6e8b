"""Numbers and words in which 18xx titles differ. What takes more than a value is a verb of one of the
parts of a `Ruleset`, which a title replaces."""

from __future__ import annotations

from typing import Literal

import msgspec

from kursbuch.games.g18xx.state import OfCompany


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What a title declares about its family's rules. By default nothing is special.

    `currency` is the sign of the money.

    Companies:

    - `turn` are the steps of a company's turn, in the order of play [turn-order]; `minor_turn` those
      of a company with one owner;
    - `minor_label` is the short name of a minor by its `{id}`; `minor_noun` is put before the id where
      a sentence has room for it;
    - `order` says who acts first: the highest price, or the company named first in the data
      [operating-order];
    - `float_percent` has to be sold for a company to begin [float];
    - `capital` is what it gets then: the issue price of the shares players have, or of all
      [treasury-at-start]; `later_shares` says whom new shares sold after that pay
      [new-share-paid-to-company];
    - `ties` says which of several players with equally many shares becomes director instead of
      another: the nearest to the left of the old one, or who has held shares longest
      [director-change].

    Shares:

    - `pool_limit` is the percentage of a company the pool may hold [pool-limit];
    - `room_from` is the percentage of a company from which a player may hold one certificate more,
      0 if there is no such rule [certificate-limit-raised];
    - `nationalise_from` is the percentage from which shares may be taken from other players, 0 if
      they never may [nationalisation];
    - `companies_own_privates`: share companies may own private railways, which pay their income to them
      [private-income];
    - `sale_lowers_price`, `sold_out_raises_price`: what a sale [price-after-sale] and the end of a
      stock round do [price-when-sold-out].

    Revenue and trains:

    - `runs` says whether trains run for the most they can earn, or as the director likes [revenue];
    - `mail`: one of the trains earns the values of both ends of its run once more, for the treasury;
    - `run_duty`: a run may have to come somewhere;
    - `pool_earns` says who gets the dividend on shares in the pool [dividend];
    - `train_duty`: a share company must own a train at the end of its turn, if it takes its
      director's money [train-duty]; `director_adds` says whether he may add money only then
      [director-pays], or whenever the treasury is too small;
    - `least_price` is the lowest price of a train between companies [train-of-company].
    """

    currency: str = "£"
    turn: tuple[type[OfCompany], ...]
    minor_turn: tuple[type[OfCompany], ...] = ()
    minor_label: str = "{id}"
    minor_noun: str = ""
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
