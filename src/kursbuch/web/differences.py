"""What is new in a text that was sent before: what stays is only named."""

from __future__ import annotations

from collections.abc import Sequence

#: How to make a text of an earlier one: two numbers stand for so many of its pieces from the one with the first
#: number on, a text for one or more new pieces.
Script = list[int | str]

#: So many pieces are compared at once; after so many new ones the next is looked for everywhere.
BLOCK, AFTER = 32, 3


def script(old: Sequence[str], new: Sequence[str], joint: str) -> Script:
    """How to make a text of another one; both were split at `joint`, which new pieces are joined by.

    >>> script(["a", "b", "c", "d"], ["a", "x", "y", "c", "d"], "-")
    [0, 1, 'x-y', 2, 2]
    >>> script([], ["a", "b"], "-"), script(["a"], ["a"], "-")
    (['a-b'], [0, 1])
    """
    start = _same(old, new, 0, 0)
    same = _same(old[start:][::-1], new[start:][::-1], 0, 0)
    old_end, new_end = len(old) - same, len(new) - same
    steps: Script = [0, start] if start else []
    if start < new_end:
        steps += _between(old[:old_end], new[start:new_end], start, joint)
    if same:
        steps += [old_end, same]
    return steps


def _same(old: Sequence[str], new: Sequence[str], at: int, here: int) -> int:
    """How many pieces are the same from these places on."""
    count = 0
    while True:
        one = old[at + count : at + count + BLOCK]
        other = new[here + count : here + count + BLOCK]
        if one != other:
            break
        count += len(one)
        if len(one) < BLOCK:
            return count
    for piece, another in zip(one, other, strict=False):
        if piece != another:
            break
        count += 1
    return count


def _between(old: Sequence[str], new: Sequence[str], start: int, joint: str) -> Script:
    """The same where the first and the last piece are new; nothing before `start` is looked at."""
    places: dict[str, int] = {}
    steps: Script = []
    fresh: list[str] = []
    at, here = start, 0
    while here < len(new):
        piece = new[here]
        # Most likely it is where it should be if every new piece stands for one that is gone.
        place: int | None = at
        if at >= len(old) or old[at] != piece:
            if not places and len(fresh) >= AFTER:
                places = dict(zip(old[start:], range(start, len(old)), strict=True))
            place = places.get(piece)
        if place is None:
            fresh.append(piece)
            at += 1
            here += 1
            continue
        if fresh:
            steps.append(joint.join(fresh))
            fresh = []
        count = _same(old, new, place, here)
        steps += [place, count]
        at, here = place + count, here + count
    if fresh:
        steps.append(joint.join(fresh))
    return steps
