"""The findings of a review and of a hint in words."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean
from typing import Any

from kursbuch.bots.bot import others
from kursbuch.bots.estimates import rounded
from kursbuch.bots.review.games import Lucky, Player, Turn
from kursbuch.bots.review.positions import Cause, Verdict
from kursbuch.core.voice import Voice


def reasons(verdict: Verdict, voice: Voice[Any]) -> list[str]:
    """Why the better line is better: what differs between the two continuations most, and who gains by the move
    played."""
    if verdict.better is None:
        return []
    if not verdict.better.results:
        return [
            voice._("It is worth more in the long run, counting track, trains and share prices.")
        ]
    changes = [
        now - then for now, then in zip(verdict.better.results, verdict.played.results, strict=True)
    ]
    found = [sentence for cause in verdict.causes if (sentence := _cause(cause, voice))]
    if all(cause.seat is None for cause in verdict.causes):
        found += _expected(changes, verdict.seat, voice)
    return [*found, *_gainer(changes, verdict, voice)]


def _cause(cause: Cause, voice: Voice[Any]) -> str:
    """A difference in words: money of a player, or a count."""
    what = voice.tallied(cause.key)
    if cause.seat is not None:
        amount = rounded(abs(cause.better - cause.played))
        if not amount:
            return ""
        given = {
            "name": voice.name(cause.seat),
            "amount": voice.written_score(amount),
            "what": what,
        }
        more = cause.better > cause.played
        if max(cause.better, cause.played) <= 0:
            if more:
                return voice._("{name} pays about {amount} less: {what}.", **given)
            return voice._("{name} pays about {amount} more: {what}.", **given)
        if more:
            return voice._("{name} gets about {amount} more: {what}.", **given)
        return voice._("{name} gets about {amount} less: {what}.", **given)
    better, played = (_count(mean, voice) for mean in (cause.better, cause.played))
    if better == played:
        return ""
    what = what[:1].upper() + what[1:]
    return voice._("{what}: {better} instead of {played}.", what=what, better=better, played=played)


def _count(number: float, voice: Voice[Any]) -> str:
    """A mean count: whole where it is large or nearly whole."""
    whole = round(number)
    if abs(number) >= 10 or abs(number - whole) < 0.05:
        return voice.number(whole)
    return f"{number:.1f}".replace(".", "," if voice.words.language == "de" else ".")


def _expected(changes: Sequence[float], seat: int, voice: Voice[Any]) -> list[str]:
    """Whose expected result changes most in favour of a seat."""
    own = rounded(changes[seat])
    rest = rounded(mean(others(changes, seat) or [0.0]))
    if own > 0 and rest > 0:
        return [
            voice._(
                (
                    "After this, {name} can expect about {amount} more, and the others "
                    "about {rest} more on average."
                ),
                name=voice.name(seat),
                amount=voice.written_score(own),
                rest=voice.written_score(rest),
            )
        ]
    most = max(
        range(len(changes)),
        key=lambda each: changes[each] if each == seat else -changes[each],
    )
    amount = rounded(changes[most])
    if not amount:
        return []
    given = {"name": voice.name(most), "amount": voice.written_score(abs(amount))}
    if amount > 0:
        return [voice._("After this, {name} can expect about {amount} more.", **given)]
    return [voice._("After this, {name} can expect about {amount} less.", **given)]


#: Share of the cost from which another player counts as gaining by a move.
GAINED = 0.5


def _gainer(changes: Sequence[float], verdict: Verdict, voice: Voice[Any]) -> list[str]:
    """Which other player the move played helps most, if one stands out."""
    seats = [seat for seat in range(len(changes)) if seat != verdict.seat]
    most = min(seats, key=changes.__getitem__, default=None)
    if most is None or -changes[most] < GAINED * verdict.cost:
        return []
    return [
        voice._(
            "The move helps {name} most: about {amount} more.",
            name=voice.name(most),
            amount=voice.written_score(rounded(-changes[most])),
        )
    ]


def worth_of(verdict: Verdict, voice: Voice[Any]) -> str:
    """Gain of the better line."""
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
    """A player's luck in draws with its error."""
    if player.luck is None:
        return "–"
    luck = voice.difference(round(player.luck))
    error = round(player.luck_error)
    return f"{luck} ± {voice.written_score(error)}" if error else luck


def turned(turn: Turn, voice: Voice[Any]) -> str:
    """What a turning point changed for the player who decided."""
    verdict, seat = turn.verdict, turn.seat
    assert verdict.rival is not None
    return voice._(
        "The chance that {name} wins is {after} % after this move; the alternative would have made it {before} %.",
        name=voice.name(seat),
        after=round(100 * verdict.played.chances[seat]),
        before=round(100 * verdict.rival.chances[seat]),
    )


def lucky(found: Lucky, voice: Voice[Any]) -> str:
    """What a draw changed."""
    given = {
        "name": voice.name(found.seat),
        "before": round(100 * found.before),
        "after": round(100 * found.after),
    }
    if found.after > found.before:
        return voice._(
            "A lucky draw for {name}: the chance to win goes from {before} to {after} %.", **given
        )
    return voice._(
        "An unlucky draw for {name}: the chance to win goes from {before} to {after} %.", **given
    )
