"""What a review says, in sentences for one reader."""

from __future__ import annotations

from statistics import mean
from typing import Any

from kursbuch.bots.bot import others
from kursbuch.bots.estimates import rounded
from kursbuch.bots.review.games import Player, Turn
from kursbuch.bots.review.positions import Difference, Verdict
from kursbuch.core.voice import Voice
from kursbuch.core.words import LANGUAGES


def reasons(verdict: Verdict, voice: Voice[Any]) -> list[str]:
    """Why the better action is better: what it brings more or others get less; where that is not money
    soon, where everybody would stand."""
    found = [
        _difference(each, verdict.seat, voice)
        for each in verdict.differences
        if each.favours(verdict.seat)
    ]
    if found or verdict.better is None:
        return found
    before, after = verdict.played.results, verdict.better.results
    if not after:
        return [voice._("It promises more in the long run: track, trains and prices counted.")]
    changes = [now - then for now, then in zip(after, before, strict=True)]
    own = rounded(changes[verdict.seat])
    rest = rounded(mean(others(changes, verdict.seat) or [0.0]))
    if own > 0 and rest > 0:
        return [
            voice._(
                "After it {name} can expect about {amount} more, and the others about {rest} more on average.",
                name=voice.name(verdict.seat),
                amount=voice.written_score(own),
                rest=voice.written_score(rest),
            )
        ]
    seat = max(
        range(len(changes)),
        key=lambda each: changes[each] if each == verdict.seat else -changes[each],
    )
    amount = rounded(changes[seat])
    if not amount:
        return []
    given = {"name": voice.name(seat), "amount": voice.written_score(abs(amount))}
    if amount > 0:
        return [voice._("After it {name} can expect about {amount} more.", **given)]
    return [voice._("After it {name} can expect about {amount} less.", **given)]


def _difference(found: Difference, seat: int, voice: Voice[Any]) -> str:
    given = {
        "name": voice.name(found.seat),
        "amount": voice.written_score(rounded(abs(found.amount))),
        "source": found.labels[LANGUAGES.index(voice.words.language)],
    }
    if found.spent and found.seat == seat:
        return voice._("It costs about {amount} less ({source}).", **given)
    if found.spent:
        return voice._("{name} pays about {amount} more ({source}).", **given)
    if found.seat == seat:
        return voice._("It brings about {amount} more ({source}).", **given)
    return voice._("{name} gets about {amount} less ({source}).", **given)


def worth_of(verdict: Verdict, voice: Voice[Any]) -> str:
    """What the better action would have gained."""
    amount = voice.written_score(rounded(verdict.cost))
    if verdict.chance >= 0.01:
        return voice.ngettext(
            "about {amount} better, chance to win {n} point higher",
            "about {amount} better, chance to win {n} points higher",
            round(100 * verdict.chance),
            amount=amount,
        )
    return voice._("about {amount} better", amount=amount)


def luck_of(player: Player, voice: Voice[Any]) -> str:
    """What luck in draws was worth to a player, and how sure that is."""
    if player.luck is None:
        return "–"
    luck = voice.difference(round(player.luck))
    error = round(player.luck_error)
    return f"{luck} ± {voice.written_score(error)}" if error else luck


def turned(turn: Turn, voice: Voice[Any]) -> str:
    """What a turning point changed, and whether luck had a part in it."""
    sentence = voice._(
        "For {name} the chance to win goes from {before} to {after} %.",
        name=voice.name(turn.seat),
        before=round(100 * turn.before),
        after=round(100 * turn.after),
    )
    luck = round(100 * turn.luck)
    if abs(luck) < 3:
        return sentence
    # Whatever the decision itself was worth: its draws may have done more than all of the change, or the opposite.
    if luck > 0:
        drawn = voice._(
            "The draw was lucky: it made the chance {points} points higher.", points=luck
        )
    else:
        drawn = voice._(
            "The draw was unlucky: it made the chance {points} points lower.", points=-luck
        )
    return f"{sentence} {drawn}"
