"""The application in a process that does nothing else."""

from __future__ import annotations

from litestar import Litestar

from kursbuch.core.collector import spare_the_collector
from kursbuch.web.app import create_app
from kursbuch.web.renewed import Renewed


def application() -> Renewed:
    """The application, with the settings of the environment."""
    return Renewed(_make)


def _make() -> Litestar:
    app = create_app()
    app.on_startup.append(spare_the_collector)
    return app
