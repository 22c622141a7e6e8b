"""`kursbuch check`: check that a title keeps the contract of titles.

Each check is a function of this module that raises an error for a problem; tests call the same functions.
"""

from __future__ import annotations

import importlib
import random
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from xml.etree import ElementTree

import click

from kursbuch.bots.bot import RandomBot
from kursbuch.cli.common import common_options, emit_json
from kursbuch.core import record, registry
from kursbuch.core.actions import Action
from kursbuch.core.corrections import NOBODY, Correct
from kursbuch.core.errors import KursbuchError, require
from kursbuch.core.events import Event
from kursbuch.core.game import Game
from kursbuch.core.title import Title
from kursbuch.core.voice import Voice
from kursbuch.core.words import LANGUAGES, N_, Words

NAMES = ("Anna", "Bernd", "Clara", "Dirk", "Eva", "Frieda", "Georg", "Hanna", "Ida", "Jan")

#: Maximum number of moves of a random game.
MOST_MOVES = 20_000

#: Maximum number of choices, and of cards, examined per position.
MOST_CHOICES = 8

#: Number of moves between examined positions.
EVERY = 20


class Outcome(NamedTuple):
    """Outcome of a check: `looked_at` counts the items examined, `problem` is empty if there is none."""

    name: str
    looked_at: int
    problem: str = ""


# ---- the title itself


def check_names(title: Title[Any]) -> int:
    """Check the ids, options and rules of a title."""
    require(
        bool(re.fullmatch(r"[a-z0-9][a-z0-9-]*", title.id)) and bool(title.name),
        "The title needs a name, and an id of small letters, digits and hyphens: {id}.",
        id=repr(title.id),
    )
    low, high = title.seats[0], title.seats[-1]
    require(0 < low <= high <= len(NAMES), "The title has an impossible number of players.")
    index = title.rules
    require(
        index.game.id == title.id,
        "The rule index is that of {other}, not of {title}.",
        other=repr(index.game.id),
        title=title.id,
    )
    for option in title.options:
        require(
            len(option.values) == len(option.labels) == len(set(option.values)) > 0,
            "The option {name} needs one label for each of its values.",
            name=option.name,
        )
        require(
            not option.rule or option.rule in index,
            "The option {name} cites the rule {rule}, which does not exist.",
            name=option.name,
            rule=repr(option.rule),
        )
    tags = [kind.__struct_config__.tag for kind in title.steps]
    require(len(set(tags)) == len(tags), "Two steps of the title have the same tag.")
    title.check()
    return len(list(index)) + len(title.options)


def option_sets(title: Title[Any]) -> Iterator[dict[str, str]]:
    """The default options, and each with every other value."""
    yield {}
    for option in title.options:
        for value in option.values[1:]:
            yield {option.name: value}


def check_data(title: Title[Any]) -> int:
    """Set up a game for every number of players and every value of an option."""
    count = 0
    for seats in title.seats:
        for options in option_sets(title):
            game = Game(title, NAMES[:seats], seed="1", options=options)
            state = title.encode(game.state)
            require(
                title.encode(title.decode(state)) == state,
                "The state of a new game with {seats} players is another one when it is read again.",
                seats=seats,
            )
            require(game.over or bool(game.pending), "A new game waits for no player.")
            count += 1
    return count


# ---- positions of a game


def check_notation(game: Game, rng: random.Random) -> int:
    """Format actions as notation and JSON and parse them back."""
    found = list(some_actions(game, rng))
    for action in found:
        check_round_trip(game, action)
    return len(found)


def check_round_trip(game: Game, action: Action) -> None:
    """Format an action as notation and JSON and parse it back."""
    text = game.format(action)
    require(
        game.parse(text) == action,
        "{text} is read as another action than the one it was written for.",
        text=repr(text),
    )
    data = game.title.action_to_json(action)
    require(
        game.title.action_from_json(data) == action,
        "The action {text} is another one when it is read from JSON.",
        text=repr(text),
    )


def some_actions(game: Game, rng: random.Random) -> Iterator[Action]:
    """Some legal actions, including the ends of amount ranges."""
    for decision in game.pending:
        choices = game.legal_actions(decision.seat)
        for choice in rng.sample(choices, min(MOST_CHOICES, len(choices))):
            if choice.amount is None:
                yield choice.action
            else:
                yield choice.with_amount(choice.amount.low)
                yield choice.with_amount(choice.amount.high)


def check_voice(game: Game, rng: random.Random) -> int:
    """Check all texts about a position, in every language."""
    count = 0
    for language in LANGUAGES:
        words = Words(language, game.names)
        voice: Voice[Any] = game.title.voice(words)
        count += all_said(spoken(game, voice, rng), language)
    return count


def spoken(game: Game, voice: Voice[Any], rng: random.Random) -> Iterator[tuple[str, str]]:
    """All texts about a position, each with its kind."""
    state = game.view(None).state
    for decision in game.pending:
        view = game.view(decision.seat)
        yield "prompt", voice.prompt(view.state, decision)
        choices = view.legal_actions()
        for choice in rng.sample(choices, min(MOST_CHOICES, len(choices))):
            pick = voice.pick(view.state, choice.action)
            yield "choice", pick.label
            yield "group of choices", pick.group
            voice.reason(view.state, choice.action)
            voice.compose(view.state, choice.action)
            voice.amounts(view.state, choice)
    for panel in voice.panels(state):
        yield "panel", panel.title
        yield from (("row of a panel", row.label) for row in panel.rows)
    for grid in voice.tables(state):
        yield "table", grid.title
        for row in grid.rows:
            require(
                len(row) == len(grid.head),
                "A row of the table {table} has another number of cells than its head.",
                table=repr(grid.title),
            )
    yield from (("summary", summary.title) for summary in voice.summaries(state))
    voice.status(state)
    drawn = game.title.draw(state, voice.words)
    keys = list(dict.fromkeys(re.findall(r'data-pick="([^"]+)"', drawn)))
    for key in rng.sample(keys, min(MOST_CHOICES, len(keys))):
        card = voice.card(state, key)
        if card is not None:
            yield "card", card.title
            yield from (("row of a card", row.label) for row in card.rows)
            for rule in card.rules:
                game.title.rules.find(game.title.rules.stated.get(rule, rule))


def all_said(texts: Iterable[tuple[str, str]], language: str) -> int:
    """Check that no text is empty or has an unfilled parameter."""
    count = 0
    for kind, text in texts:
        count += 1
        require(
            bool(text.strip()) and not re.search(r"\{[a-z_]+\}", text),
            "In the language {language} a {kind} reads {text}.",
            language=language,
            kind=kind,
            text=repr(text),
        )
    return count


def check_events(game: Game, events: Sequence[Event]) -> int:
    """Check the rules and log lines of events."""
    for event in events:
        require(
            event.rule in game.title.rules,
            "The event {event} cites the rule {rule}, which does not exist.",
            event=type(event).__name__,
            rule=repr(event.rule),
        )
    check_log(game, events)
    return len(events)


def check_log(game: Game, events: Sequence[Event]) -> None:
    """Check the log lines of events in every language."""
    for language in LANGUAGES:
        voice = game.title.voice(Words(language, game.names))
        all_said((("log line", voice.describe(event)) for event in events), language)


def check_drawing(game: Game, rng: random.Random) -> int:
    """Draw the board for a spectator and for a player."""
    seat = rng.randrange(len(game.names))
    for language, reader in zip(LANGUAGES, (None, seat), strict=False):
        words = Words(language, game.names)
        marks = game.title.marks(game.moves[-1].events) if game.moves else []
        ElementTree.fromstring(game.title.draw(game.view(reader).state, words, marks))
    return 2


def check_sheets(title: Title[Any]) -> int:
    """Check the drawings of pieces and the legend."""
    count = 0
    if title.pieces:
        ElementTree.fromstring(title.pieces)
        count += 1
    for language in LANGUAGES:
        for part in title.legend(Words(language, NAMES)):
            for sign in part.signs:
                ElementTree.fromstring(sign.drawing)
                require(bool(sign.meaning), "A sign of the legend has no meaning.")
                count += 1
    return count


def check_views(game: Game, rng: random.Random) -> int:
    """Check that views can be encoded, and that guessed positions look the same to their viewer."""
    title = game.title
    readers = (None, *range(len(game.names)))
    for reader in readers:
        view = game.view(reader)
        seen = title.encode(view.state)
        guess = view.determinize(rng)
        require(
            title.encode(title.view(guess.state, reader)) == seen,
            "A position guessed from the view of seat {seat} looks another way to that seat.",
            seat="–" if reader is None else reader + 1,
        )
        guess.pending()
    return len(readers)


CLOSELY: dict[str, Callable[[Game, random.Random], int]] = {
    "notation": check_notation,
    "voice": check_voice,
    "drawing": check_drawing,
    "views": check_views,
}


# ---- whole games


def check_game(
    title: Title[Any], seats: int, seed: int, look: Callable[[Game], object] = lambda _game: None
) -> Game:
    """Play a random game to the end and replay its record; `look` is called with every position."""
    rng = random.Random(f"{title.id} {seats} {seed}")
    game = Game(title, NAMES[:seats], seed=str(seed))
    totals = game.state.ledger.totals()
    while not game.over:
        look(game)
        seat = rng.choice(game.pending).seat
        action = RandomBot(rng.randrange(1 << 30)).choose(game.view(seat))
        problem = game.position.problem(action)
        require(
            problem is None,
            "An action that is offered is refused: {text} ({problem})",
            text=repr(game.format(action)),
            problem=str(problem),
        )
        check_events(game, game.apply(action))
        require(
            game.state.ledger.totals() == totals,
            "After {text} there is more or less of something than before.",
            text=repr(game.format(action)),
        )
        require(len(game.moves) < MOST_MOVES, "A random game has no end.")
    result = game.result
    require(
        result is not None and len(result.scores) == seats and bool(result.winners),
        "A finished game has no result for every player.",
    )
    again = record.read(game.record(), lambda _: title)
    require(
        again.state == game.state and again.moves == game.moves,
        "A record replays to another position.",
    )
    return game


def any_correction(game: Game, rng: random.Random) -> Correct | None:
    """A random correction with offered values; None if there are none."""
    kind = rng.choice(list(game.title.corrections))
    chosen: dict[str, str] = {}
    for field in kind.fields:
        if field.is_number:
            most = kind.most(game.state, field.name, chosen)
            if most < 1:
                return None
            chosen[field.name] = str(rng.randint(1, min(most, rng.choice((1, 3, 500)))))
        else:
            possible = kind.candidates(game.state, field.name, chosen)
            if not possible:
                return None
            chosen[field.name] = rng.choice(list(possible))
    return Correct(NOBODY, kind.name, tuple(chosen.values()), rng.choice(("", "Anna")))


def check_correction(game: Game, action: Correct, rng: random.Random) -> bool:
    """Try a correction and check the invariants, whether or not it is possible."""
    title = game.title
    before, totals = title.encode(game.state), game.state.ledger.totals()
    text = repr(game.format(action))
    check_round_trip(game, action)
    try:
        events = game.apply(action)
    except KursbuchError:
        require(
            title.encode(game.state) == before,
            "{text} is refused, but changes something.",
            text=text,
        )
        return False
    require(
        game.state.ledger.totals() == totals,
        "After {text} there is more or less of something than before.",
        text=text,
    )
    check_log(game, events)
    if rng.random() < 0.3:
        after = title.encode(game.state)
        game.undo()
        require(title.encode(game.state) == before, "{text} cannot be taken back whole.", text=text)
        game.apply(action)
        require(title.encode(game.state) == after, "{text} does not do the same twice.", text=text)
    return True


def check_corrections(title: Title[Any], seats: int, seed: int, often: float = 0.2) -> Game:
    """Play a random game with corrections to the end."""
    rng = random.Random(f"{title.id} {seats} {seed}")
    game = Game(title, NAMES[:seats], seed=str(seed))
    while not game.over:
        if title.corrections and rng.random() < often and len(game.moves) < 1500:
            action = any_correction(game, rng)
            if action is not None:
                check_correction(game, action, rng)
            continue
        require(len(game.moves) < MOST_MOVES, "A random game has no end.")
        seat = rng.choice(game.pending).seat
        game.apply(RandomBot(rng.randrange(1 << 30)).choose(game.view(seat)))
    require(
        record.read(game.record(), lambda _: title).state == game.state,
        "A record replays to another position.",
    )
    return game


# ---- the report


class Report:
    """Outcomes of all checks. A check ends with its first problem; the others continue."""

    def __init__(self, title: Title[Any], games: int, words: Words) -> None:
        self.title = title
        self.words = words
        self.counts: dict[str, int] = {}
        self.problems: dict[str, str] = {}
        with self.checking("names"):
            self.count("names", check_names(title))
        with self.checking("data"):
            self.count("data", check_data(title))
        with self.checking("drawing"):
            self.count("drawing", check_sheets(title))
        if "data" not in self.problems:
            for seats in dict.fromkeys((title.seats[0], title.seats[-1])):
                for seed in range(1, games + 1):
                    self.play(seats, seed)

    def play(self, seats: int, seed: int) -> None:
        """Play a game, examine its positions, and play another with corrections."""
        rng = random.Random(seed)

        def look(game: Game) -> None:
            self.count("games", 1)
            if len(game.moves) % EVERY:
                return
            for name, check in CLOSELY.items():
                if name not in self.problems:
                    with self.checking(name, f"{_where(seats, seed)}, move {len(game.moves)}"):
                        self.count(name, check(game, rng))

        if "games" not in self.problems:
            with self.checking("games", _where(seats, seed)):
                check_game(self.title, seats, seed, look)
        if self.title.corrections and "corrections" not in self.problems:
            with self.checking("corrections", _where(seats, seed)):
                self.count("corrections", len(check_corrections(self.title, seats, seed).moves))

    def count(self, name: str, more: int) -> None:
        """Count items examined by a check."""
        self.counts[name] = self.counts.get(name, 0) + more

    @contextmanager
    def checking(self, name: str, where: str = "") -> Iterator[None]:
        """Record the first problem of a check."""
        self.counts.setdefault(name, 0)
        try:
            yield
        except Exception as error:
            self.problems[name] = " ".join(
                filter(None, (_said(error, self.words), where and f"({where})"))
            )

    def outcomes(self) -> list[Outcome]:
        """The outcome of every check."""
        return [
            Outcome(name, count, self.problems.get(name, "")) for name, count in self.counts.items()
        ]


def _where(seats: int, seed: int) -> str:
    return f"{seats} players, seed {seed}"


def _said(error: Exception, words: Words) -> str:
    """An error as a sentence, with its location unless it is a `KursbuchError`."""
    if isinstance(error, KursbuchError):
        return error.text(words)
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = f"{type(error).__name__}: {error}".rstrip(": ")
    return f"{text} [{place.filename}:{place.lineno}]"


def find_title(name: str) -> Title[Any]:
    """Find a title by id, or as "package:NAME" if it is not installed."""
    module, colon, attribute = name.partition(":")
    if not colon:
        return registry.title(name)
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise KursbuchError(
            "The title {name} cannot be imported: {why}.", name=repr(name), why=str(error)
        ) from None
    require(isinstance(found, Title), "{name} is no title.", name=repr(name))
    title: Title[Any] = found
    return title


LABELS = {
    "names": N_("names, options and rules"),
    "data": N_("new games"),
    "games": N_("positions of random games"),
    "notation": N_("actions written and read"),
    "voice": N_("texts"),
    "drawing": N_("drawings"),
    "views": N_("views and guesses"),
    "corrections": N_("moves of games with corrections"),
}


@click.command("check")
@click.argument("title", metavar="TITLE")
@click.option(
    "--games",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="Random games with the fewest and with the most players.",
)
@common_options
def command(title: str, games: int, as_json: bool, words: Words) -> int:
    """Check a title: its rules, data, notation, texts, drawings, views and corrections.

    TITLE is the id of an installed title, or PACKAGE:NAME for one that is not installed.
    The exit code is 1 if a check fails.
    """
    found = Report(find_title(title), games, words).outcomes()
    failed = [outcome.name for outcome in found if outcome.problem]
    if as_json:
        emit_json({"title": title, "ok": not failed, "checks": [o._asdict() for o in found]})
        return 1 if failed else 0
    for name, count, problem in found:
        print(f"{'FAILED' if problem else 'ok':<8}{name:<14}{count:>7}  {words._(LABELS[name])}")
        if problem:
            print(f"        {problem}")
    if failed:
        print(words._("These checks failed: {list}.", list=", ".join(failed)))
    else:
        print(words._("All checks passed."))
    return 1 if failed else 0
