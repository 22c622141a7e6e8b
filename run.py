#!/usr/bin/env python3
"""Sets Kursbuch up in the folder .venv and runs it. Needs Python 3.11 or newer, nothing else.

python3 run.py [table] [options]       open the table in the browser (options of `kursbuch serve`)
python3 run.py tests                   run all checks: format, lint, types, tests
python3 run.py tests [pytest options]  run pytest only, with these options

Both are quick when nothing has changed since the last time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "kursbuch.json"

LOCK = "requirements.lock"  # everything, for the tests
TABLE_LOCK = "requirements-table.lock"  # what running the table needs

STARTUP_SECONDS = 60


class Problem(Exception):
    """Something a person has to put right; the message is one clear sentence."""


def main(arguments: list[str]) -> int:
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    command = "table"
    if arguments and not arguments[0].startswith("-"):
        command, *arguments = arguments
    if command not in ("table", "tests"):
        print(f"Unknown command {command!r}: it is `table` or `tests`.", file=sys.stderr)
        return 2
    os.chdir(ROOT)
    try:
        return table(arguments) if command == "table" else tests(arguments)
    except Problem as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


# --- The two commands ---


def table(options: list[str]) -> int:
    install(TABLE_LOCK)
    command = [str(SCRIPTS / "kursbuch"), "serve", "--open", *options]
    if os.name == "nt":
        return subprocess.run(command, check=False).returncode
    sys.stdout.flush()
    os.execv(command[0], command)


def tests(options: list[str]) -> int:
    install(LOCK)
    if options:
        steps = {"pytest": ["-m", "pytest", *options]}
    else:
        steps = {
            "ruff format": ["-m", "ruff", "format", "--check"],
            "ruff check": ["-m", "ruff", "check"],
            "mypy": ["-m", "mypy", "--strict"],
            "tsc": ["hatch_build.py", "types"],
            "pytest": ["-m", "pytest", "-n", "2"],
        }
    failed = []
    with services() as addresses:
        environment = {
            **os.environ,
            **addresses,
            "PATH": os.pathsep.join([str(SCRIPTS), os.environ.get("PATH", "")]),
            "PYTHONUTF8": "1",
        }
        for name, step in steps.items():
            say(f"== {name}")
            if subprocess.run([str(PYTHON), *step], env=environment, check=False).returncode:
                failed.append(name)
    if failed:
        raise Problem(f"Failed: {', '.join(failed)}.")
    say("All passed.")
    return 0


# --- The environment in .venv ---


def install(lock: str) -> None:
    """Bring .venv up to date with *lock* and with the project itself."""
    make_venv()
    done: dict[str, str] = json.loads(STAMP.read_text("utf-8")) if STAMP.is_file() else {}
    # The full lock holds everything the smaller one does, in the same versions.
    locked = digest(lock)
    if done.get(lock) != locked and not (lock == TABLE_LOCK and done.get(LOCK) == digest(LOCK)):
        say(f"Installing the packages of {lock} …")
        pip("--require-hashes", "-r", lock, failure=f"The packages of {lock} cannot be installed.")
        done = {**done, lock: locked}
        STAMP.write_text(json.dumps(done), "utf-8")
    project = digest("pyproject.toml")
    if done.get("project") != project:
        say("Building Kursbuch …")
        pip(
            *("--no-deps", "--no-build-isolation", "-e", "."),
            failure="Kursbuch itself cannot be installed.",
        )
        STAMP.write_text(json.dumps({**done, "project": project}), "utf-8")
    elif run([str(PYTHON), "hatch_build.py"]):
        raise Problem("The browser bundle or the catalogue cannot be built; see above.")


def make_venv() -> None:
    if PYTHON.is_file() and run([str(PYTHON), "-m", "pip", "--version"], quiet=True) == 0:
        return
    say("Creating .venv …")
    if run([sys.executable, "-m", "venv", "--clear", str(VENV)]):
        raise Problem(
            "Python cannot create a virtual environment here"
            " (on Debian and Ubuntu: apt install python3-venv)."
        )


def pip(*arguments: str, failure: str) -> None:
    if run([str(PYTHON), "-m", "pip", "install", "--quiet", *arguments]):
        raise Problem(f"{failure} The lines above say why.")


def digest(name: str) -> str:
    return hashlib.sha256((ROOT / name).read_bytes()).hexdigest()


def run(command: list[str], quiet: bool = False) -> int:
    output = subprocess.DEVNULL if quiet else None
    return subprocess.run(command, stdout=output, stderr=output, check=False).returncode


def say(text: str) -> None:
    print(text, flush=True)


# --- What the tests need from the machine ---


def find_chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    return next(filter(None, map(shutil.which, names)), None) or shutil.which(mac)


def find_redis() -> str | None:
    return shutil.which("redis-server")


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


class Service:
    """One of the things the tests use, and where the tests are told about it."""

    def __init__(
        self,
        name: str,
        variable: str,
        package: str,
        find: Callable[[], str | None],
        start: Callable[[str, contextlib.ExitStack], str],
    ) -> None:
        self.name = name
        self.variable = variable
        self.package = package
        self.find = find
        self.start = start

    @property
    def given(self) -> bool:
        return bool(os.environ.get(self.variable))


@contextlib.contextmanager
def services() -> Iterator[dict[str, str]]:
    """Start what the tests need; yields the environment variables that say where it is."""
    needed = [
        Service("Chromium", "KURSBUCH_TEST_CHROMIUM", "chromium", find_chromium, use_chromium),
        Service("Redis", "KURSBUCH_TEST_REDIS_URL", "redis-server", find_redis, start_redis),
        Service(
            "PostgreSQL",
            "KURSBUCH_TEST_POSTGRES_URL",
            "postgresql",
            find_postgres,
            start_postgres,
        ),
    ]
    needed = [service for service in needed if not service.given]
    missing = [service for service in needed if not service.find()]
    if missing:
        install_debian([service.package for service in missing])
        missing = [service for service in needed if not service.find()]
    if missing:
        names = " and ".join(service.name for service in missing)
        sentence = f"{names} cannot be found on this machine"
        if in_ci():
            raise Problem(f"{sentence}, and in CI every test must run.")
        say(f"{sentence}: the tests that need it are skipped.")
    with contextlib.ExitStack() as stack:
        stack.enter_context(ending_on_sigterm())
        addresses = {}
        for service in needed:
            place = service.find()
            if place:
                addresses[service.variable] = service.start(place, stack)
        yield addresses


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() in ("true", "1")


def install_debian(packages: list[str]) -> None:
    """Install Debian packages, if this is a Debian and we may."""
    if not shutil.which("apt-get"):
        return
    root = os.name != "nt" and os.geteuid() == 0
    if not root and not shutil.which("sudo"):
        return
    # Chromium brings no font of its own, and without one it draws no text.
    packages = [*packages, "fonts-dejavu-core"]
    say(f"Installing {', '.join(packages)} …")
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    apt = quiet if root else ["sudo", *quiet]
    run([*apt, "update"])
    run([*apt, "install", "--yes", "--no-install-recommends", *packages])


@contextlib.contextmanager
def ending_on_sigterm() -> Iterator[None]:
    """Turn SIGTERM into an exception, so that the servers are stopped on the way out."""

    def leave(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def use_chromium(program: str, stack: contextlib.ExitStack) -> str:
    return program


def start_redis(program: str, stack: contextlib.ExitStack) -> str:
    folder = make_folder(stack)
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    command = [program, *options, "--dir", str(folder)]
    start("Redis", command, folder, stack, ready=lambda: redis_answers(port))
    return f"redis://127.0.0.1:{port}/0"


def redis_answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def start_postgres(programs: str, stack: contextlib.ExitStack) -> str:
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
    start(
        "PostgreSQL",
        program("postgres", "-D", str(data), "-p", str(port), *settings),
        folder,
        stack,
        ready=lambda: call(program("pg_isready", "-q", *where)),
        stop=signal.SIGINT,  # "fast shutdown": does not wait for clients to leave
        **account,
    )
    if not call(program("createdb", "-U", "kursbuch", *where, "kursbuch")):
        raise Problem(f"PostgreSQL cannot make a database: {last_line(folder)}")
    return f"postgresql+asyncpg://kursbuch@127.0.0.1:{port}/kursbuch"


def start(
    name: str,
    command: list[str],
    folder: Path,
    stack: contextlib.ExitStack,
    ready: Callable[[], bool],
    stop: signal.Signals = signal.SIGTERM,
    **account: Any,
) -> None:
    """Start a server, wait until it is ready, and stop it when *stack* is left."""
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C is for us; we stop the server afterwards
            **account,
        )
    stack.callback(end, process, stop)
    deadline = time.monotonic() + STARTUP_SECONDS
    while not ready():
        if process.poll() is not None or time.monotonic() > deadline:
            raise Problem(f"{name} does not start: {last_line(folder)}")
        time.sleep(0.05)


def end(process: subprocess.Popen[bytes], stop: signal.Signals) -> None:
    if os.name == "nt":
        process.terminate()
    else:
        process.send_signal(stop)
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


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


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 - for a clear sentence instead of a traceback
        sys.exit("Kursbuch needs Python 3.11 or newer; this is Python " + sys.version.split()[0])
    sys.exit(main(sys.argv[1:]))
