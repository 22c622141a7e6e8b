"""One game between computer opponents: what is to be played, and how it went.

Both are plain data, and `play_game` needs nothing else, so that a game can be played in any process of
any machine with the same result.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

import msgspec

from kursbuch.bots import specifications
from kursbuch.bots.base import Bot, volunteered
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.registry import title_with_data

MOST_MOVES = 100_000

#: Makes the bot that sits in a game, from its specification and its seed.
Seating = Callable[[Game, str, int], Bot]


class Task(msgspec.Struct, frozen=True):
    """One game to be played: `bots` are specifications in the order of the seats."""

    number: int
    title: str
    seed: str
    options: dict[str, str]
    #: The content of a file with corrected component data.
    data: bytes | None
    bots: tuple[str, ...]


class Outcome(msgspec.Struct, frozen=True):
    """How a game went, everything but `moves` by seat. `error` is empty for one that was finished."""

    number: int
    bots: tuple[str, ...]
    moves: int
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    #: How often each seat had something to decide, and how many seconds it computed in all.
    decisions: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()
    error: str = ""


def derived_seed(*parts: object) -> int:
    """A seed that depends on all of these, for bots; the same on every machine."""
    text = "bot " + " ".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def new_game(task: Task) -> Game:
    """The game of a task before its first move."""
    title = title_with_data(task.title, task.data)
    names = [f"{spec}-{seat}" for seat, spec in enumerate(task.bots, 1)]
    return Game(title, names, task.options, seed=task.seed)


def seated(game: Game, spec: str, seed: int) -> Bot:
    """The bot of a specification."""
    return specifications.make(spec, seed)


def play_game(task: Task, seating: Seating = seated) -> Outcome:
    """Play one game to its end. Bots without a time limit play the same game every time."""
    count = len(task.bots)
    moves, decisions, seconds = 0, [0] * count, [0.0] * count
    try:
        game = new_game(task)
        bots = [
            seating(game, spec, derived_seed(task.seed, seat))
            for seat, spec in enumerate(task.bots)
        ]
        while not game.over:
            if moves >= MOST_MOVES:
                raise KursbuchError("The game does not end: {moves} moves.", moves=moves)
            action = volunteered(game, dict(enumerate(bots)))
            if action is None:
                seat = game.pending[0].seat
                started = time.thread_time()
                action = bots[seat].choose(game.view(seat))
                seconds[seat] += time.thread_time() - started
                decisions[seat] += 1
            game.apply(action)
            moves += 1
        result = game.result
        assert result is not None
    except Exception as error:
        # Whatever goes wrong in one game must not stop the others; it is counted and reported.
        what = f"game {task.number + 1}, move {moves + 1}: {type(error).__name__}: {error}"
        return Outcome(task.number, task.bots, moves, error=what)
    return Outcome(
        task.number,
        task.bots,
        moves,
        result.scores,
        result.winners,
        tuple(decisions),
        tuple(round(spent, 4) for spent in seconds),
    )
