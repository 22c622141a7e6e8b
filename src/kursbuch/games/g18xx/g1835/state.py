"""State, actions and events of 1835 beside those of every 18xx title, with their notation and
encoding."""

from __future__ import annotations

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.notation import Form, OneOf
from kursbuch.core.state import Counted, Encoding, LeftOut, Size, Step
from kursbuch.games.g18xx import state as family
from kursbuch.games.g18xx.actions import FORMS, EighteenAction
from kursbuch.games.g18xx.g1835.components import Components1835
from kursbuch.games.g18xx.g1835.variants import Variants1835
from kursbuch.games.g18xx.state import EighteenState, EighteenStep


class OpenPrussia(Action, frozen=True, tag="open"):
    """Open the Prussian railway now, or wait [4-intro, 4.6]."""

    FORM = Form("{opens}", opens=OneOf({"opens PR": True, "waits": False}))

    opens: bool


Action1835 = EighteenAction | OpenPrussia


class PrussiaOpened(Event, frozen=True, kw_only=True, tag="prussia"):
    """The Prussian railway has opened; `treasury` is what the bank paid for its shares. `seat` is None
    if the owner of the (2) has left the game."""

    seat: int | None
    treasury: int


class PrussiaWaits(Event, frozen=True, kw_only=True, tag="prussia-waits"):
    """The owner of the (2) does not open the Prussian railway yet."""

    seat: int


class PacketTurn(Step, tag="packet"):
    """A turn in which a paper of the start packet can be bought; `asked` once it is clear that the
    player can buy something."""

    seat: int
    asked: bool = False


class PrussiaOffer(Step, tag="prussia"):
    """The owner of the (2) may open the Prussian railway."""

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
    """The words and sizes of a game with so many seats."""
    sizes: dict[str, Size] = {"idle": Counted(components.train_order), "exchange.rule": LeftOut()}
    return family.encoding(components, seats, tuple(components.packet), sizes)
