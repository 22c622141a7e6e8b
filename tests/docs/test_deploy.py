"""The files given for servers fit the program: every option and variable in them exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click

from kursbuch.cli import cli

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def parsed(line: str) -> None:
    """Have a command line read as the command would read it; nothing is run."""
    words = shlex.split(line)
    command: click.Command = cli
    while isinstance(command, click.Group):
        command = command.commands[words.pop(0)]
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


def test_the_guide_names_files_and_commands_that_exist() -> None:
    guide = (ROOT / "docs" / "server.md").read_text("utf-8")
    for path in re.findall(r"\bdeploy/[\w./-]+[\w]", guide):
        assert (ROOT / path).exists(), path
    admin = cli.commands["admin"]
    assert isinstance(admin, click.Group)
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
