"""Agreement of 1835 bots with human moves in recorded games.

    python -m benchmarks.people
    python -m benchmarks.people --bot mcts:100 --games aside FILE ...

Files are Rails-18xx games (`.rails`) or records; the default is `../shared/peer`. For each decision with a choice,
check whether the bot's first and first three choices contain the human move, and how far its value is below the
best. `chance` is the agreement of a random choice. A choice counts once regardless of amount; the loss uses the
nearest amount considered.

Games whose name hash is divisible by four are a holdout set, excluded from tuning. `--games` selects `open` (the
rest), `aside` (the holdout) or `all`.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean

import msgspec

import kursbuch
from kursbuch.bots import Bot, Ranked, make
from kursbuch.bots.bot import candidates, gains
from kursbuch.bots.estimates import rate
from kursbuch.core.actions import Action
from kursbuch.core.corrections import Correct
from kursbuch.core.game import Game, View
from kursbuch.games.g18xx.actions import (
    Answer,
    AskPrice,
    BuyPaper,
    BuyShare,
    BuyTrain,
    Dividend,
    Done,
    Exchange,
    LayTile,
    Nationalise,
    OfferTrain,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.g1835.rails18xx import import_rails
from kursbuch.games.g18xx.g1835.state import OpenPrussia, PacketTurn
from kursbuch.games.g18xx.state import Build, BuyTrains, PlaceToken, RaiseMoney

#: One in this number of games is held out.
ASIDE = 4

#: Kinds of decision in table order.
KINDS = (
    "packet",
    "buys",
    "sells",
    "nationalises",
    "passes",
    "tile",
    "no tile",
    "station",
    "no station",
    "pays out",
    "withholds",
    "train from the bank",
    "train of another company",
    "no train",
    "forced sale",
    "answers an offer",
    "exchanges into Prussia",
    "other",
)


class Decided(msgspec.Struct, frozen=True):
    """A human decision in a bot's view: its rank from 0 (None if not considered), the number of choices, and the
    loss against the best."""

    kind: str
    place: int | None
    options: int
    loss: float | None


def folder() -> Path | None:
    """Folder of recorded games: beside the project, or one level up from a worktree."""
    found = (up / "shared/peer" for up in Path(__file__).resolve().parents)
    return next((path for path in found if path.is_dir()), None)


def is_aside(path: Path) -> bool:
    """Whether a game is held out, by its file name without extension.

    >>> [is_aside(Path(name)) for name in ("a.rails", "d.rails", "d.txt")]
    [False, True, True]
    """
    return int.from_bytes(hashlib.sha256(path.stem.encode()).digest()) % ASIDE == 0


def read(path: Path) -> Game:
    """A recorded game, as far as it can be imported."""
    if path.suffix == ".rails":
        return import_rails(TITLE, path.read_bytes(), partial=True).game
    return kursbuch.load(path.read_text("utf-8"))


def kind(step: object, action: Action) -> str:
    """The kind of a decision, by its action."""
    match step, action:
        case PacketTurn(), _:
            return "packet"
        case RaiseMoney(), SellShares():
            return "forced sale"
        case _, BuyPaper() | BuyShare():
            return "buys"
        case _, SellShares():
            return "sells"
        case _, Nationalise():
            return "nationalises"
        case _, LayTile():
            return "tile"
        case _, PlaceStation():
            return "station"
        case _, Dividend():
            return "pays out" if action.pays else "withholds"
        case _, BuyTrain():
            return "train from the bank"
        case _, OfferTrain():
            return "train of another company"
        case _, Answer() | AskPrice():
            return "answers an offer"
        case _, Exchange() | OpenPrussia():
            return "exchanges into Prussia"
        case Build(), Done():
            return "no tile"
        case PlaceToken(), Done():
            return "no station"
        case BuyTrains(), Done():
            return "no train"
        case _, Done():
            return "passes"
    return "other"


def decisions(game: Game, bot: Bot) -> Iterator[Decided]:
    """All decisions of a game with a choice, as a bot sees them."""
    for number, move in enumerate(game.moves):
        action, position = move.action, game.at(number)
        if isinstance(action, Correct) or action.seat not in position.deciders():
            continue
        view = View(
            game.title, game.title.view(position.state, action.seat), action.seat, game.names
        )
        offered = candidates(view.legal_actions(), view)
        if len(offered) < 2:
            continue
        place, loss = beside(ranked(bot, view, offered), action)
        options = len({without_amount(each) for each in offered})
        yield Decided(kind(position.state.agenda[-1], action), place, options, loss)


def ranked(bot: Bot, view: View, offered: Sequence[Action]) -> list[Ranked]:
    """A bot's ranking with skipped unlikely actions inserted by the title's evaluation."""
    found = bot.rank(view)
    assert view.seat is not None
    evaluate = view.title.evaluator.evaluate
    judged = gains(view.determinize(bot.rng), view.seat, offered, 0.0, evaluate)
    first = found[0]
    seen = {each.action for each in found}
    rest = [
        Ranked(action, first.value + min(0.0, judged[action] - judged[first.action]))
        for action in offered
        if action not in seen
    ]
    return [first, *sorted([*found[1:], *rest], key=lambda each: -each.value)]


def beside(ranking: Sequence[Ranked], action: Action) -> tuple[int | None, float | None]:
    """Rank of an action among the choices regardless of amount, and its loss by the nearest amount considered."""
    order = list(dict.fromkeys(without_amount(each.action) for each in ranking))
    if without_amount(action) not in order:
        return None, None
    same = [each for each in ranking if without_amount(each.action) == without_amount(action)]
    field = action.AMOUNT
    if field:
        same.sort(key=lambda each: abs(getattr(each.action, field) - getattr(action, field)))
    return order.index(without_amount(action)), ranking[0].value - same[0].value


def without_amount(action: Action) -> Action:
    """The choice an action belongs to."""
    field = action.AMOUNT
    return msgspec.structs.replace(action, **{field: 0}) if field else action


def table(found: Sequence[Decided]) -> Iterator[str]:
    """Rows of the Markdown table."""
    yield "| decision | number | first (chance) | first three (chance) | mean loss in M |"
    yield "| --- | --- | --- | --- | --- |"
    for name in (*KINDS, "all"):
        rows = [each for each in found if name in (each.kind, "all")]
        if rows:
            losses = [each.loss for each in rows if each.loss is not None]
            loss = f"{mean(losses):.0f}" if losses else "–"
            yield f"| {name} | {len(rows)} | {_share(rows, 1)} | {_share(rows, 3)} | {loss} |"


def _share(rows: Sequence[Decided], first: int) -> str:
    held = rate(sum(each.place is not None and each.place < first for each in rows), len(rows))
    chance = mean(min(1.0, first / each.options) for each in rows)
    assert held.low is not None
    assert held.high is not None
    return f"{held.value:.0%}, {held.low:.0%} to {held.high:.0%} ({chance:.0%})".replace("%", " %")


def chosen(paths: Iterable[Path], which: str) -> list[Path]:
    """The games to measure."""
    return sorted(path for path in paths if which == "all" or is_aside(path) == (which == "aside"))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.people", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--games", choices=("open", "aside", "all"), default="open")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    place = folder()
    files = given.files or (sorted(place.glob("*.rails")) if place else [])
    if not files:
        print("There are no recorded games: name their files, or put them into ../shared/peer.")
        return
    paths = chosen(files, given.games)
    found: list[Decided] = []
    for path in paths:
        found += decisions(read(path), make(given.bot, given.seed))
        print(path.stem, len(found), file=sys.stderr)
    print(f"{len(paths)} of {len(files)} games ({given.games}), {given.bot}")
    print(*table(found), sep="\n")


if __name__ == "__main__":
    main()
