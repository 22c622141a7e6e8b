"""Options, state, actions and events of 1835 beyond the family's, with notation and encoding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from kursbuch.core.actions import Action, PickSpec
from kursbuch.core.events import Event
from kursbuch.core.notation import Form, OneOf
from kursbuch.core.sentences import MONEY, If
from kursbuch.core.state import Counted, Encoding, LeftOut, Size, Step
from kursbuch.games.g18xx import state as family
from kursbuch.games.g18xx.actions import FORMS, EighteenAction
from kursbuch.games.g18xx.events import Line
from kursbuch.games.g18xx.g1835.components import Components1835
from kursbuch.games.g18xx.state import EighteenState, EighteenStep, Variants

Packet = Literal["standard", "clemens", "snake"]

#: Options that the Rails-18xx importer sets where an action needs them.
MINORS_NEED_BAVARIA = "minors-need-bavaria"
SAME_PRICE = "same-price"
GROUP3_WITHOUT_PRUSSIA = "group3-without-prussia"
UNLIMITED_TILES = "unlimited-tiles"
FREE_TRACK = "free-track"
FREE_REVENUE = "free-revenue"
PAYS_BEYOND_BANK = "pays-beyond-bank"
AS_RAILS = "as-rails"

#: Fields that each on/off option sets.
SWITCHES = {
    "ld-30": ("ld_pays_30",),
    "cheaper-privates": ("cheaper_privates",),
    "minors-wait": ("minors_wait",),
    MINORS_NEED_BAVARIA: ("minors_need_bavaria",),
    SAME_PRICE: ("one_sale_price",),
    GROUP3_WITHOUT_PRUSSIA: ("group3_without_prussia",),
    UNLIMITED_TILES: ("unlimited_tiles",),
    "no-206": ("printed_upgrades",),
    FREE_TRACK: ("free_track",),
    "routes-by-hand": ("routes_by_hand",),
    FREE_REVENUE: ("free_revenue",),
    PAYS_BEYOND_BANK: ("pays_beyond_bank",),
    AS_RAILS: ("nationalised_down", "distance_by_track", "sell_beyond_need", "refused_beforehand"),
}


class Variants1835(Variants, frozen=True, kw_only=True, omit_defaults=True):
    """Options of 1835 beyond the family's."""

    #: How the start packet is sold.
    packet: Packet = "standard"
    #: LD pays 30 [7.1].
    ld_pays_30: bool = False
    #: Privates get cheaper with every stock round [7.2].
    cheaper_privates: bool = False
    #: Minors wait for the whole start packet [7.3].
    minors_wait: bool = False
    #: Minors wait until Bavaria operates.
    minors_need_bavaria: bool = False
    #: The third group does not wait for Prussian shares [1.2.3].
    group3_without_prussia: bool = False
    #: In the round in which Prussia opens, shares still to be exchanged for papers that have earned
    #: pay no dividend either [4.5].
    refused_beforehand: bool = False

    def agreed(self, option: str) -> bool:
        """Whether an on/off option is on."""
        return all(getattr(self, field) for field in SWITCHES[option])

    def having(self, option: str, on: bool = True) -> Variants1835:
        """Return a copy with an option on or off.

        >>> Variants1835().having("same-price").one_sale_price
        True
        """
        return replace(self, **dict.fromkeys(SWITCHES[option], on))


def variants(options: Iterable[tuple[str, str]]) -> Variants1835:
    """Variants for the options of a table.

    >>> agreed = variants([("packet", "snake"), ("ld-30", "on"), ("no-206", "off")])
    >>> agreed.packet, agreed.ld_pays_30, agreed.printed_upgrades
    ('snake', True, False)
    """
    fields: dict[str, Any] = {}
    for name, value in options:
        if name == "packet":
            fields["packet"] = value
        else:
            fields.update(dict.fromkeys(SWITCHES[name], value == "on"))
    return Variants1835(**fields)


class OpenPrussia(Action, frozen=True, tag="open"):
    """Open Prussia now, or wait [4-intro, 4.6]."""

    FORM = Form("{opens}", opens=OneOf({"opens PR": True, "waits": False}))
    PICK = PickSpec(
        "Prussia",
        ("{opens:open|wait}",),
        If("opens", Line("Open the Prussian railway"), Line("Not yet")),
    )

    opens: bool


Action1835 = EighteenAction | OpenPrussia


class PrussiaOpened(Event, frozen=True, kw_only=True, tag="prussia"):
    """Prussia has opened; `treasury` is what the bank paid for its shares. `seat` is None if the
    owner of minor 2 has left the game."""

    SENTENCE = If(
        "seat",
        Line(
            "The Prussian railway opens; it gets {money} from the bank.", money=MONEY.of("treasury")
        ),
        Line(
            "{name} opens the Prussian railway; it gets {money} from the bank.",
            money=MONEY.of("treasury"),
        ),
        equals=(None,),
    )

    seat: int | None
    treasury: int


class PrussiaWaits(Event, frozen=True, kw_only=True, tag="prussia-waits"):
    """The owner of minor 2 does not open Prussia yet."""

    SENTENCE = Line("{name} does not open the Prussian railway yet.")

    seat: int


class PacketTurn(Step, tag="packet"):
    """A turn to buy from the start packet; `asked` once the player can buy something."""

    seat: int
    asked: bool = False


class PrussiaOffer(Step, tag="prussia"):
    """The owner of minor 2 may open Prussia."""

    seat: int


class ExchangeOffer(Step, tag="exchange"):
    """These players choose in turn which papers to exchange.

    Afterwards the Prussian director and surplus trains are settled [4.8]. `rule` is 4.3 when
    Prussia opens, else 4.7.
    """

    seats: list[int]
    rule: str


class Formed(Step, tag="formed"):
    """All exchanges are made: settle the director, then surplus trains [4.8]."""


State1835Step = EighteenStep | PacketTurn | PrussiaOffer | ExchangeOffer | Formed


class State1835(EighteenState[State1835Step], kw_only=True):
    """State of 1835 beyond the family's.

    `packet_turns` counts turns in the first round of the start packet, for its variants. `refused`
    are percentages of Prussia per seat without dividend in this operating round, `idle` trains of
    Prussia that have run in it for a minor [4.5]. `opened`: Prussia has opened during this
    operating round. `ob_used`: OB's free tile has been laid in it [3.1.3.2b].
    """

    house: Variants1835
    packet_turns: int = 0
    refused: dict[int, int] = msgspec.field(default_factory=dict)
    idle: list[str] = msgspec.field(default_factory=list)
    opened: bool = False
    ob_used: bool = False


FORMS_1835: tuple[type[Action], ...] = (*FORMS, OpenPrussia)


def encoding(components: Components1835, seats: int) -> Encoding:
    """Encoding of a game with this number of seats."""
    sizes: dict[str, Size] = {"idle": Counted(components.train_order), "exchange.rule": LeftOut()}
    return family.encoding(components, seats, tuple(components.packet), sizes)
