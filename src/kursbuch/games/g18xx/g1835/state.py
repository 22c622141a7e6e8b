"""The state of a game of 1835: that of every 18xx game, the start packet, and the Prussian railway."""

from __future__ import annotations

import msgspec

from kursbuch.core.state import Step
from kursbuch.games.g18xx.g1835.house import House1835
from kursbuch.games.g18xx.state import EighteenState, EighteenStep


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

    house: House1835
    packet_turns: int = 0
    refused: dict[int, int] = msgspec.field(default_factory=dict)
    idle: list[str] = msgspec.field(default_factory=list)
    opened: bool = False
    ob_used: bool = False
