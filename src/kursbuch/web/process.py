"""The application in a process that does nothing else."""

from __future__ import annotations

import gc

from litestar import Litestar

from kursbuch.web.app import create_app

#: Cycles are looked for when so many more objects were made than are gone: a move makes some thousand.
COLLECTED_EVERY = 20_000


def application() -> Litestar:
    """The application, with the settings of the environment."""
    app = create_app()
    app.on_startup.append(spare_the_collector)
    return app


def spare_the_collector() -> None:
    """Have cycles looked for less often, and never in what stays for ever: titles, templates and the program itself are
    most of what there is, and to look through them takes longer than most moves do."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECTED_EVERY, *gc.get_threshold()[1:])
