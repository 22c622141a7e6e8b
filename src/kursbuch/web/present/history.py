"""Looking back: the table after any move, and the check of the draws."""

from __future__ import annotations

from collections.abc import Callable

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web import contexts
from kursbuch.web.errors import Conflict
from kursbuch.web.policies import FINISHED
from kursbuch.web.present.happened import log
from kursbuch.web.present.viewer import Viewer


def past(shown: Viewer) -> list[contexts.LogLine]:
    """What the move did after which the table is shown."""
    return [] if shown.at is None else log(shown, shown.events(shown.at))


def steps(shown: Viewer) -> contexts.Steps:
    """Where one can go from here: the numbers of moves after which another player's turn, or another
    part of the game, begins next to what is shown."""
    game = shown.game
    if game is None:
        return contexts.Steps(0, 0, 0, 0, 0, 0, False)
    title, moves = game.title, game.moves
    last, here = len(moves), shown.number if shown.at is None else shown.at

    def turn(number: int) -> bool:
        return number < last and moves[number].action.seat != moves[number - 1].action.seat

    def part(number: int) -> bool:
        return any(title.opens(event) for event in moves[number - 1].events)

    def back(stops: Callable[[int], bool]) -> int:
        return next(filter(stops, range(here - 1, 0, -1)), 0)

    def on(stops: Callable[[int], bool]) -> int:
        return next(filter(stops, range(here + 1, last + 1)), last)

    return contexts.Steps(
        max(0, here - 1),
        min(last, here + 1),
        back(turn),
        on(turn),
        back(part),
        on(part),
        any(map(part, range(1, last + 1))),
    )


def check_page(shown: Viewer) -> contexts.CheckPage:
    """The seed, checked after the end."""
    if shown.table.status != FINISHED or shown.game is None:
        raise Conflict(N_("The seed stays secret until the game is over."))
    try:
        shown.game.verify_seed(shown.table.seed)
        passed = shown.game.seed_hash == shown.table.seed_hash
        sentence = (
            shown.words._("Every draw since the game was copied comes from the seed.")
            if shown.game.copied
            else shown.words._("Every draw of the game comes from the seed.")
        )
    except KursbuchError as error:
        passed, sentence = False, error.text(shown.words)
    return contexts.CheckPage(
        id=shown.table.id,
        table_url=f"/t/{shown.table.id}",
        title_name=shown.title.name,
        seed=shown.table.seed,
        seed_hash=shown.table.seed_hash,
        draws=len(shown.game.draws()) - shown.game.copied_draws(),
        passed=passed,
        sentence=sentence,
        copied=[
            shown.words._(
                "The moves up to number {number} were copied. Their draws come from the seed of another "
                "game, and can be checked there; the hash of that seed is {hash}.",
                number=part.moves,
                hash=part.seed_hash,
            )
            for part in shown.game.copied
        ],
        head=shown.head(),
    )
