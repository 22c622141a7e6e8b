"""What the computer would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from kursbuch.bots import hints
from kursbuch.web import contexts
from kursbuch.web.present.viewer import Viewer


def hint_card(shown: Viewer, ranked: Sequence[tuple[dict[str, Any], float]]) -> contexts.HintCard:
    """What the computer would do, and how much it prefers that to the next best choices."""
    view = shown.own_view()
    words, title, voice = shown.words, shown.title, shown.voice
    possible = view.legal_actions()

    def label(data: dict[str, Any]) -> str:
        action = title.action_from_json(data)
        text = voice.pick(view.state, action).label
        if not any(choice.amount and choice.covers(action) for choice in possible):
            return text
        value = words.number(getattr(action, action.AMOUNT))
        what = voice.amount_label(action)
        if what:
            return words._("{action} ({what}: {amount})", action=text, what=what, amount=value)
        return words._("{action}: {amount}", action=text, amount=value)

    best, value = ranked[0]
    noise = hints.noise(view, [other for _, other in ranked])
    others = [
        contexts.HintLine(label(data), _behind(shown, value - other, noise))
        for data, other in ranked[1:4]
    ]
    why = words._("It is the only thing you can do.")
    if len(ranked) == 1 and len(possible) > 1:
        why = words._("The computer sees nothing else that gains anything.")
    elif len(ranked) > 1:
        gap = value - ranked[1][1]
        if gap <= noise:
            why = words._("The computer thinks the next best choice is about as good.")
        elif hints.rounded(gap) > 0:
            why = words._(
                "The computer thinks it is worth about {amount} more than the next best choice.",
                amount=voice.written_score(hints.rounded(gap)),
            )
        else:
            why = words._("The computer thinks it is a little better than the next best choice.")
    return contexts.HintCard(
        label=label(best),
        sentence=words._("The computer would choose: {action}", action=label(best)),
        why=why,
        keys=list(voice.pick(view.state, title.action_from_json(best)).keys),
        position=shown.position(),
        action_json=msgspec.json.encode(best).decode(),
        others=others,
    )


def _behind(shown: Viewer, gap: float, noise: float) -> str:
    if gap <= noise:
        return shown.words._("about as good")
    if hints.rounded(gap) <= 0:
        return shown.words._("a little worse")
    return shown.words._(
        "about {amount} worse", amount=shown.voice.written_score(hints.rounded(gap))
    )
