"""What the tests need from the machine: Chromium, Redis, PostgreSQL, nginx, Caddy, and for long ones Podman.

They are started when a test asks for them and stopped at the end. A variable such as
`KURSBUCH_TEST_REDIS_URL` names one that is there already. With several test processes the first one
starts them for all (`tests/conftest.py`). `python -m tests.services` installs what is missing, with
`--long` also what only the long tests use.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STARTUP_SECONDS = 60


class Problem(Exception):
    """Something a person has to put right; the message is one clear sentence."""


@dataclass(frozen=True)
class Service:
    """One of the things the tests use, and where they are told about it."""

    name: str
    variable: str
    package: str
    find: Callable[[], str | None]
    start: Callable[[str, contextlib.ExitStack], str]

    @property
    def given(self) -> str | None:
        return os.environ.get(self.variable) or None

    @property
    def missing(self) -> bool:
        return not self.given and not self.find()

    @contextlib.contextmanager
    def running(self) -> Iterator[str]:
        """Yields the address to use, of what is there already or of what was started for this."""
        if self.given:
            yield self.given
            return
        place = self.find()
        if place is None:
            raise Problem(lacking([self]))
        with contextlib.ExitStack() as stack:
            stack.enter_context(sigterm_interrupts())
            yield self.start(place, stack)


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() in ("true", "1")


def lacking(services: Sequence[Service]) -> str:
    names = " and ".join(service.name for service in services)
    packages = " ".join(service.package for service in services)
    return f"{names} cannot be found on this machine (on Debian: apt install {packages})"


@contextlib.contextmanager
def for_all_processes() -> Iterator[None]:
    """Starts everything that is on the machine, and tells the processes started inside."""
    with contextlib.ExitStack() as stack:
        for service in (*ALL, *LONG):
            if not service.given and not service.missing:
                os.environ[service.variable] = stack.enter_context(service.running())
                stack.callback(os.environ.pop, service.variable)
        yield


def main(arguments: Sequence[str] = ()) -> int:
    """Installs what is missing, and says in one line what cannot be had."""
    wanted = (*ALL, *LONG) if "--long" in arguments else ALL
    if absent := [service for service in wanted if service.missing]:
        install_debian([name for service in absent for name in service.package.split()])
    absent = [service for service in wanted if service.missing]
    if absent and in_ci():
        print(f"{lacking(absent)}, and in CI every test must run.", file=sys.stderr)
        return 1
    if absent:
        print(f"{lacking(absent)}: tests that need that are skipped.", flush=True)
    return 0


def install_debian(packages: list[str]) -> None:
    """Install Debian packages, if this is a Debian and we may."""
    if not shutil.which("apt-get"):
        return
    root = os.name != "nt" and os.geteuid() == 0
    if not root and not shutil.which("sudo"):
        return
    print(f"Installing {', '.join(packages)} …", flush=True)
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    apt = quiet if root else ["sudo", *quiet]
    subprocess.run([*apt, "update"], stdout=subprocess.DEVNULL, check=False)
    install = ["install", "--yes", "--no-install-recommends"]
    install += [package for package in (*packages, *USEFUL) if is_known(package)]
    subprocess.run([*apt, *install], stdout=subprocess.DEVNULL, check=False)


#: Chromium brings no font of its own, and without one it draws no text. Its headless shell takes half
#: the time of the whole browser.
USEFUL = ("fonts-dejavu-core", "chromium-headless-shell")


def is_known(package: str) -> bool:
    """Whether this Debian has a package."""
    found = subprocess.run(["apt-cache", "show", package], capture_output=True, check=False)
    return found.returncode == 0


@contextlib.contextmanager
def sigterm_interrupts() -> Iterator[None]:
    """SIGTERM does what Ctrl-C does, so that what was started is stopped on the way out."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


# --- Chromium ---


def find_chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    return next(filter(None, map(shutil.which, names)), None) or shutil.which(mac)


def use_program(program: str, stack: contextlib.ExitStack) -> str:
    """The tests start it themselves."""
    return program


# --- Programs of administrators ---


def find_program(name: str) -> Callable[[], str | None]:
    """Find a program, also where users other than root have no path to."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
    return lambda: shutil.which(name, path=path)


# --- Redis ---


def find_redis() -> str | None:
    return shutil.which("redis-server")


def start_redis(program: str, stack: contextlib.ExitStack) -> str:
    return run_redis(program, stack)[0]


def run_redis(program: str, stack: contextlib.ExitStack) -> tuple[str, Running]:
    folder = make_folder(stack)
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    command = [program, *options, "--dir", str(folder)]
    redis = Running("Redis", command, folder, lambda: redis_answers(port))
    redis.start(stack)
    return f"redis://127.0.0.1:{port}/0", redis


def redis_answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


# --- PostgreSQL ---


def find_postgres() -> str | None:
    """The folder with PostgreSQL's programs; Debian does not put them on the path."""
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    folders = sorted(debian, key=lambda path: float(path.parent.name), reverse=True)
    if initdb := shutil.which("initdb"):
        folders.append(Path(initdb).resolve().parent)
    needed = ("initdb", "postgres", "pg_isready", "createdb")
    for folder in folders:
        if all(shutil.which(name, path=str(folder)) for name in needed):
            return str(folder)
    return None


def start_postgres(programs: str, stack: contextlib.ExitStack) -> str:
    return run_postgres(programs, stack)[0]


def run_postgres(programs: str, stack: contextlib.ExitStack) -> tuple[str, Running]:
    folder = make_folder(stack)
    account: dict[str, Any] = {}
    if os.name != "nt" and os.geteuid() == 0:  # PostgreSQL refuses to run as root
        try:
            shutil.chown(folder, "postgres", "postgres")
        except LookupError as error:
            raise Problem(
                "PostgreSQL does not run as root, and there is no user `postgres`."
            ) from error
        account = {"user": "postgres", "group": "postgres", "extra_groups": []}
    port = free_port()
    data = folder / "data"
    where = ["-h", "127.0.0.1", "-p", str(port)]

    def program(name: str, *options: str) -> list[str]:
        return [str(Path(programs) / name), *options]

    def call(command: list[str]) -> bool:
        output = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, **account
        )
        with (folder / "log").open("a") as log:
            log.write(output.stderr)
        return output.returncode == 0

    options = ["-U", "kursbuch", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    if not call(program("initdb", "-D", str(data), *options)):
        raise Problem(f"PostgreSQL cannot make a database cluster: {last_line(folder)}")
    settings = ["-h", "127.0.0.1", "-k", "" if os.name == "nt" else str(folder), "-F"]
    postgres = Running(
        "PostgreSQL",
        program("postgres", "-D", str(data), "-p", str(port), *settings),
        folder,
        lambda: call(program("pg_isready", "-q", *where)),
        signal.SIGINT,  # "fast shutdown": does not wait for clients to leave
        account,
    )
    postgres.start(stack)
    if not call(program("createdb", "-U", "kursbuch", *where, "kursbuch")):
        raise Problem(f"PostgreSQL cannot make a database: {last_line(folder)}")
    return f"postgresql+asyncpg://kursbuch@127.0.0.1:{port}/kursbuch", postgres


class Running:
    """A server for the tests."""

    def __init__(
        self,
        name: str,
        command: list[str],
        folder: Path,
        ready: Callable[[], bool],
        stop: signal.Signals = signal.SIGTERM,
        account: dict[str, Any] | None = None,
    ) -> None:
        self._name = name
        self._command = command
        self._folder = folder
        self._ready = ready
        self._stop = stop
        self._account = account or {}
        self.process: subprocess.Popen[bytes]

    def start(self, stack: contextlib.ExitStack) -> None:
        """Start it, wait until it is ready, and stop it when *stack* is left."""
        self._begin()
        stack.callback(self._end)
        self._wait(time.monotonic() + STARTUP_SECONDS)

    def again(self) -> None:
        """Start it once more after it was killed, and wait until it is ready."""
        deadline = time.monotonic() + STARTUP_SECONDS
        while True:
            self._begin()
            try:
                self._wait(deadline)
                return
            except Problem:
                # What the killed one left behind may not be gone yet.
                if time.monotonic() > deadline:
                    raise

    def _begin(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self._command,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for us; we stop the server afterwards
                **self._account,
            )

    def _wait(self, deadline: float) -> None:
        while not self._ready():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Problem(f"{self._name} does not start: {last_line(self._folder)}")
            time.sleep(0.05)

    def _end(self) -> None:
        if os.name == "nt":
            self.process.terminate()
        else:
            self.process.send_signal(self._stop)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def make_folder(stack: contextlib.ExitStack) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="kursbuch-"))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def last_line(folder: Path) -> str:
    lines = (folder / "log").read_text(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "it does not say why.")


CHROMIUM = Service("Chromium", "KURSBUCH_TEST_CHROMIUM", "chromium", find_chromium, use_program)
REDIS = Service("Redis", "KURSBUCH_TEST_REDIS_URL", "redis-server", find_redis, start_redis)
POSTGRES = Service(
    "PostgreSQL", "KURSBUCH_TEST_POSTGRES_URL", "postgresql", find_postgres, start_postgres
)
NGINX = Service("nginx", "KURSBUCH_TEST_NGINX", "nginx", find_program("nginx"), use_program)
CADDY = Service("Caddy", "KURSBUCH_TEST_CADDY", "caddy", find_program("caddy"), use_program)
ALL = (CHROMIUM, REDIS, POSTGRES, NGINX, CADDY)

#: For the long tests only.
PODMAN = Service(
    "Podman",
    "KURSBUCH_TEST_PODMAN",
    "podman runc netavark aardvark-dns iptables catatonit",
    find_program("podman"),
    use_program,
)
DEBOOTSTRAP = Service(
    "debootstrap",
    "KURSBUCH_TEST_DEBOOTSTRAP",
    "debootstrap",
    find_program("debootstrap"),
    use_program,
)
LONG = (PODMAN, DEBOOTSTRAP)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
