"""The measured server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SERVE = """
import sys
from kursbuch.web import serve
if __name__ == "__main__":
    port, database, redis, workers = sys.argv[1:]
    serve(port=int(port), database=database, redis=redis or None, workers=int(workers))
"""


@contextmanager
def serving(
    database: str, redis: str = "", workers: int = 1, checkout: str = ""
) -> Iterator[tuple[int, int]]:
    """A server in child processes, without rate limits: its port and first process id. `checkout` is the folder of
    another version."""
    with socket.socket() as probe, tempfile.TemporaryDirectory() as folder:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        # A file, so that several workers can import it.
        program = Path(folder) / "serve.py"
        program.write_text(SERVE)
        process = subprocess.Popen(
            [python_of(checkout), str(program), str(port), database, redis, str(workers)],
            stderr=subprocess.DEVNULL,
            env={**os.environ, "KURSBUCH_LIMITS": "off"},
        )
        try:
            while not _answers(port):
                if process.poll() is not None:
                    raise SystemExit("The server did not start.")
                time.sleep(0.05)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(60)


def python_of(checkout: str) -> str:
    """The interpreter with a checkout's Kursbuch; empty for this one."""
    return f"{checkout}/.venv/bin/python" if checkout else sys.executable


#: Prints the format of updates that a version knows; before there was a module for it, it was the first.
FORM_OF = """
try:
    from kursbuch.web.live.fragments import FORM
except ImportError:
    FORM = 1
print(FORM)
"""


def form_of(checkout: str) -> int:
    """The format of updates of a checkout."""
    return int(subprocess.check_output([python_of(checkout), "-c", FORM_OF]))


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
