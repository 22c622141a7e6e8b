"""The server process: checks, workers and uvicorn."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from kursbuch.core.errors import KursbuchError, NotNow
from kursbuch.web import settings
from kursbuch.web.db.database import Database
from kursbuch.web.live.streams import check_redis
from kursbuch.web.ops import health, logs

#: Time to wait for open connections at shutdown, in seconds; live updates never end.
GRACE = 2

#: Idle timeout of a connection, in seconds. It exceeds that of proxies (Caddy: two minutes), so no
#: proxy sends a request into a connection that is just closing.
KEEP_ALIVE = 130

#: Time after which a silent worker is replaced, in seconds. On a busy machine a starting worker is
#: silent for long, and replacing it would only add load.
STUCK = 60


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
    """Run the web server until it is stopped.

    `database` is the path of an SQLite file or the URL of a PostgreSQL database. Several `workers`
    need `redis`, the URL of a Redis server, to announce moves to each other. `tables` is the maximum
    number of open tables per visitor. `accounts` controls registration: "open", "invitation", "closed"
    or "off". Prometheus reads metrics at the address `metrics` ("127.0.0.1:9100"). `log` is "text" or
    "json". Raises `KursbuchError` with one clear sentence if the server cannot start.
    """
    import uvicorn

    from kursbuch.web.asgi import application
    from kursbuch.web.http.overload import Connection

    if workers < 1:
        raise KursbuchError("At least one worker is needed.")
    database = database or settings.env_text("KURSBUCH_DATABASE") or None
    redis = redis or settings.env_text("KURSBUCH_REDIS") or None
    if workers > 1 and not redis:
        raise KursbuchError(
            "Several workers need Redis (--redis or KURSBUCH_REDIS) to share updates."
        )
    _check_port(host, port)
    others = _in_network(host)
    chosen = {
        "KURSBUCH_DATABASE": database,
        "KURSBUCH_REDIS": redis,
        "KURSBUCH_TABLES": str(tables) if tables else None,
        "KURSBUCH_ACCOUNTS": accounts,
        "KURSBUCH_ADDRESS": settings.env_text("KURSBUCH_ADDRESS")
        or (f"http://{others}:{port}" if others else None),
    }
    with ExitStack() as stack:
        if metrics and workers > 1:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="kursbuch-metrics-"))
            chosen[health.METRICS_FOLDER] = folder
        stack.enter_context(_environment(chosen))
        # Wrong settings and missing services are reported here once, not by every worker.
        app = application()
        asyncio.run(_prepare(database, redis))
        shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
        address = f"http://{shown}:{port}/"
        more = f", for others in your network http://{others}:{port}/" if others else ""
        if metrics:
            stack.enter_context(health.export_metrics(metrics, database))
        print(f"Kursbuch: {address}{more} (stop with Ctrl-C)", file=sys.stderr, flush=True)
        if open_browser:
            threading.Thread(target=_open, args=(host, port, address), daemon=True).start()
        uvicorn.run(
            app if workers == 1 else "kursbuch.web.asgi:application",
            factory=workers > 1,
            http=Connection,
            host=host,
            port=port,
            workers=workers,
            log_config=logs.config(log),
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=GRACE,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_worker_healthcheck=STUCK,
            server_header=False,
        )


@contextmanager
def _environment(chosen: Mapping[str, str | None]) -> Iterator[None]:
    """Set environment variables for the workers while the block runs."""
    before = dict(os.environ)
    os.environ.update({name: value for name, value in chosen.items() if value})
    try:
        yield
    finally:
        for name in chosen:
            os.environ.pop(name, None)
            if name in before:
                os.environ[name] = before[name]


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
        raise NotNow(
            "The server cannot use port {port} of {host}: {why}.",
            port=port,
            host=host,
            why=getattr(error, "strerror", None) or str(error),
        ) from None


def _in_network(host: str) -> str:
    """Return the address of this machine in its network, if the server listens on all interfaces.

    Connecting a datagram socket sends nothing; it only asks the system for the route.
    """
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
