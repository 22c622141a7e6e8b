"""The files given for servers fit the program: every option and variable in them exists."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import click

from kursbuch.cli.admin import admin
from kursbuch.cli.commands import cli

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def parsed(line: str) -> None:
    """Have a command line read as the command would read it; nothing is run."""
    words = shlex.split(line)
    command: click.Command = cli
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None, line
        command = found
    command.make_context("kursbuch", words, resilient_parsing=False)


def test_units_run_commands_that_exist() -> None:
    settings = dict(
        line.removeprefix("#").split("=", 1)
        for line in (DEPLOY / "kursbuch.env").read_text("utf-8").splitlines()
        if re.match(r"#?KURSBUCH_\w+=", line)
    )
    options = settings["KURSBUCH_OPTIONS"].strip("'")
    units = sorted((DEPLOY / "systemd").glob("*.service"))
    assert len(units) == 2
    for unit in units:
        (line,) = re.findall(r"^ExecStart=\S+/kursbuch (.*)$", unit.read_text("utf-8"), re.M)
        parsed(line.replace("$KURSBUCH_OPTIONS", options))
    guide = (ROOT / "docs" / "server.md").read_text("utf-8")
    source = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    for name in settings:
        assert name == "KURSBUCH_OPTIONS" or (f'"{name}"' in source and f"`{name}`" in guide), name


def test_the_command_reads_settings_as_the_units_do(tmp_path: Path) -> None:
    """Nothing in them is carried out."""
    given = {
        "KURSBUCH_DATABASE": "postgresql:///kursbuch?host=/run/postgresql&sslmode=disable",
        "KURSBUCH_SMTP": "smtp://me:pa$word;touch x@localhost",
        "KURSBUCH_MAIL_FROM": "Kursbuch <kursbuch@example.org>",
    }
    lines = [f"{name}={value}" for name, value in given.items()]
    lines[-1] = lines[-1].replace("=", "='", 1) + "'"
    settings = tmp_path / "kursbuch.env"
    settings.write_text("\n".join(["# a comment", "", "#KURSBUCH_REDIS=x", *lines]))
    script = (DEPLOY / "kursbuch").read_text("utf-8")
    script = script.replace("/etc/kursbuch/kursbuch.env", str(settings))
    script = script.replace("/var/lib/kursbuch", str(tmp_path))
    script = re.sub(r"(?m)^exec .*", "exec env", script)
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    found = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    assert {name: found.get(name) for name in given} == given
    assert "KURSBUCH_REDIS" not in found
    assert [path.name for path in tmp_path.iterdir()] == ["kursbuch.env"]


def test_the_guide_names_files_and_commands_that_exist() -> None:
    guide = (ROOT / "docs" / "server.md").read_text("utf-8")
    for path in re.findall(r"\bdeploy/[\w./-]+[\w]", guide):
        assert (ROOT / path).exists(), path
    table = guide.partition("| Command | |")[2].partition("\n\n")[0]
    cells = "".join(re.findall(r"^\|([^|]*)\|", table, re.M))
    named = re.findall(r"`([a-z-]+(?: [a-z-]+)?)", cells)
    groups = {name: one for name, one in admin.commands.items() if isinstance(one, click.Group)}
    for name in named:
        first, _, second = name.partition(" ")
        assert first in admin.commands, name
        assert first not in groups or second in groups[first].commands, name
    for first, group in groups.items():
        for second in group.commands:
            assert f"`{first} {second}" in table, second
    assert {name for name in admin.commands if name not in groups} <= {
        name.partition(" ")[0] for name in named
    }


def test_upgrading_installs_what_was_installed() -> None:
    """uv takes a source for unchanged whose `pyproject.toml` is, and a server could not keep what it compiles."""
    guide = (ROOT / "docs" / "server.md").read_text("utf-8")
    for title in ("The program", "Upgrading"):
        assert "deploy/install\n" in guide.partition(f"### {title}\n")[2].partition("\n### ")[0]
    script = (DEPLOY / "install").read_text("utf-8")
    assert "--compile-bytecode --reinstall-package kursbuch" in script
    for path in re.findall(r"\bdeploy/[\w./-]+\w", script):
        assert (ROOT / path).exists(), path


def test_both_proxies_say_the_same() -> None:
    nginx = (DEPLOY / "nginx" / "kursbuch.conf").read_text("utf-8")
    caddy = (DEPLOY / "caddy" / "Caddyfile").read_text("utf-8")
    sizes = [
        int(size)
        for size in re.findall(r"client_max_body_size (\d+)m;", nginx)
        + re.findall(r"max_size (\d+)MB", caddy)
    ]
    # What the server refuses itself has a sentence: that is more than any record or file.
    assert len(sizes) == 2
    assert min(sizes) == max(sizes) > 2
    pages = [" ".join(re.findall(r"<p.*?>([^<]+)", text)) for text in (nginx, caddy)]
    assert pages[0].split() == pages[1].split()
    assert "tries again" in pages[0]
    # While Redis is away no server is ready, though all of them go on.
    assert not re.search(r"^[^#]*/ready", nginx + caddy, re.M)


def test_units_limit_memory_and_tasks() -> None:
    """A leak or a bomb ends the service, which starts again, and not the machine."""
    for unit in (DEPLOY / "systemd").glob("*.service"):
        text = unit.read_text("utf-8")
        for limit, most in (("MemoryMax", r"[1-9]\d?%"), ("TasksMax", r"[1-9]\d*")):
            assert re.search(rf"^{limit}={most}$", text, re.M), (unit.name, limit)
