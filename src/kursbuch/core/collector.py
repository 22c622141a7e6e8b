"""How often the collector looks for cycles in processes that do nothing but play."""

from __future__ import annotations

import gc

#: Cycles are looked for when so many more objects were made than are gone: a move makes some thousand.
COLLECTED_EVERY = 20_000


def spare_the_collector() -> None:
    """Have cycles looked for less often, and never in what stays for ever: titles, templates and the program itself are
    most of what there is, and to look through them takes longer than most moves do. For processes of our own. Called
    again, what is not needed any more goes first."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECTED_EVERY, *gc.get_threshold()[1:])
