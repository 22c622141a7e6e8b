"""The ASGI application of a server process."""

from __future__ import annotations

from litestar import Litestar

from kursbuch.core.processes import tune_garbage_collector
from kursbuch.web.app import create_app
from kursbuch.web.ops.reloading_app import ReloadingApp


def application() -> ReloadingApp:
    """The application, with the settings of the environment."""
    return ReloadingApp(_make)


def _make() -> Litestar:
    app = create_app()
    app.on_startup.append(tune_garbage_collector)
    return app
