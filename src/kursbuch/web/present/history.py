"""Looking back: the board after any move, and the check of the draws."""

from __future__ import annotations

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_
from kursbuch.web import contexts
from kursbuch.web.errors import Conflict
from kursbuch.web.policies import FINISHED
from kursbuch.web.present.boards import board_at
from kursbuch.web.present.happened import log
from kursbuch.web.present.viewer import Viewer


def history_page(shown: Viewer, number: int) -> contexts.HistoryPage:
    """The board after so many moves."""
    last = shown.number
    url = f"/t/{shown.table.id}/at/"
    return contexts.HistoryPage(
        id=shown.table.id,
        title=shown.title.id,
        title_name=shown.title.name,
        n=number,
        last=last,
        board_svg=board_at(shown, number),
        log=log(shown, shown.events(number, number)),
        previous_url=f"{url}{number - 1}" if number > 0 else "",
        next_url=f"{url}{number + 1}" if number < last else "",
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
