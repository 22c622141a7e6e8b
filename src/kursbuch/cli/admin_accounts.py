"""`kursbuch admin accounts` and `kursbuch admin invitations`."""

from __future__ import annotations

from typing import Any

import click

from kursbuch.cli.admin import MOST_NUMBER, MOST_ROWS, say, with_tables
from kursbuch.cli.backup import database_option
from kursbuch.cli.common import common_options
from kursbuch.core.words import Words


def _link(path: str) -> str:
    """A link, beginning with the address of the server if that is known."""
    from kursbuch.web import environment

    return environment.address("KURSBUCH_ADDRESS") + path


@click.group("accounts")
def accounts() -> None:
    """List, create, close and delete accounts. One is named by its name or mail address."""


@accounts.command("list")
@click.option("--find", "query", default="", metavar="TEXT", help="Part of a name or address.")
@click.option(
    "--most", type=click.IntRange(1, MOST_ROWS), default=50, show_default=True, metavar="N"
)
@database_option
@common_options
def list_accounts(query: str, most: int, database: str | None, as_json: bool, words: Words) -> None:
    """Show accounts."""
    from kursbuch.web.admin import accounts as deeds

    found = with_tables(database, lambda all_, _: deeds.listed(all_, query=query, limit=most))
    lines = [_line(line, words) for line in found.lines]
    shown = words.ngettext("{n} account", "{n} accounts", found.count)
    say(as_json, {"count": found.count, "accounts": found.lines}, [*lines, shown])


def _line(line: Any, words: Words) -> str:
    marks = [words._("administrator")] if line.admin else []
    marks += [words._("shut out")] if line.closed_at else []
    said = f"{line.name:<24} {line.email or '':<32} {line.created_at:%Y-%m-%d} {', '.join(marks)}"
    return said.rstrip()


@accounts.command("create")
@click.argument("name")
@click.option("--email", default="", metavar="ADDRESS", help="Its mail address, if it has one.")
@click.option("--admin", "is_admin", is_flag=True, help="It may use the page /admin.")
@database_option
@common_options
def create(
    name: str, email: str, is_admin: bool, database: str | None, as_json: bool, words: Words
) -> None:
    """Make an account, and a link with which its owner chooses a password."""
    from kursbuch.web.admin import accounts as deeds

    path = with_tables(
        database, lambda all_, actor: deeds.create(all_, actor, name, email, admin=is_admin)
    )
    _say_link(as_json, name, path, words)


@accounts.command("reset")
@click.argument("name")
@database_option
@common_options
def reset(name: str, database: str | None, as_json: bool, words: Words) -> None:
    """Make a link with which somebody chooses another password."""
    from kursbuch.web.admin import accounts as deeds

    path = with_tables(database, lambda all_, actor: deeds.reset(all_, actor, name))
    _say_link(as_json, name, path, words)


def _say_link(as_json: bool, name: str, path: str, words: Words) -> None:
    link = _link(path)
    said = words._(
        "A password for {name} is chosen here, within a week: {link}", name=name, link=link
    )
    say(as_json, {"account": name, "link": link}, [said])


@accounts.command("close")
@click.argument("name")
@database_option
@common_options
def close(name: str, database: str | None, as_json: bool, words: Words) -> None:
    """Shut an account out, until it is opened again."""
    from kursbuch.web.admin import accounts as deeds

    found = with_tables(database, lambda all_, actor: deeds.close(all_, actor, name))
    say(as_json, {"closed": found}, [words._("{name} is shut out.", name=found)])


@accounts.command("open")
@click.argument("name")
@database_option
@common_options
def reopen(name: str, database: str | None, as_json: bool, words: Words) -> None:
    """Let an account in again."""
    from kursbuch.web.admin import accounts as deeds

    found = with_tables(database, lambda all_, actor: deeds.reopen(all_, actor, name))
    say(as_json, {"opened": found}, [words._("{name} can log in again.", name=found)])


@accounts.command("promote")
@click.argument("name")
@click.option("--off", is_flag=True, help="Take it away again.")
@database_option
@common_options
def promote(name: str, off: bool, database: str | None, as_json: bool, words: Words) -> None:
    """Make somebody an administrator, who may use the page /admin."""
    from kursbuch.web.admin import accounts as deeds

    found = with_tables(database, lambda all_, actor: deeds.set_admin(all_, actor, name, not off))
    said = words._("{name} is an administrator.", name=found)
    if off:
        said = words._("{name} is no administrator any more.", name=found)
    say(as_json, {"account": found, "admin": not off}, [said])


@accounts.command("delete")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@database_option
@common_options
def delete(name: str, yes: bool, database: str | None, as_json: bool, words: Words) -> None:
    """Delete an account; others can take its seats."""
    from kursbuch.web.admin import accounts as deeds

    if not yes:
        click.confirm(
            words._("Delete the account of {name} for ever?", name=name), abort=True, err=True
        )
    found = with_tables(database, lambda all_, actor: deeds.erase(all_, actor, name))
    say(as_json, {"deleted": found}, [words._("The account of {name} is deleted.", name=found)])


@click.group("invitations")
def invitations() -> None:
    """Links with which one person each can register."""


@invitations.command("create")
@click.argument("for_whom", default="")
@database_option
@common_options
def invite(for_whom: str, database: str | None, as_json: bool, words: Words) -> None:
    """Make an invitation."""
    from kursbuch.web.admin import accounts as deeds

    path = with_tables(database, lambda all_, actor: deeds.invite(all_, actor, for_whom))
    link = _link(path)
    said = words._("With this link one person can register: {link}", link=link)
    say(as_json, {"link": link}, [said])


@invitations.command("list")
@database_option
@common_options
def list_invitations(database: str | None, as_json: bool, words: Words) -> None:
    """Show the invitations that nobody has used."""
    from kursbuch.web.admin import accounts as deeds

    found = with_tables(database, lambda all_, _: deeds.invitations(all_))
    report = [{"number": one.id, "note": one.note, "made_at": one.created_at} for one in found]
    lines = [f"{one.id:>4}  {one.created_at:%Y-%m-%d}  {one.note}".rstrip() for one in found]
    say(as_json, {"invitations": report}, lines or [words._("There are no invitations.")])


@invitations.command("revoke")
@click.argument("number", type=click.IntRange(1, MOST_NUMBER))
@database_option
@common_options
def revoke(number: int, database: str | None, as_json: bool, words: Words) -> None:
    """Take an invitation back."""
    from kursbuch.web.admin import accounts as deeds

    with_tables(database, lambda all_, actor: deeds.revoke(all_, actor, number))
    said = words._("Invitation {number} is taken back.", number=number)
    say(as_json, {"revoked": number}, [said])
