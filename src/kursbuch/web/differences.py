"""What is new in a text that was sent before: what stays is only named."""

from __future__ import annotations

from collections.abc import Sequence

#: How to make a text of an earlier one: two numbers stand for so many of its pieces from the one with the first
#: number on, a text for one or more new pieces.
Script = list[int | str]


def script(old: Sequence[str], new: Sequence[str], joint: str) -> Script:
    """How to make a text of another one; both were split at `joint`, which new pieces are joined by.

    >>> script(["a", "b", "c", "d"], ["a", "x", "y", "c", "d"], "-")
    [0, 1, 'x-y', 2, 2]
    >>> script([], ["a", "b"], "-"), script(["a"], ["a"], "-")
    (['a-b'], [0, 1])
    """
    most = min(len(old), len(new))
    start = next((n for n in range(most) if old[n] != new[n]), most)
    same = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
    old_end, new_end = len(old) - same, len(new) - same
    steps: Script = [0, start] if start else []
    if start < new_end:
        steps += _between(old[:old_end], new[start:new_end], start, joint)
    if same:
        steps += [old_end, same]
    return steps


def _between(old: Sequence[str], new: Sequence[str], start: int, joint: str) -> Script:
    """The same where the first and the last piece are new; nothing before `start` is looked at."""
    places = {piece: place for place, piece in enumerate(old[start:], start)}
    steps: Script = []
    fresh: list[str] = []
    at, here = start, 0
    while here < len(new):
        piece = new[here]
        # What comes next in the old text is likelier than the same piece elsewhere.
        place = at if at < len(old) and old[at] == piece else places.get(piece)
        if place is None:
            fresh.append(piece)
            at += 1
            here += 1
            continue
        if fresh:
            steps.append(joint.join(fresh))
            fresh = []
        at, begin = place, here
        while here < len(new) and at < len(old) and new[here] == old[at]:
            at += 1
            here += 1
        steps += [place, here - begin]
    if fresh:
        steps.append(joint.join(fresh))
    return steps


def patched(old: Sequence[str], steps: Script, joint: str) -> list[str]:
    """The pieces of the text that a script makes; as `patched` in the scripts of the page."""
    made: list[str] = []
    numbers: list[int] = []
    for step in steps:
        if isinstance(step, str):
            made += step.split(joint)
        else:
            numbers.append(step)
            if len(numbers) == 2:
                place, count = numbers
                made += old[place : place + count]
                numbers = []
    return made
