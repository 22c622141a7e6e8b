"""The prompt and the choices of a seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from kursbuch.core.actions import Choice
from kursbuch.core.game import View
from kursbuch.web.tables.policies import CLOSED, FINISHED, LOBBY
from kursbuch.web.tables.viewer import Viewer


def choices(shown: Viewer) -> list[dict[str, Any]]:
    """What the acting seat may do, or one that may act although nobody waits for it."""
    if shown.view is None or (shown.acting is None and shown.volunteer is None):
        return []
    final = shown.has_company
    return [_choice(shown, choice, shown.view, final) for choice in shown.view.legal_actions()]


def _choice(shown: Viewer, choice: Choice, view: View, final: bool) -> dict[str, Any]:
    pick = shown.voice.pick(view.state, choice.action)
    amounts = choice.amount
    return {
        "action": shown.title.action_to_json(choice.action),
        "keys": list(pick.keys),
        "label": pick.label,
        "group": pick.group,
        "several": pick.several,
        "cost": pick.cost,
        "amount": amounts
        and {
            "field": choice.action.AMOUNT,
            "low": amounts.low,
            "high": amounts.high,
            "step": amounts.step,
            **_ways_to_choose(shown, choice, view),
        },
        "confirm": shown.title.irrevocable(choice.action),
        "final": final,
        "ask": shown.voice.amount_label(choice.action) if amounts else "",
        "compose": msgspec.to_builtins(shown.voice.compose(view.state, choice.action)),
    }


def _ways_to_choose(shown: Viewer, choice: Choice, view: View) -> dict[str, Any]:
    """The buttons for an amount: {send, written, quick, atOnce}."""
    ways = shown.voice.amounts(view.state, choice)
    return {
        "send": ways.send or shown.words._("Confirm: {amount}"),
        "written": ways.written,
        "quick": [amount for amount in ways.quick if choice.amount and amount in choice.amount],
        "atOnce": ways.at_once,
    }


def prompt(shown: Viewer) -> str:
    """What is to be done now, in one sentence."""
    words = shown.words
    if shown.at is not None:
        names = [shown.seats[seat].name for seat in shown.deciding]
        return words.ngettext(
            "{names} was to move.", "{names} were to move.", len(names), names=words.join(names)
        )
    if shown.table.status == LOBBY:
        free = sum(seat.is_free for seat in shown.seats)
        if free:
            return words.ngettext("{n} seat is still free.", "{n} seats are still free.", free)
        return words._("Everybody is here: the game can begin.")
    if shown.table.status == CLOSED and shown.game is not None:
        return words._("The game was ended without a result.")
    if shown.table.status == CLOSED:
        return words._("This table is closed.")
    if shown.table.status == FINISHED:
        return words._("The game is over.")
    if shown.acting is not None and shown.view is not None:
        for decision in shown.view.pending:
            if decision.seat == shown.acting:
                return shown.voice.prompt(shown.view.state, decision)
    return waiting_sentence(shown)


def may_also(shown: Viewer, offered: Sequence[object]) -> str:
    """What introduces the choices of somebody nobody waits for, who is `offered` some."""
    if shown.volunteer is None or not offered:
        return ""
    if len(shown.own) > 1:
        return shown.words._("{name} may also:", name=shown.seats[shown.volunteer].name)
    return shown.words._("You may also:")


def thinking(shown: Viewer) -> bool:
    """Whether only the computer has to decide."""
    return (
        shown.at is None
        and bool(shown.deciding)
        and all(shown.seats[seat].is_bot for seat in shown.deciding)
    )


def waiting_sentence(shown: Viewer) -> str:
    """For whom the table waits."""
    if not shown.deciding or shown.at is not None:
        return ""
    names = shown.words.join([shown.seats[seat].name for seat in shown.deciding])
    if thinking(shown):
        return shown.words.ngettext(
            "{names} is thinking …", "{names} are thinking …", len(shown.deciding), names=names
        )
    tasks = set(_tasks(shown))
    if len(tasks) == 1 and "" not in tasks:
        return shown.words._("Waiting for {names} to {task}.", names=names, task=tasks.pop())
    return shown.words._("Waiting for {names}.", names=names)


def _tasks(shown: Viewer) -> list[str]:
    """What those have to do for whom the table waits, as far as the visitor may know."""
    if shown.view is None:
        return []
    return [shown.voice.task(shown.view.state, decision) for decision in shown.view.pending]
