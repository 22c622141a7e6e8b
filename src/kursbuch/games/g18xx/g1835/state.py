"""Options, state, actions and events of 1835 beside those of every 18xx title, with notation and
encoding."""

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

#: Options of the title that the importer of Rails-18xx sets where an action needs them.
MINORS_NEED_BAVARIA = "minors-need-bavaria"
SAME_PRICE = "same-price"
GROUP3_WITHOUT_PRUSSIA = "group3-without-prussia"
UNLIMITED_TILES = "unlimited-tiles"
FREE_TRACK = "free-track"
FREE_REVENUE = "free-revenue"
PAYS_BEYOND_BANK = "pays-beyond-bank"
AS_RAILS = "as-rails"

#: What each option of the title that is off or on switches.
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
    """What 1835 adds to the options of every table.

    - `packet`: how the start packet is sold, "standard", "clemens" or "snake";
    - `ld_pays_30`, `cheaper_privates`, `minors_wait`: the optional rules [7.1, 7.2, 7.3];
    - `minors_need_bavaria`: minors wait until Bavaria is in operation;
    - `group3_without_prussia`: the third group does not wait for Prussian shares [1.2.3];
    - `refused_beforehand`: in the round in which Prussia opens, shares that could still be got for
      papers that have earned bring no dividend either [4.5].
    """

    packet: Packet = "standard"
    ld_pays_30: bool = False
    cheaper_privates: bool = False
    minors_wait: bool = False
    minors_need_bavaria: bool = False
    group3_without_prussia: bool = False
    refused_beforehand: bool = False

    def agreed(self, option: str) -> bool:
        """Whether an option that is off or on is on."""
        return all(getattr(self, field) for field in SWITCHES[option])

    def having(self, option: str, on: bool = True) -> Variants1835:
        """The same with an option on or off.

        >>> Variants1835().having("same-price").one_sale_price
        True
        """
        return replace(self, **dict.fromkeys(SWITCHES[option], on))


def variants(options: Iterable[tuple[str, str]]) -> Variants1835:
    """The agreements that options of the title with their values make.

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
    """Open the Prussian railway now, or wait [4-intro, 4.6]."""

    FORM = Form("{opens}", opens=OneOf({"opens PR": True, "waits": False}))
    PICK = PickSpec(
        "Prussia",
        ("{opens:open|wait}",),
        If("opens", Line("Open the Prussian railway"), Line("Not yet")),
    )

    opens: bool


Action1835 = EighteenAction | OpenPrussia


class PrussiaOpened(Event, frozen=True, kw_only=True, tag="prussia"):
    """The Prussian railway has opened; `treasury` is what the bank paid for its shares. `seat` is None
    if the owner of Minor 2 has left the game."""

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
    """The owner of Minor 2 does not open the Prussian railway yet."""

    SENTENCE = Line("{name} does not open the Prussian railway yet.")

    seat: int


class PacketTurn(Step, tag="packet"):
    """A turn in which a paper of the start packet can be bought; `asked` once it is clear that the
    player can buy something."""

    seat: int
    asked: bool = False


class PrussiaOffer(Step, tag="prussia"):
    """The owner of Minor 2 may open the Prussian railway."""

    seat: int


class Folding(Step, tag="exchange"):
    """These players are still to be asked which papers they exchange, the first of them now.

    When all have answered, a change of the Prussian director and surplus trains follow [4.8].
    `rule` is that of the occasion: 4.3 when Prussia opens, else 4.7.
    """

    seats: list[int]
    rule: str


class Formed(Step, tag="formed"):
    """All exchanges of an occasion are made: a change of director, then surplus trains [4.8]."""


State1835Step = EighteenStep | PacketTurn | PrussiaOffer | Folding | Formed


class State1835(EighteenState[State1835Step], kw_only=True):
    """What changes during a game.

    `packet_turns` counts the turns of the first round of the start packet, for its variants.
    `refused` are percentages of Prussia per seat that bring no dividend in this operating round, and
    `idle` trains of Prussia that have run in it for a minor [4.5]. `opened`: Prussia has opened in the
    course of this operating round. `ob_used`: the free tile of OB has
    been laid in this operating round [3.1.3.2b].
    """

    house: Variants1835
    packet_turns: int = 0
    refused: dict[int, int] = msgspec.field(default_factory=dict)
    idle: list[str] = msgspec.field(default_factory=list)
    opened: bool = False
    ob_used: bool = False


FORMS_1835: tuple[type[Action], ...] = (*FORMS, OpenPrussia)


def encoding(components: Components1835, seats: int) -> Encoding:
    """The words and sizes of a game with that many seats."""
    sizes: dict[str, Size] = {"idle": Counted(components.train_order), "exchange.rule": LeftOut()}
    return family.encoding(components, seats, tuple(components.packet), sizes)
