"""A game: its moves, its positions and the views of its players."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import Any

import msgspec

from kursbuch.core import chance as chances
from kursbuch.core import corrections
from kursbuch.core.actions import Action, Choice
from kursbuch.core.chance import Chance, ContinuedChance, SeededChance
from kursbuch.core.corrections import Correct
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.events import Event, visible_to
from kursbuch.core.play import Play
from kursbuch.core.position import Position
from kursbuch.core.record_format import (
    Chain,
    Checks,
    Copied,
    Former,
    Header,
    checks_of,
    draw_lines,
    salt_for,
    write,
)
from kursbuch.core.state import Decision
from kursbuch.core.title import Result, Title
from kursbuch.core.words import catalogue


class Reading(msgspec.Struct, frozen=True):
    """Public figures of a position for charts: each seat's worth and the levels (`Title.worth`, `Title.levels`)."""

    worth: tuple[int | None, ...]
    levels: dict[str, int]


#: Number of moves between stored states; the others are replayed.
SNAPSHOT_EVERY = 10
MAX_NAME = 40
MAX_SEED = 200

#: Maximum length of a line that can be a move.
MAX_LINE = 1000


class Move(msgspec.Struct, frozen=True, gc=False):
    """An applied action with its effects."""

    action: Action
    #: All resulting events, including automatic steps and secret events.
    events: tuple[Event, ...]
    #: The draws made: value (from 0) and number of outcomes.
    draws: tuple[tuple[int, int], ...]
    #: Edition of the rules it was made under (docs/records.md).
    edition: int


class View:
    """A game as one seat (None: a spectator) may see it. Bots and pages use nothing else."""

    #: The title being played.
    title: Title[Any]
    #: The state without hidden information. Read-only: it may be the game's own state if nothing is hidden.
    state: Any
    #: The seat whose view it is; None for a spectator.
    seat: int | None
    #: Player names by seat.
    names: tuple[str, ...]

    def __init__(
        self, title: Title[Any], state: Any, seat: int | None, names: tuple[str, ...]
    ) -> None:
        self.title = title
        self.state = state
        self.seat = seat
        self.names = names

    def _position(self) -> Position[Any]:
        # Read-only: the state may be the game's own.
        return Position(self.title, self.state, _NoChance())

    @property
    def pending(self) -> tuple[Decision, ...]:
        """The pending decisions."""
        return self._position().pending()

    def deciders(self) -> tuple[int, ...]:
        """Seats that must decide now."""
        return self._position().deciders()

    def legal_actions(self) -> list[Choice]:
        """Legal choices of the viewer."""
        return [] if self.seat is None else self._position().legal_actions(self.seat)

    def at_random(self, rng: random.Random) -> Choice:
        """A random one of the viewer's `legal_actions` (`Position.at_random`)."""
        assert self.seat is not None
        return self._position().at_random(self.seat, rng)

    def determinize(self, rng: random.Random) -> Position[Any]:
        """A complete position consistent with the view, independent of the game. Hidden information is guessed, and
        draws come from a new seed."""
        state = self.title.determinize(self.title.clone(self.state), self.seat, rng)
        return Position(self.title, state, SeededChance(str(rng.getrandbits(64))))


class _NoChance:
    def draw(self, counter: int, sides: int) -> int:
        raise AssertionError("a view cannot draw: determinize it first")


def reveals(title: Title[Any], draws: Sequence[tuple[int, int]], events: Sequence[Event]) -> bool:
    """Whether a move with these draws and events revealed something that was unknown before."""
    return bool(
        draws or any(event.secret_to is not None for event in events) or title.shows(events)
    )


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """Normalise and check player names; `KursbuchError` for an invalid one.

    >>> check_names([" Anna ", "Bernd"])
    ('Anna', 'Bernd')
    """
    cleaned: list[str] = []
    for given in names:
        name = " ".join(unicodedata.normalize("NFC", given).split())
        if not name:
            raise KursbuchError("A player's name must not be empty.")
        if len(name) > MAX_NAME:
            raise KursbuchError(
                "The name {name} is too long; at most {most} characters are possible.",
                name=name[:MAX_NAME] + "…",
                most=MAX_NAME,
            )
        if corrections.is_correction(f"{name} -"):
            raise KursbuchError("A player cannot be called {name}.", name=name)
        if any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn") for char in name):
            raise KursbuchError(
                "The name {name} contains characters that cannot be shown.", name=repr(name)
            )
        if name.casefold() in (other.casefold() for other in cleaned):
            raise KursbuchError("Two players cannot both be called {name}.", name=name)
        cleaned.append(name)
    return tuple(cleaned)


def check_seed(seed: str) -> str:
    """Check that a seed fits on a line of a record.

    >>> check_seed("7")
    '7'
    """
    if not seed or seed != seed.strip() or not seed.isprintable() or len(seed) > MAX_SEED:
        raise KursbuchError(
            "A seed has 1 to {most} printable characters without a space at either end.",
            most=MAX_SEED,
        )
    return seed


def check_edition(title: Title[Any], edition: int) -> int:
    """Check that this program knows an edition of the rules."""
    if not 1 <= edition <= title.edition:
        raise KursbuchError(
            "The game was played under edition {edition} of the rules of {title}; "
            "only editions 1 to {known} are known here.",
            edition=edition,
            title=title.name,
            known=title.edition,
        )
    return edition


class Game:
    """A game in progress or finished, with its history. Created by `kursbuch.new` and `kursbuch.load`.

    >>> import kursbuch
    >>> game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
    >>> [(game.names[decision.seat], decision.step) for decision in game.pending]
    [('Anna', 'turn')]
    """

    #: The title being played, with this game's component data.
    title: Title[Any]
    #: Player names by seat.
    names: tuple[str, ...]
    #: All options of the title with their values.
    options: dict[str, str]
    #: Edition of the rules it began under; new games use the newest (docs/records.md).
    edition: int
    #: Seed of all draws, secret during the game; None if the record omits it.
    seed: str | None
    #: Hash of the seed, public from the start.
    seed_hash: str
    #: The games its first moves were copied from, earliest first; empty if there are none. Later draws come from its
    #: own seed.
    copied: tuple[Copied, ...]
    #: Salt of the hash chain (docs/records.md), derived from the seed and as secret; None if the record omits both.
    salt: str | None
    #: Former names of seats, in the order they changed.
    former: tuple[Former, ...]
    #: Events of the set-up, before the first move.
    opening: tuple[Event, ...]
    #: Draws of the set-up: value (from 0) and number of outcomes.
    opening_draws: tuple[tuple[int, int], ...]
    #: The moves so far; move number n of a record is `moves[n - 1]`.
    moves: list[Move]
    #: The position after the last move.
    position: Position[Any]
    #: Encoded states by number of moves; states in between are replayed.
    states: dict[int, bytes]

    def __init__(
        self,
        title: Title[Any],
        names: Sequence[str],
        options: Mapping[str, str] | None = None,
        *,
        seed: str | None = None,
        seed_hash: str | None = None,
        chance: Chance | None = None,
        edition: int | None = None,
        copied: Sequence[Copied] = (),
        salt: str | None = None,
        former: Sequence[Former] = (),
    ) -> None:
        title.check_seats(len(names))
        self.title = title
        self.edition = title.edition if edition is None else check_edition(title, edition)
        self.names = check_names(names)
        self.options = title.option_values(options or {})
        if seed is None and (seed_hash is None or chance is None):
            raise ValueError("a game needs a seed, or the hash of one and its draws")
        self.seed = None if seed is None else check_seed(seed)
        self.seed_hash = chances.commitment(seed) if seed is not None else str(seed_hash)
        self.copied = tuple(copied)
        self.salt = salt if seed is None else salt_for(seed)
        self.former = tuple(former)
        self._chain: Chain | None = None
        source = chance or SeededChance(str(seed))
        self.position = Position(title, title.setup(len(names), self.options), source)
        self.position.edition = self.edition
        play: Play[Any] = Play(self.position.state, source, title.rules.stated)
        self.position.run(play)
        self.opening = tuple(play.events)
        self.opening_draws = tuple(play.draws)
        self.moves = []
        self._readings: list[Reading] = []
        self.states = {0: title.encode(self.position.state)}

    # ---- state of play

    @property
    def state(self) -> Any:
        """The complete state. Use `view` for what a player may see."""
        return self.position.state

    @property
    def pending(self) -> tuple[Decision, ...]:
        """The pending decisions; empty when the game is over."""
        return self.position.pending()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.position.over

    @property
    def result(self) -> Result | None:
        """The result; None during the game."""
        return self.position.result

    def legal_actions(self, seat: int) -> list[Choice]:
        """Exactly what the seat may do now; empty if nothing. A choice with a range of amounts stands for one action
        per amount.

        >>> import kursbuch
        >>> game = kursbuch.new("dice", players=["Anna", "Bernd"], seed=7)
        >>> [game.format(choice.action) for choice in game.legal_actions(0)][:2]
        ['Anna rolls 0 and 1 ?', 'Anna rolls 0 and 2 ?']
        >>> game.legal_actions(1)
        []
        """
        return self.position.legal_actions(seat)

    def view(self, seat: int | None = None) -> View:
        """The game as that seat (None: a spectator) may see it.

        >>> import kursbuch
        >>> game = kursbuch.new("nimm", players=["Anna", "Bernd"], seed=7)
        >>> money = game.view(seat=0).state.ledger.items["money"]
        >>> "0" in money, "1" in money
        (True, False)
        """
        return View(self.title, self.title.view(self.state, seat), seat, self.names)

    def events(
        self, seat: int | None = None, start: int = 0, *, reveal: bool | None = None
    ) -> Iterator[tuple[int, Event]]:
        """Events from move `start` on that the viewer may see, each with its move number (0: the set-up).
        When the game is over, all events are visible; `reveal` overrides this.

        >>> import kursbuch
        >>> game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
        >>> voice = game.title.voice(kursbuch.Words("en", game.names))
        >>> [(number, voice.describe(event)) for number, event in game.events()]
        [(0, 'Anna is chosen at random to start.')]
        """
        shown = self.over if reveal is None else reveal
        for event in self.opening if start <= 0 else ():
            if shown or visible_to(event, seat):
                yield 0, event
        first = min(max(start, 1), len(self.moves) + 1)
        for number, move in enumerate(islice(self.moves, first - 1, None), first):
            for event in move.events:
                if shown or visible_to(event, seat):
                    yield number, event

    @property
    def readings(self) -> list[Reading]:
        """Figures of all positions so far for charts; `readings[n]` is after n moves. Secret during the game, like
        `state`. Missing ones are replayed."""
        first = len(self._readings)
        if first < len(self.moves):
            position = self.at(first)
            for move in self.moves[first:]:
                self._read(position.state)
                position.edition = move.edition
                position.perform(move.action)
        self.record_reading()
        return self._readings

    def record_reading(self) -> None:
        """Store the figures of the current position, if all earlier ones are stored; this avoids a replay later."""
        if len(self._readings) == len(self.moves):
            self._read(self.state)

    def _read(self, state: Any) -> None:
        # Most moves change none of them, so share the object.
        reading = Reading(self.title.worth(state), self.title.levels(state))
        same = bool(self._readings) and self._readings[-1] == reading
        self._readings.append(self._readings[-1] if same else reading)

    # ---- moves

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Perform an action and all automatic steps after it; return the events. `IllegalAction` names the violated
        rule and leaves the game unchanged.

        >>> import kursbuch
        >>> game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
        >>> game.apply(game.parse("Anna takes Manchester"))
        (TokenTaken(rule='token-1', secret_to=None, seat=0, metropolis='Manchester'),)
        >>> game.apply(game.parse("Anna extends GWR to D13"))
        Traceback (most recent call last):
            ...
        kursbuch.core.errors.IllegalAction: D13 is not next to the locomotive of GWR.
        """
        events = self._play(action)
        self.adopt_newest_edition()
        return events

    def replay(self, action: Action, edition: int) -> tuple[Event, ...]:
        """Perform an action made under an earlier edition of the rules."""
        self.position.edition = check_edition(self.title, edition)
        return self._play(action)

    def adopt_newest_edition(self) -> None:
        """Continue under the newest edition of the rules. Call this after a replay: past moves stay, later ones
        follow the corrected rules."""
        self.position.adopt_newest_edition()

    def _play(self, action: Action) -> tuple[Event, ...]:
        self.position.check(action, self.names)
        try:
            play = self.position.perform(action)
        except KursbuchError:
            # A draw missing from a record without a seed, or endless steps: restore the position.
            self.position = self.at(len(self.moves))
            raise
        return self._made(action, play, self.position.edition)

    def accept_move(
        self, position: Position[Any], action: Action, play: Play[Any], edition: int
    ) -> None:
        """Take over a move performed on a copy of the position; the copy becomes the game's position."""
        self.position = position
        self._made(action, play, edition)

    def _made(self, action: Action, play: Play[Any], edition: int) -> tuple[Event, ...]:
        self.moves.append(Move(action, tuple(play.events), tuple(play.draws), edition))
        if len(self.moves) % SNAPSHOT_EVERY == 0:
            self.states[len(self.moves)] = self.title.encode(self.state)
        return self.moves[-1].events

    def restore(
        self,
        state: Any,
        moves: Sequence[Move],
        readings: Sequence[Reading],
        states: Mapping[int, bytes],
    ) -> None:
        """Restore the history of a game with the same beginning (`replay_cache.py`)."""
        self.position.state = state
        self.moves = list(moves)
        self._readings = list(readings)
        self._chain = None
        self.states.update(states)

    def at(self, number: int) -> Position[Any]:
        """An independent position after `number` moves, under the edition of the move that follows."""
        if not 0 <= number <= len(self.moves):
            raise KursbuchError(
                "There is no move number {number}; the game has {moves}.",
                number=number,
                moves=len(self.moves),
            )
        start = max(kept for kept in self.states if kept <= number)
        state = self.title.decode(self.states[start])
        position = Position(self.title, state, self.position.chance)
        for count, move in enumerate(self.moves[start:number], start + 1):
            position.edition = move.edition
            position.perform(move.action)
            if count % SNAPSHOT_EVERY == 0:
                self.states[count] = self.title.encode(position.state)
        later = self.moves[number:]
        position.edition = later[0].edition if later else self.position.edition
        return position

    def rewind(self, number: int) -> None:
        """Return to the position after `number` moves and drop the later ones."""
        self.position = self.at(number)
        self.adopt_newest_edition()
        del self.moves[number:], self._readings[number + 1 :]
        self.states = {kept: data for kept, data in self.states.items() if kept <= number}
        self._chain = self._chain and self._chain.first(number)
        self._reset_chance()

    def branch(self, number: int) -> Game:
        """An independent game with the first `number` moves."""
        game = copy(self)
        game.position = self.at(number)
        game.moves = self.moves[:number]
        game._readings = self._readings[: number + 1]
        game._chain = self._chain and self._chain.first(number)
        game.states = {kept: data for kept, data in self.states.items() if kept <= number}
        game._reset_chance()
        return game

    def _reset_chance(self) -> None:
        """Draw from the game's own seed again where copied moves are gone."""
        number = len(self.moves)
        if self.copied and number < self.copied[-1].moves:
            self.copied = _first(self.copied, number)
            self._chain = None
            if self.seed is not None:
                self.position.chance = ContinuedChance(self.draws(), self.seed)

    def play_on(self, number: int, seed: str) -> Game:
        """An independent game with the first `number` moves whose later draws come from another seed.

        >>> import kursbuch
        >>> game = kursbuch.new("dice", players=["Anna", "Bernd"], seed=7)
        >>> events = game.apply(game.legal_actions(0)[0].action)
        >>> copy = game.play_on(1, seed="8")
        >>> copy.state == game.state, copy.seed_hash == game.seed_hash
        (True, False)
        >>> copy.copied == (kursbuch.Copied(1, game.seed_hash),)
        True
        """
        game = self.branch(number)
        game.seed = check_seed(seed)
        game.seed_hash = chances.commitment(seed)
        game.salt, game.former, game._chain = salt_for(seed), (), None
        game.copied = _first(self.copied, number)
        if not game.copied or game.copied[-1].moves < number:
            game.copied += (Copied(number, self.seed_hash),)
        game.position.chance = ContinuedChance(game.draws(), seed)
        game.adopt_newest_edition()
        return game

    def has_shown(self, number: int) -> bool:
        """Whether a move after the first `number` revealed chance or secrets. A player who takes such a move back has
        learned something."""
        return any(reveals(self.title, move.draws, move.events) for move in self.moves[number:])

    def undo(self) -> None:
        """Take back the last move; `KursbuchError` if there is none."""
        if not self.moves:
            raise KursbuchError("There is no move to undo.")
        self.rewind(len(self.moves) - 1)

    # ---- text

    def format(self, action: Action) -> str:
        """Format an action with the player's name (docs/notation.md)."""
        if isinstance(action, Correct):
            return corrections.written(self.title.corrections, action)
        return f"{self.names[action.seat]} {self.title.format(action)}"

    def parse(self, line: str, language: str = "en") -> Action:
        """Parse a line such as "Anna takes Manchester", in a language or in English; `KursbuchError` if it cannot be
        read. The action need not be legal."""
        if len(line) > MAX_LINE:
            raise KursbuchError("A move can have at most {most} characters.", most=MAX_LINE)
        words = unicodedata.normalize("NFC", line).split()
        if corrections.is_correction(" ".join(words)):
            return self.parse_correction(" ".join(words), language)
        folded = [word.casefold() for word in words]
        found = [
            (len(name_words), seat)
            for seat, name in enumerate(self.names)
            if (name_words := name.casefold().split()) == folded[: len(name_words)]
        ]
        if not found:
            raise KursbuchError(
                "The move {line} does not begin with the name of a player ({names}).",
                line=repr(" ".join(words)[:80]),
                names=", ".join(self.names),
            )
        # One name may be a prefix of another: prefer the longest that leaves a move.
        found.sort(reverse=True)
        for length, seat in found[:-1]:
            try:
                return self.title.parse_in(language, " ".join(words[length:]), seat, self.state)
            except KursbuchError:
                continue
        length, seat = found[-1]
        return self.title.parse_in(language, " ".join(words[length:]), seat, self.state)

    def parse_correction(self, line: str, language: str = "en") -> Correct:
        """Parse a correction such as "money 50 from bank to Anna", with or without a leading "Correction:", in a
        language or in English. `KursbuchError` if it cannot be read; it need not be possible.

        >>> import kursbuch
        >>> game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
        >>> events = game.apply(game.parse_correction("money 1000 from bank to Anna"))
        >>> game.title.scores(game.state), game.format(game.moves[0].action)
        ((1000, 0), 'Correction: money 1000 from bank to player 1')
        """
        if len(line) > MAX_LINE:
            raise KursbuchError("A move can have at most {most} characters.", most=MAX_LINE)
        text = " ".join(unicodedata.normalize("NFC", line).split())
        return corrections.read(
            self.title.corrections, text, self.state, self.names, catalogue(language).gettext
        )

    def record(self, *, reveal: bool | None = None) -> str:
        """The record of the game (docs/records.md), which `kursbuch.load` reads. The seed is included once the game
        is over; `reveal` overrides this."""
        shown = self.over if reveal is None else reveal
        moves = ((self.format(move.action), move.draws, move.edition) for move in self.moves)
        checks = None if self.salt is None else self.checks(reveal=shown)
        return write(self._header(reveal=shown), self.opening_draws, moves, self.result, checks)

    def _header(self, *, reveal: bool) -> Header:
        """Header of the record, with the seed if `reveal` is true."""
        return Header(
            self.title.id,
            list(self.names),
            self.options,
            self.title.data_hash,
            self.seed_hash,
            self.seed if reveal else None,
            self.edition,
            self.copied,
            self.salt,
            self.former,
            {one.name for one in self.title.options if self.options[one.name] == one.values[0]},
        )

    # ---- hash chain

    def head(
        self, number: int | None = None, names: Sequence[str] | None = None, rewound: int = 0
    ) -> str | None:
        """Hash of everything up to `number` moves (default: all): the header, the names, every move and its draws. A
        head noted at the table proves that record later (docs/records.md); `kursbuch.verify` compares them. None if
        neither seed nor salt is known.

        `names` are the players of that time. `rewound` counts the moves taken back at a table with secrets, so that
        equal heads do not show that the same moves were repeated.

        >>> import kursbuch
        >>> game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
        >>> before = game.head()
        >>> events = game.apply(game.parse("Anna takes Manchester"))
        >>> game.head() == before, game.head(0) == before
        (False, True)
        """
        chain = self._linked()
        if chain is None:
            return None
        number = len(self.moves) if number is None else number
        return chain.head(number, self.names if names is None else names, rewound)

    def checks(self, *, reveal: bool) -> Checks:
        """The chain's checks for the record, with the seed if `reveal` is true."""
        chain = self._linked()
        if chain is None:
            raise ValueError("the salt of this game is not known")
        return Checks(
            len(self.moves),
            self.head(),
            checks_of(self._header(reveal=reveal).fields()),
            dict(enumerate(chain.checks())),
        )

    def _linked(self) -> Chain | None:
        """The chain up to the last move, extended incrementally."""
        if self.salt is None:
            return None
        if self._chain is None:
            header = self._header(reveal=False).beginning()
            lines = [f"{name}: {value}" for name, value in header.items()]
            lines.append(f"seats: {len(self.names)}")
            self._chain = Chain(self.salt, "\n".join((*lines, *draw_lines(self.opening_draws))))
        chain = self._chain
        for number in range(len(chain.states), len(self.moves) + 1):
            move = self.moves[number - 1]
            if isinstance(move.action, Correct):
                text = corrections.written(self.title.corrections, move.action)
            else:
                player = corrections.player(move.action.seat)
                text = f"{player} {self.title.format(move.action)}"
            edition = f"edition {move.edition}"
            chain.add("\n".join((f"{number}. {text}", edition, *draw_lines(move.draws))))
        return chain

    # ---- verification

    def draws(self) -> list[tuple[int, int]]:
        """All draws in order: (value, number of outcomes)."""
        return [*self.opening_draws, *(drawn for move in self.moves for drawn in move.draws)]

    def copied_draws(self) -> int:
        """Number of draws copied from other games, which do not come from this seed."""
        if not self.copied:
            return 0
        copied = self.moves[: self.copied[-1].moves]
        return len(self.opening_draws) + sum(len(move.draws) for move in copied)

    def verify_seed(self, seed: str) -> None:
        """Check a seed against its published hash and every draw that was not copied; `KursbuchError` if it does not
        fit."""
        if chances.commitment(seed) != self.seed_hash:
            raise KursbuchError("The seed does not match the hash published at the start.")
        own = self.copied_draws()
        for number, (value, sides) in enumerate(self.draws()[own:], own):
            if chances.draw(seed, number, sides) != value:
                raise chances.WrongDraw(number, "Draw number {number} does not come from the seed.")


def _first(copied: Sequence[Copied], number: int) -> tuple[Copied, ...]:
    """The copies that remain after going back to `number` moves."""
    kept: list[Copied] = []
    for part in copied:
        kept.append(Copied(min(part.moves, number), part.seed_hash))
        if part.moves >= number:
            break
    return tuple(kept)


def refusal(error: KursbuchError) -> str:
    """The rule reference of an error, or an empty text."""
    return error.reference if isinstance(error, IllegalAction) else ""
