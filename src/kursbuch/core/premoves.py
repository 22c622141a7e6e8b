"""What can be said of decisions before they are due, for moves ahead of time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.state import Decision, State, Step

StateT_contra = TypeVar("StateT_contra", bound="State[Any]", contravariant=True)

#: What in every title with rounds can be waited for: that the round is over. Where rounds are of several kinds, it
#: is over for a kind of decision (`Decision.step`) by the name "round:stock-turn".
ROUND = "round"


class Premoves(Generic[StateT_contra]):
    """What a title says of decisions before they are due (`Title.ahead`): tables ask it what can be fixed for
    the own next turn, and whether that still fits when the turn has come. Without a word of the title nothing
    can be fixed but whether to object (`Title.standing_refusal`).

    States are views; they are never changed.
    """

    #: Whether it can be fixed to object always or never.
    objects: ClassVar[bool] = False

    #: The kinds of what may be waited for that count also when they come of one's own move, such as the last pass.
    by_anybody: ClassVar[frozenset[str]] = frozenset((ROUND,))

    def situations(self, state: StateT_contra, seat: int) -> Iterable[Any]:
        """The view as it would be if that seat were asked next, for every kind of decision that can be
        foreseen: the last step of the agenda asks it. They may share parts with `state`."""
        return ()

    def subject(self, step: Step) -> str:
        """Of several that one player decides for, the one a step is about, such as a company; empty if there is only
        the player."""
        return ""

    def passing(self, state: StateT_contra, decision: Decision) -> Action | None:
        """The action by which a seat leaves it at that: passes, ends its turn, goes on to the next step."""
        return None

    def lot(self, state: StateT_contra, seat: int) -> str:
        """What a seat may bid for now or later in the auction that is under way, by a name no other has
        (`Voice.subject` says it in words); empty if nothing is auctioned openly."""
        return ""

    def objecting(self, state: StateT_contra, decision: Decision) -> Action | None:
        """The action by which a seat objects, where it is asked whether it does."""
        return None

    def terms(self, state: StateT_contra, action: Action) -> str:
        """What an action depends on as it stands, such as a price or what lies on a hex: fixed ahead, it is
        not made if this has changed."""
        return ""

    def triggers(self, state: StateT_contra, seat: int) -> Sequence[str]:
        """What may be waited for, by name (`Voice.trigger` says it in words)."""
        return ()

    def happened(self, event: Event) -> Iterable[str]:
        """The names of what may be waited for that an event is."""
        return ()
