"""Starts the server."""

from __future__ import annotations

import asyncio
import copy
import os
import socket
import sys
import threading
import time
import webbrowser
from typing import Any

from kursbuch.core.errors import KursbuchError
from kursbuch.web.database import Database
from kursbuch.web.live import check_redis

#: How long the server waits for open connections when it is stopped; live updates never end.
GRACE = 2


def run(
    *,
    host: str,
    port: int,
    database: str | None,
    redis: str | None,
    workers: int,
    tables: int | None,
    open_browser: bool,
) -> None:
    """Run the server until it is stopped."""
    import uvicorn

    if workers < 1:
        raise KursbuchError("At least one worker is needed.")
    if workers > 1 and not redis:
        raise KursbuchError(
            "Several workers need Redis (--redis) to tell each other what happens at the tables."
        )
    _check_port(host, port)
    # The workers read their settings from the environment. The tables of the database are made
    # here, so that what is wrong with it is said once.
    if database:
        os.environ["KURSBUCH_DATABASE"] = database
    if redis:
        os.environ["KURSBUCH_REDIS"] = redis
    if tables:
        os.environ["KURSBUCH_TABLES"] = str(tables)
    others = _in_network(host)
    if others and "KURSBUCH_ADDRESS" not in os.environ:
        os.environ["KURSBUCH_ADDRESS"] = f"http://{others}:{port}"
    asyncio.run(_prepare(os.environ.get("KURSBUCH_DATABASE"), redis))
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    address = f"http://{shown}:{port}/"
    more = f", for others in your network http://{others}:{port}/" if others else ""
    print(f"Kursbuch: {address}{more} (stop with Ctrl-C)", file=sys.stderr, flush=True)
    if open_browser:
        threading.Thread(target=_open, args=(host, port, address), daemon=True).start()
    uvicorn.run(
        "kursbuch.web.app:create_app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_config=_logging(),
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=GRACE,
        server_header=False,
    )


def _logging() -> dict[str, Any]:
    """What is wrong goes to standard error, with its time."""
    from uvicorn.config import LOGGING_CONFIG

    config = copy.deepcopy(LOGGING_CONFIG)
    config["formatters"]["default"] = {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}
    config["loggers"]["kursbuch"] = {"handlers": ["default"], "level": "INFO", "propagate": False}
    return config


async def _prepare(given: str | None, redis: str | None) -> None:
    if redis:
        await check_redis(redis)
    database = Database(given)
    try:
        await database.start()
    finally:
        await database.stop()


def _check_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name != "nt":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except (OSError, OverflowError) as error:
        raise KursbuchError(
            "The server cannot use port {port} of {host}: {why}.",
            port=port,
            host=host,
            why=getattr(error, "strerror", None) or str(error),
        ) from None


def _in_network(host: str) -> str:
    """Where others in the network find a server that listens everywhere; empty if there is none.

    Connecting a datagram socket sends nothing: it only asks the system which way it would go."""
    if host not in ("0.0.0.0", "::"):
        return ""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        found: str = probe.getsockname()[0]
    return "" if found.startswith(("127.", "0.")) else found


def _open(host: str, port: int, address: str) -> None:
    target = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    for _ in range(100):
        try:
            socket.create_connection((target, port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            webbrowser.open(address)
            return
