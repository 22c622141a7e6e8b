"""The chain of hashes over a game: each comes from the one before it and a move, the first from the header.

The hash of a position stands for everything that led to it. What players keep secret is in it, too, so it is
made with a salt that comes from the seed: without the salt a secret cannot be found by trying out what would
give the same hash. docs/records.md describes it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence

#: What the first hash begins with: another way to make the chain would have another number.
HEADING = "Kursbuch chain 1"

#: So many digits of a hash are enough to find what was changed. That something was, the head says.
CHECK_DIGITS = 4

#: So many digits of a head prove something: more than a forger can try.
LEAST_DIGITS = 16


def salt_of(seed: str) -> str:
    """The salt that comes from a seed. It does not tell the seed.

    >>> salt_of("7")[:16]
    '74920179f9342e92'
    """
    return hashlib.sha256(f"kursbuch salt {seed}".encode()).hexdigest()


def check_of(field: str, value: str) -> str:
    """The first digits of the hash of a line of a header."""
    return hashlib.sha256(f"{field}: {value}".encode()).hexdigest()[:CHECK_DIGITS]


class Chain:
    """The hashes of a game so far: after n moves it is `states[n]`. What is shown is not these, but heads."""

    def __init__(self, salt: str, beginning: str, states: Sequence[str] = ()) -> None:
        self._salt = salt.encode()
        self.states = list(states) or [self._next("", f"{HEADING}\n{beginning}")]

    def _next(self, before: str, text: str) -> str:
        return hmac.digest(self._salt, f"{before}\n{text}".encode(), "sha256").hex()

    def add(self, move: str) -> None:
        """Go on with the text of a move."""
        self.states.append(self._next(self.states[-1], move))

    def first(self, number: int) -> Chain:
        """The chain of the first so many moves."""
        chain = Chain.__new__(Chain)
        chain._salt = self._salt
        chain.states = self.states[: number + 1]
        return chain

    def head(self, number: int, names: Iterable[str], rewound: int = 0) -> str:
        """What is published after so many moves, with the players' names. With `rewound` it is not the same as
        it was before moves were taken back, even if the same moves were made again."""
        text = "\n".join((f"kursbuch head {self.states[number]}", *names))
        if not rewound:
            return hashlib.sha256(text.encode()).hexdigest()
        digest = hashlib.sha256(f"{text}\nrewound {rewound}".encode()).hexdigest()
        return f"{digest}-{rewound}"

    def checks(self) -> list[str]:
        """The first digits of every hash."""
        return [state[:CHECK_DIGITS] for state in self.states]


def checks_of(fields: Mapping[str, str]) -> dict[str, str]:
    """The first digits of the hash of every line of a header."""
    return {field: check_of(field, value) for field, value in fields.items()}
