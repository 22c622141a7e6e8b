#!/usr/bin/env python3
"""Sets Kursbuch up in the folder .venv and runs it. Needs Python 3.11 or newer, nothing else.

python3 run.py [table] [options]       open the table in the browser (options of `kursbuch serve`)
python3 run.py tests                   run all checks: format, lint, types, tests
python3 run.py tests --long            run all checks, with the long form of the tests
python3 run.py tests [pytest options]  run pytest only, with these options
python3 run.py release VERSION         build, commit and tag a release (release.py)

For instance `python3 run.py --port 8080 --no-open`; `python3 run.py table --help` names all options.
Both are quick when nothing has changed since the last time.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
SUFFIX = ".exe" if os.name == "nt" else ""
PYTHON = SCRIPTS / f"python{SUFFIX}"
UV = SCRIPTS / f"uv{SUFFIX}"

FOR_THE_TABLE = ["--no-group", "dev", "--group", "setup"]
FOR_THE_TESTS = ["--group", "dev"]


class Problem(Exception):
    """Something a person has to put right; the message is one clear sentence."""


def main(arguments: list[str]) -> int:
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    command = "table"
    if arguments and not arguments[0].startswith("-"):
        command, *arguments = arguments
    commands = {"table": table, "tests": tests, "release": release}
    if command not in commands:
        print(f"Unknown command {command!r}: {', '.join(commands)} are known.", file=sys.stderr)
        return 2
    os.chdir(ROOT)
    try:
        return commands[command](arguments)
    except Problem as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


# --- The commands ---


def table(options: list[str]) -> int:
    install(FOR_THE_TABLE)
    command = [str(SCRIPTS / f"kursbuch{SUFFIX}"), "serve", "--open", *options]
    if os.name == "nt":
        return run(command)
    sys.stdout.flush()
    os.execv(command[0], command)


def tests(options: list[str]) -> int:
    signal.signal(signal.SIGTERM, leave)
    # Who starts us in the background may have Ctrl-C ignored: programs under test need it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    install(FOR_THE_TESTS)
    os.environ["PYTHONUTF8"] = "1"
    # Tests start hundreds of processes: what one has compiled the others need not compile again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(VENV / "pycache")
    if run([str(PYTHON), "-m", "tests.services", *(["--long"] if "--long" in options else [])]):
        return 1
    if options not in ([], ["--long"]):
        if run([str(PYTHON), "-m", "pytest", *options]):
            raise Problem("Failed: pytest.")
        say("All passed.")
        return 0
    # Types are checked beside the tests, which do not keep all processors busy.
    with tempfile.TemporaryFile("w+") as report:
        types = subprocess.Popen([str(PYTHON), "-m", "mypy"], stdout=report, stderr=report)
        try:
            steps = {
                "ruff format": ["ruff", "format", "--check"],
                "ruff check": ["ruff", "check"],
                # One more than there are processors: some tests wait for a while.
                "pytest": ["pytest", "-n", "3", "--dist", "worksteal", *options],
            }
            failed = []
            for name, step in steps.items():
                say(f"== {name}")
                if run([str(PYTHON), "-m", *step]):
                    failed.append(name)
            if types.wait():
                failed.append("mypy")
        finally:
            types.kill()
        report.seek(0)
        say(f"== mypy\n{report.read().rstrip()}")
    if failed:
        raise Problem(f"Failed: {', '.join(failed)}.")
    say("All passed.")
    return 0


def release(options: list[str]) -> int:
    install(FOR_THE_TABLE)
    return run([str(PYTHON), "release.py", *options])


# --- The environment in .venv ---


def install(selection: list[str]) -> None:
    """Bring .venv up to date with uv.lock and with the project itself."""
    make_venv()
    install_uv()
    sync = ["sync", "--locked", "--inexact", "--python", str(PYTHON), *selection]
    sync += ["--no-build-isolation-package", "kursbuch"]  # built with what uv.lock names
    if not uv(*sync, "--check", quiet=True):
        say("Installing what uv.lock names …")
        # pip may have been told of a mirror or a certificate that uv knows nothing of.
        if not uv(*sync, "--quiet") and not install_with_pip(selection):
            raise Problem("What uv.lock names cannot be installed. The lines above say why.")
    if run([str(PYTHON), "hatch_build.py"]):
        raise Problem("The browser bundle or the catalogue cannot be built. See above.")


def make_venv() -> None:
    """Make .venv, unless it is there, whole, and of the Python that runs this."""
    same = f"import pip, sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    if PYTHON.is_file() and run([str(PYTHON), "-c", same], quiet=True) == 0:
        return
    if not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
        raise Problem(
            "This Python cannot make a virtual environment:"
            " install its package for that first (on Debian and Ubuntu: apt install python3-venv)."
        )
    say("Creating .venv …")
    if run([sys.executable, "-m", "venv", "--clear", str(VENV)]):
        raise Problem("The virtual environment .venv cannot be made. The lines above say why.")


def install_uv() -> None:
    """Install uv itself, in the version and with the hashes that uv.lock names."""
    import tomllib  # here, so that an older Python comes as far as the sentence at the end

    packages = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    locked = next(package for package in packages if package["name"] == "uv")
    if installed_uv() == locked["version"]:
        return
    say("Installing uv …")
    hashes = [f"--hash={file['hash']}" for file in [*locked["wheels"], locked["sdist"]]]
    wanted = VENV / "uv.txt"
    wanted.write_text(" ".join([f"uv=={locked['version']}", *hashes]), "utf-8")
    if not pip_install("--require-hashes", "-r", str(wanted)):
        raise Problem("uv cannot be installed. The lines above say why.")


def installed_uv() -> str | None:
    try:
        output = subprocess.run([str(UV), "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return output.stdout.split()[1]


def uv(*arguments: str, quiet: bool = False) -> bool:
    own = {"UV_PROJECT_ENVIRONMENT": str(VENV), "UV_PYTHON_DOWNLOADS": "never"}
    return run([str(UV), *arguments], quiet=quiet, env={**os.environ, **own}) == 0


def install_with_pip(selection: list[str]) -> bool:
    say("uv cannot get them; trying pip …")
    wanted = str(VENV / "requirements.txt")
    export = ["export", "--locked", "--quiet", "--no-emit-project", "--output-file", wanted]
    return (
        uv(*export, *selection)
        and pip_install("--require-hashes", "-r", wanted)
        and pip_install("--no-deps", "--no-build-isolation", "-e", ".")
    )


def pip_install(*arguments: str) -> bool:
    return run([str(PYTHON), "-m", "pip", "install", "--quiet", *arguments]) == 0


# --- Running programs ---


def run(command: list[str], quiet: bool = False, env: dict[str, str] | None = None) -> int:
    output = subprocess.DEVNULL if quiet else None
    process = subprocess.Popen(command, stdout=output, stderr=output, env=env)
    try:
        return process.wait()
    except KeyboardInterrupt:  # Ctrl-C reaches the program too: it may tidy up
        process.wait()
        raise
    except SystemExit:  # SIGTERM reaches only us
        process.terminate()
        process.wait()
        raise


def leave(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 - for a clear sentence instead of a traceback
        sys.exit("Kursbuch needs Python 3.11 or newer; this is Python " + sys.version.split()[0])
    sys.exit(main(sys.argv[1:]))
