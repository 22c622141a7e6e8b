"""The web table: server, pages, live updates, storage."""

from __future__ import annotations

__all__ = ["serve"]


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    database: str | None = None,
    redis: str | None = None,
    workers: int = 1,
    tables: int | None = None,
    accounts: str | None = None,
    open_browser: bool = False,
    metrics: str | None = None,
    log: str = "text",
) -> None:
    """Run the web table until it is stopped.

    `database` is the path of an SQLite file or the URL of a PostgreSQL database. Several workers
    need `redis`, the URL of a Redis server, to tell each other of moves. A visitor may have `tables`
    open tables at once. `accounts` says who may have one: "open", "invitation", "closed" or "off".
    Prometheus finds the metrics at the address `metrics` ("127.0.0.1:9100"). `log` is "text" or "json".
    Raises `KursbuchError` with one clear sentence when it cannot start.
    """
    from kursbuch.web.server import run

    run(
        host=host,
        port=port,
        database=database,
        redis=redis,
        workers=workers,
        tables=tables,
        accounts=accounts,
        open_browser=open_browser,
        metrics=metrics,
        log=log,
    )
