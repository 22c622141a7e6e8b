"""Looking back: the table after any move, and the check of the draws."""

from __future__ import annotations

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
    last, here = len(game.moves), shown.number if shown.at is None else shown.at
    seats = [move.action.seat for move in game.moves]
    turns = [number for number in range(1, last) if seats[number] != seats[number - 1]]
    parts = [
        number
        for number, move in enumerate(game.moves, start=1)
        if any(game.title.opens(event) for event in move.events)
    ]

    def back(stops: list[int]) -> int:
        return max((stop for stop in stops if stop < here), default=0)

    def on(stops: list[int]) -> int:
        return min((stop for stop in stops if stop > here), default=last)

    return contexts.Steps(
        max(0, here - 1),
        min(last, here + 1),
        back(turns),
        on(turns),
        back(parts),
        on(parts),
        bool(parts),
    )


def check_page(shown: Viewer) -> contexts.CheckPage:
    """The seed, checked after the end."""
    if shown.table.status != FINISHED or shown.game is None:
        raise Conflict(N_("The seed stays secret until the game is over."))
    try:
        shown.game.verify_seed(shown.table.seed)
        passed = shown.game.seed_hash == shown.table.seed_hash
        sentence = shown.words._("Every draw of the game comes from the seed.")
    except KursbuchError as error:
        passed, sentence = False, error.text(shown.words)
    return contexts.CheckPage(
        id=shown.table.id,
        table_url=f"/t/{shown.table.id}",
        title_name=shown.title.name,
        seed=shown.table.seed,
        seed_hash=shown.table.seed_hash,
        draws=len(shown.game.draws()),
        passed=passed,
        sentence=sentence,
    )
