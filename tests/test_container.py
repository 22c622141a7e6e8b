"""`Containerfile` and `compose.yaml` fit the program; the long tests build and run them with Podman.

Debian packages stand in for the images they begin with.
"""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.test_deploy import parsed
from tests.podman import Podman, fetch
from tests.services import free_port
from tests.test_wheel import copy_tracked_files

ROOT = Path(__file__).parent.parent
CONTAINERFILE = (ROOT / "Containerfile").read_text("utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text("utf-8")
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE)["services"]


def test_every_service_is_limited() -> None:
    assert set(SERVICES) == {"server", "backup", "database", "redis", "proxy"}
    for name, service in SERVICES.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert service["pids_limit"], name
        user = service.get("user") or re.findall(r"^USER (\S+)$", CONTAINERFILE, re.M)[-1]
        assert user not in ("root", "0", "0:0"), name
    for name in ("backup", "database", "redis"):
        assert SERVICES[name]["networks"] == ["back"], name
        assert "ports" not in SERVICES[name], name


def test_the_commands_and_settings_exist() -> None:
    guide = (ROOT / "docs" / "server.md").read_text("utf-8")
    (command,) = re.findall(r'^CMD (\["serve.*)$', CONTAINERFILE, re.M)
    parsed(" ".join(json.loads(command)))
    parsed(" ".join(SERVICES["server"]["command"]))
    (backup,) = re.findall(r"do kursbuch (.*?);", SERVICES["backup"]["command"][0])
    parsed(backup)
    settings = {name for service in SERVICES.values() for name in service.get("environment", {})}
    for name in settings - {"POSTGRES_USER", "POSTGRES_PASSWORD", "KURSBUCH_SERVERS"}:
        assert f"`{name}`" in guide, name
    for name in SERVICES["proxy"]["environment"]:
        assert f"{{${name}:" in (ROOT / "deploy/caddy/Caddyfile").read_text("utf-8"), name
    for command in re.findall(r"venv/bin/kursbuch ([a-z-]+)\)", CONTAINERFILE):
        parsed(command)


def test_both_ask_for_the_same_health() -> None:
    (asked,) = re.findall(r'^    CMD (\["python3.*)$', CONTAINERFILE, re.M)
    assert SERVICES["server"]["healthcheck"]["test"] == ["CMD", *json.loads(asked)]


def test_the_backup_waits_for_the_night() -> None:
    (seconds,) = re.findall(r"sleep \$\$\(\( (.*) \)\)", SERVICES["backup"]["command"][0])
    for now in ("00:00", "03:29", "03:31", "23:59"):
        hour, minute = map(int, now.split(":"))
        past = 1_800_000_000 // 86400 * 86400 + hour * 3600 + minute * 60
        sum_ = seconds.replace("$$(date +%s)", str(past))
        done = subprocess.run(["sh", "-c", f"echo $(( {sum_} ))"], capture_output=True, check=True)
        assert (past + int(done.stdout)) % 86400 == 12601
        assert 0 < int(done.stdout) <= 86400


def test_the_build_gets_what_the_wheel_needs() -> None:
    """What git ignores or a wheel is not made of stays outside."""
    needed = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for name in (
        "pyproject.toml",
        "uv.lock",
        "README.md",
        "LICENSE",
        "hatch_build.py",
        "package.json",
    ):
        assert f"!{name}" in needed
    for line in needed:
        if line.startswith("!"):
            assert (ROOT / line[1:]).exists(), line


# --- Built and run ---

#: Debian packages for all images: Python, Caddy, PostgreSQL and Redis.
PACKAGES = "adduser ca-certificates python3 python3-venv caddy postgresql redis-server libcap2-bin"
#: What the image of PostgreSQL does at its start, in short.
POSTGRES = """#!/bin/sh
set -e
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
data=/var/lib/postgresql/data
mkdir -p /run/postgresql
if [ ! -s $data/PG_VERSION ]; then
    echo "$POSTGRES_PASSWORD" >/tmp/password
    initdb --pgdata $data --username "$POSTGRES_USER" --pwfile /tmp/password --auth scram-sha-256
    echo "host all all all scram-sha-256" >>$data/pg_hba.conf
    echo "CREATE DATABASE $POSTGRES_USER" | postgres --single -D $data postgres
fi
exec postgres -D $data -h '*'
"""


@pytest.fixture(scope="module")
def podman(podman: Podman) -> Podman:
    """Podman with an image that has all the packages, and the two images of the project."""
    # As in the image of Caddy.
    bind = ("setcap", "cap_net_bind_service=+ep", "/usr/bin/caddy")
    included = f"--include={PACKAGES.replace(' ', ',')}"
    podman.import_debian(
        "trixie", "localhost/debian", "--variant=minbase", included, prepare=[bind]
    )
    folder = podman.folder / "database"
    folder.mkdir()
    (folder / "postgres-entry").write_text(POSTGRES)
    (folder / "Containerfile").write_text(
        "FROM localhost/debian\nCOPY --chmod=755 postgres-entry /usr/local/bin/\n"
        'RUN install -d -o postgres -m 700 /var/lib/postgresql/data\nENTRYPOINT ["postgres-entry"]\n'
    )
    podman("build", "--tag", SERVICES["database"]["image"], str(folder))
    podman("tag", "localhost/debian", SERVICES["redis"]["image"])
    bases = ("--build-arg=PYTHON=localhost/debian", "--build-arg=CADDY=localhost/debian")
    for name, target in {"kursbuch": "server", "kursbuch-proxy": "proxy"}.items():
        podman("build", *bases, "--format=docker", f"--target={target}", f"--tag={name}", ".")
    return podman


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_server_runs_alone_and_stops(podman: Podman) -> None:
    port = free_port()
    limits = "--read-only --tmpfs=/tmp --cap-drop=all --security-opt=no-new-privileges --memory=1g --pids-limit=400"
    container = podman("run", "--detach", *limits.split(), f"--publish={port}:8000", "kursbuch")
    try:
        assert fetch(f"http://127.0.0.1:{port}/ready")[0] == "ready"
        podman("healthcheck", "run", container)
        assert podman("exec", container, "id", "--user") == "10001"
        assert podman("exec", container, "kursbuch", "--language=en", "admin", "tables", "list")
        assert "Read-only" in podman("exec", container, "sh", "-c", "touch /opt/x 2>&1 || true")
        begun = time.monotonic()
        podman("stop", "--time=30", container)
        assert time.monotonic() - begun < 20
        ended = podman("inspect", "--format={{.State.ExitCode}}", container)
        assert ended in ("0", "143")
    finally:
        podman("rm", "--force", "--volumes", container, fails=True)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_all_services_run_together(podman: Podman, tmp_path: Path) -> None:
    """With TLS, PostgreSQL and Redis: pages, static files, a backup and its way back."""
    http, https = free_port(), free_port()
    text = COMPOSE.replace('"80:80"', f'"{http}:80"').replace('"443:443"', f'"{https}:443"')
    text = text.replace('"443:443/udp"', f'"{https}:443/udp"').replace(
        "name: kursbuch", "name: trial"
    )
    (tmp_path / "compose.yaml").write_text(text)
    (tmp_path / ".env").write_text(
        "KURSBUCH_ADDRESS=https://localhost\nPOSTGRES_PASSWORD=secret7\n"
    )
    uv = str(ROOT / ".venv" / "bin" / "uv")
    compose = (uv, "tool", "run", "--from", "podman-compose==1.6.0", "podman-compose")

    def inside(service: str, *command: str) -> str:
        return podman("exec", f"trial_{service}_1", *command)

    try:
        podman.run(*compose, "up", "--detach", where=tmp_path)
        assert fetch(f"https://localhost:{https}/ready")[0] == "ready"
        for service in SERVICES:
            status = inside(service, "cat", "/proc/1/status")
            assert re.search(r"^NoNewPrivs:\t1$", status, re.M), service
            assert not re.search(r"^Uid:\t0", status, re.M), service
        page, headers = fetch(f"https://localhost:{https}/")
        assert "__Host-" in headers["Set-Cookie"]
        (script,) = re.findall(r'src="(/static/dist/main\.js\?v=[^"]+)"', page)
        content, headers = fetch(f"https://localhost:{https}{script}")
        assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert headers["Server"] == "Caddy"
        assert len(content) > 10_000
        told = json.loads(
            inside(
                "backup", "kursbuch", "backup", "/var/backups/kursbuch", "--keep", "14", "--json"
            )
        )
        assert told["bytes"] > 0
        inside("backup", "kursbuch", "restore", told["file"], "--replace")
        assert fetch(f"https://localhost:{https}/ready")[0] == "ready"
    finally:
        with contextlib.suppress(AssertionError):
            podman.run(*compose, "down", "--volumes", where=tmp_path)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_program_is_installed_and_upgraded(podman: Podman, tmp_path: Path) -> None:
    """On a Debian without systemd; Caddy's user can read the static files, the server's user its settings."""
    copy_tracked_files(tmp_path / "source")
    installed = "/opt/kursbuch/source/deploy/install"
    settings = "/etc/kursbuch/kursbuch.env"
    script = f"""
        {installed}
        echo KURSBUCH_TABLES=7 >>{settings}
        {installed}
        grep -q KURSBUCH_TABLES=7 {settings}
        kursbuch --version
        kursbuch backup /var/backups/kursbuch 2>&1 || true
        runuser -u caddy -- head -c 9 /opt/kursbuch/static/dist/main.js >/dev/null
        runuser -u kursbuch -- test -r {settings}
        ! runuser -u caddy -- test -r {settings}
        ! runuser -u kursbuch -- test -w /opt/kursbuch/static/dist/main.js
        ls /etc/systemd/system/kursbuch-backup.timer"""
    volume = f"--volume={tmp_path}/source:/opt/kursbuch/source"
    said = podman("run", "--rm", volume, "localhost/debian", "sh", "-e", "-c", script)
    assert version("kursbuch") in said
    assert "There is no file /var/lib/kursbuch/kursbuch.sqlite3" in said
