"""Hints: the move the computer would make."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from kursbuch.bots import estimates
from kursbuch.bots.advice import Advice
from kursbuch.bots.review.sentences import reasons
from kursbuch.core.actions import Action
from kursbuch.core.game import View
from kursbuch.web.db.models import Table
from kursbuch.web.tables.boards import foreseen
from kursbuch.web.tables.viewer import Viewer

#: Template of an amount without a unit.
PLAIN = "{amount}"

#: Maximum number of reasons why a choice beats the next best one.
REASONS = 2


class HintRequest(msgspec.Struct, frozen=True):
    """The decision a hint is asked for. `number` counts the moves since which it is open, `rewound`
    tells apart games with moves taken back."""

    table: str
    rewound: int
    number: int
    seat: int

    def seed(self, table: Table) -> int:
        """Return the seed of the advice. It tells nothing about the secret seed of the game."""
        text = f"{table.seed_hash} {self.rewound} {self.number} {self.seat}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def asked_since(shown: Viewer) -> HintRequest:
    """Return the decision of the acting seat. In a simultaneous decision, answers of others do not change it."""
    view = shown.own_view()
    assert view.seat is not None
    assert shown.game is not None
    possible, number = view.legal_actions(), shown.number
    while number and shown.game.moves[number - 1].action.seat != view.seat:
        before = shown.view_at(number - 1)
        waited = any(decision.seat == view.seat for decision in before.pending)
        if not waited or before.legal_actions() != possible:
            break
        number -= 1
    return HintRequest(shown.table.id, shown.table.rewound, number, view.seat)


class HintLine(msgspec.Struct, frozen=True):
    """Another choice, and how much worse it is."""

    label: str
    difference: str


class HintCard(msgspec.Struct, frozen=True):
    """hint.html: the recommended move and its reasons. `action_json` is the action as POST /move takes it."""

    label: str
    sentence: str
    reasons: list[str]
    why: str
    keys: list[str]
    position: str
    action_json: str
    others: list[HintLine]


def hint_card(shown: Viewer, advice: Advice) -> HintCard:
    """Return the card with the recommended move, its lead over the next best choices, and why."""
    ranked = advice.choices
    view = shown.own_view()
    words, title, voice = shown.words, shown.title, shown.voice
    possible = view.legal_actions()

    def label(data: dict[str, Any]) -> str:
        return action_label(shown, view, title.action_from_json(data))

    best, value = ranked[0]
    noise = estimates.noise(view, [other for _, other in ranked])
    credible = estimates.credible(view)
    others = [
        HintLine(label(data), _behind(shown, value - other, noise, credible))
        for data, other in ranked[1:4]
    ]
    why = words._("It is your only legal choice.")
    if len(ranked) == 1 and len(possible) > 1:
        why = words._("The computer sees no other choice that gains anything.")
    elif len(ranked) > 1:
        why = words._("Estimated: the second-best choice is about as good.")
        if value - ranked[1][1] > noise:
            why = _better(shown, advice.gain)
    if advice.verdict is not None:
        why = " ".join([why, *reasons(advice.verdict, voice)[:REASONS]])
    advised = title.action_from_json(best)
    return HintCard(
        label=label(best),
        sentence=words._("The computer would choose: {action}", action=label(best)),
        reasons=[*filter(None, [advice.plan.get(words.language)]), *_stakes(shown, view, advised)],
        why=why,
        keys=list(voice.pick(view.state, advised).keys),
        position=shown.position(),
        action_json=msgspec.json.encode(best).decode(),
        others=others,
    )


def _better(shown: Viewer, gain: tuple[float, float] | None) -> str:
    """Return how much better the best choice is than the next."""
    words = shown.words
    if gain is None:
        return words._("Estimated: better than the second-best choice.")
    low, high = map(estimates.rounded, gain)
    if high <= 0:
        return words._("Estimated: a little better than the second-best choice.")
    if low <= 0:
        return words._(
            "Estimated: up to {high} better than the second-best choice.",
            high=shown.voice.written_score(high),
        )
    return words._(
        "Estimated: {low} to {high} better than the second-best choice.",
        low=shown.voice.written_score(low),
        high=shown.voice.written_score(high),
    )


def _stakes(shown: Viewer, view: View, action: Action) -> list[str]:
    """Return the reasons for an action in words: what is at stake, and its certain effects."""
    stake = shown.title.evaluator.at_stake(view.state, action)
    found = foreseen(shown, action)
    lines = [*found.lines, *found.unopposed]
    reason = shown.voice.reason(view.state, action)
    if reason:
        lines.insert(0, reason)
    if stake is not None:
        worth = shown.voice.written_score(estimates.rounded(stake))
        lines.insert(0, shown.words._("Estimated value for you: about {amount}.", amount=worth))
    if found.totals:
        lines.append(found.totals)
    return lines


def action_label(shown: Viewer, view: View, action: Action) -> str:
    """Return the label of an action, with its amount if it has one."""
    words, voice = shown.words, shown.voice
    text = voice.pick(view.state, action).label
    possible = view.legal_actions()
    choice = next((one for one in possible if one.amount and one.covers(action)), None)
    if choice is None:
        return text
    value = words.number(getattr(action, action.AMOUNT))
    written = voice.amounts(view.state, choice).written
    if written != PLAIN:
        return words._("{action}: {amount}", action=text, amount=written.format(amount=value))
    what = voice.amount_label(action)
    if what:
        return words._("{action} ({what}: {amount})", action=text, what=what, amount=value)
    return words._("{action}: {amount}", action=text, amount=value)


def _behind(shown: Viewer, gap: float, noise: float, credible: float) -> str:
    if gap <= noise:
        return shown.words._("about as good")
    if estimates.rounded(gap) <= 0:
        return shown.words._("a little worse")
    if gap > credible:
        return shown.words._("worse")
    return shown.words._(
        "about {amount} worse", amount=shown.voice.written_score(estimates.rounded(gap))
    )
