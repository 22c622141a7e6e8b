"""`kursbuch admin`: administration of a server."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import click

from kursbuch.cli.common import common_options, print_report
from kursbuch.cli.server import FAILED, database_option, with_database
from kursbuch.core.words import Words

ResultT = TypeVar("ResultT")

#: Maximum number of rows listed, and maximum integer in the database.
MOST_ROWS, MOST_NUMBER = 1_000_000, 2**31 - 1

most_option = click.option(
    "--most",
    type=click.IntRange(1, MOST_ROWS),
    default=50,
    show_default=True,
    metavar="N",
    help="Maximum number of lines.",
)


@click.group("admin")
def admin() -> None:
    """Administer a server: tables, accounts, announcements."""


def with_tables(given: str | None, work: Callable[[Any, Any], Awaitable[ResultT]]) -> ResultT:
    """Run work on the tables of a database, as the command-line actor."""
    from kursbuch.web.admin.audit import command_line_actor
    from kursbuch.web.backup.schema import require_current
    from kursbuch.web.tables.store import TableStore

    async def run(database: Any) -> ResultT:
        await require_current(database)
        return await work(TableStore(database), command_line_actor())

    return with_database(given, run)


def _line(line: Any, words: Words) -> str:
    from kursbuch.web.labels import format_size

    names = ", ".join(line.players)
    return (
        f"{line.id:<12} {line.title:<8} {line.status:<9} {line.moves:>5} {format_size(line.bytes, words):>8}  "
        f"{line.updated_at:%Y-%m-%d}  {names}"
    )


@admin.command("status")
@database_option
@common_options
def status(database: str | None, as_json: bool, words: Words) -> int:
    """Show load, queues, backups and errors, what is wrong and what to do.

    Ends with 1 if something is wrong.
    """
    from kursbuch.web.admin import status_text
    from kursbuch.web.admin.status import collect_status

    found = with_database(database, collect_status)
    print_report(as_json, status_text.status_json(found, words), status_text.lines(found, words))
    return FAILED if found.problems else 0


@admin.group("tables")
def tables() -> None:
    """List, close and delete tables."""


@tables.command("list")
@click.option("--status", type=click.Choice(["lobby", "running", "finished", "closed"]))
@click.option("--find", "query", default="", metavar="TEXT", help="Table id, or part of a name.")
@click.option("--by-size", is_flag=True, help="Sort by size. [default: last change first]")
@most_option
@database_option
@common_options
def list_tables(
    status: str | None,
    query: str,
    by_size: bool,
    most: int,
    database: str | None,
    as_json: bool,
    words: Words,
) -> None:
    """List tables with their size in the database."""
    from kursbuch.web.admin import tables as service

    found = with_tables(
        database,
        lambda all_, _: service.listed(
            all_, status=status or "", query=query, by_size=by_size, limit=most
        ),
    )
    lines = [_line(line, words) for line in found.lines]
    shown = words.ngettext("{n} table", "{n} tables", found.count)
    print_report(as_json, {"count": found.count, "tables": found.lines}, [*lines, shown])


@tables.command("close")
@click.argument("table")
@database_option
@common_options
def close_table(table: str, database: str | None, as_json: bool, words: Words) -> None:
    """End a table without a result."""
    from kursbuch.web.admin import tables as service

    with_tables(database, lambda all_, actor: service.close(all_, actor, table))
    print_report(as_json, {"closed": table}, [words._("Table {table} is closed.", table=table)])


@tables.command("delete")
@click.argument("table")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@database_option
@common_options
def delete_table(table: str, yes: bool, database: str | None, as_json: bool, words: Words) -> None:
    """Delete a table and all its data."""
    from kursbuch.web.admin import tables as service

    if not yes:
        click.confirm(
            words._("Delete table {table} permanently?", table=table), abort=True, err=True
        )
    with_tables(database, lambda all_, actor: service.delete_one(all_, actor, table))
    print_report(as_json, {"deleted": table}, [words._("Table {table} is deleted.", table=table)])


@tables.command("clean")
@click.option(
    "--finished",
    type=click.IntRange(1),
    metavar="DAYS",
    help="Tables that ended or were closed at least DAYS ago.",
)
@click.option(
    "--asleep",
    type=click.IntRange(1),
    metavar="DAYS",
    help="Tables without activity for at least DAYS.",
)
@click.option("--yes", is_flag=True, help="Delete the tables instead of only listing them.")
@database_option
@common_options
def clean(
    finished: int | None,
    asleep: int | None,
    yes: bool,
    database: str | None,
    as_json: bool,
    words: Words,
) -> None:
    """List old tables, or delete them with --yes."""
    from kursbuch.core.errors import KursbuchError
    from kursbuch.web.admin import tables as service

    if finished is None and asleep is None:
        raise KursbuchError("Choose the tables with --finished DAYS, --asleep DAYS, or both.")
    if yes:
        gone = with_tables(
            database,
            lambda all_, actor: service.clean(all_, actor, finished=finished, asleep=asleep),
        )
        said = words.ngettext(
            "{n} table has been deleted.", "{n} tables have been deleted.", len(gone)
        )
    else:
        gone = with_tables(
            database, lambda all_, _: service.old_tables(all_, finished=finished, asleep=asleep)
        )
        said = words.ngettext(
            "{n} table would be deleted; add --yes to delete it.",
            "{n} tables would be deleted; add --yes to delete them.",
            len(gone),
        )
    lines = [_line(line, words) for line in gone]
    print_report(as_json, {"deleted": yes, "tables": gone}, [*lines, said])


@admin.command("compact")
@database_option
@common_options
def compact(database: str | None, as_json: bool, words: Words) -> None:
    """Return unused space of an SQLite database to the disk."""
    from kursbuch.web.backup.restore import compact as make_small
    from kursbuch.web.labels import format_size

    async def work(all_: Any, _: Any) -> tuple[int, int]:
        before = await all_.database.bytes()
        await make_small(all_.database)
        return before, await all_.database.bytes()

    before, after = with_tables(database, work)
    said = words._(
        "The database shrank from {before} to {after}.",
        before=format_size(before, words),
        after=format_size(after, words),
    )
    print_report(as_json, {"before": before, "after": after}, [said])


@admin.command("announce")
@click.argument("text")
@click.option(
    "--hours",
    type=click.IntRange(1, 2160),
    default=24,
    show_default=True,
    metavar="N",
    help="Hours to show it.",
)
@database_option
@common_options
def announce(text: str, hours: int, database: str | None, as_json: bool, words: Words) -> None:
    """Show a message on every page. Users can dismiss it."""
    from kursbuch.web.admin import bulletins

    made = with_tables(database, lambda all_, actor: bulletins.announce(all_, actor, text, hours))
    until = f"{made.until:%Y-%m-%d %H:%M} UTC"
    said = words._("Announcement {number} is shown until {time}.", number=made.id, time=until)
    print_report(as_json, {"number": made.id, "text": made.text, "until": made.until}, [said])


@admin.command("announcements")
@database_option
@common_options
def announcements(database: str | None, as_json: bool, words: Words) -> None:
    """List the current announcements."""
    from kursbuch.web.admin import bulletins

    async def work(all_: Any, _: Any) -> Any:
        async with all_.database.reading() as session:
            return await bulletins.shown_bulletins(session)

    found = with_tables(database, work)
    report = [{"number": one.id, "text": one.text, "until": one.until} for one in found]
    lines = [f"{one.id:>4}  {one.until:%Y-%m-%d %H:%M} UTC  {one.text}" for one in found]
    print_report(
        as_json, {"announcements": report}, lines or [words._("There are no announcements.")]
    )


@admin.command("withdraw")
@click.argument("number", type=click.IntRange(1, MOST_NUMBER))
@database_option
@common_options
def withdraw(number: int, database: str | None, as_json: bool, words: Words) -> None:
    """Withdraw an announcement."""
    from kursbuch.web.admin import bulletins

    with_tables(database, lambda all_, actor: bulletins.withdraw(all_, actor, number))
    said = words._("Announcement {number} is withdrawn.", number=number)
    print_report(as_json, {"withdrawn": number}, [said])


@admin.command("rotate-secret")
@click.option(
    "--grace",
    type=click.IntRange(0, 366),
    default=90,
    show_default=True,
    metavar="DAYS",
    help="Days for which cookies and mail links signed with the old key stay valid.",
)
@database_option
@common_options
def rotate_secret(grace: int, database: str | None, as_json: bool, words: Words) -> None:
    """Create a new key for signing cookies and mail links. Running servers pick it up."""
    from kursbuch.web.admin import keys

    if os.environ.get("KURSBUCH_SECRET"):
        raise keys.external_key_error()
    made = with_tables(database, lambda all_, actor: keys.rotate_keys(all_, actor, grace))
    said = words.ngettext(
        "All servers will use the new key within a minute. Cookies and mail links signed with "
        "the old one stay valid for {n} day.",
        "All servers will use the new key within a minute. Cookies and mail links signed with "
        "the old one stay valid for {n} days.",
        grace,
    )
    print_report(as_json, {"keys": len(made.keys), "grace": grace}, [said])


@admin.command("log")
@most_option
@database_option
@common_options
def log(most: int, database: str | None, as_json: bool, words: Words) -> None:
    """Show the actions of administrators, newest first."""
    from kursbuch.web.admin import audit

    async def work(all_: Any, _: Any) -> Any:
        async with all_.database.reading() as session:
            return await audit.audit_lines(session, most)

    found = with_tables(database, work)
    report = [
        {
            "time": one.done_at,
            "account": one.actor or None,
            "name": one.name,
            "action": one.action,
            "subject": one.subject,
            "data": one.data,
        }
        for one in found
    ]
    lines = [
        f"{one.done_at:%Y-%m-%d %H:%M} UTC  {one.name}: {audit.sentence(one, words)}"
        for one in found
    ]
    print_report(as_json, {"log": report}, lines or [words._("No entries yet.")])


def _account_link(path: str) -> str:
    """A link, absolute if the server's address is known."""
    from kursbuch.web import settings

    return settings.env_address("KURSBUCH_ADDRESS") + path


@admin.group("accounts")
def accounts() -> None:
    """List, create, close and delete accounts.

    NAME is an account name or a mail address.
    """


@accounts.command("list")
@click.option("--find", "query", default="", metavar="TEXT", help="Part of a name or mail address.")
@most_option
@database_option
@common_options
def list_accounts(query: str, most: int, database: str | None, as_json: bool, words: Words) -> None:
    """List accounts."""
    from kursbuch.web.admin import accounts as service

    found = with_tables(database, lambda all_, _: service.listed(all_, query=query, limit=most))
    lines = [_account_line(line, words) for line in found.lines]
    shown = words.ngettext("{n} account", "{n} accounts", found.count)
    print_report(as_json, {"count": found.count, "accounts": found.lines}, [*lines, shown])


def _account_line(line: Any, words: Words) -> str:
    marks = [words._("administrator")] if line.admin else []
    marks += [words._("suspended")] if line.closed_at else []
    said = f"{line.name:<24} {line.email or '':<32} {line.created_at:%Y-%m-%d} {', '.join(marks)}"
    return said.rstrip()


@accounts.command("create")
@click.argument("name")
@click.option("--email", default="", metavar="ADDRESS", help="Mail address of the account.")
@click.option(
    "--admin", "is_admin", is_flag=True, help="Make it an administrator, who may use /admin."
)
@database_option
@common_options
def create(
    name: str, email: str, is_admin: bool, database: str | None, as_json: bool, words: Words
) -> None:
    """Create an account, and a link to set its password."""
    from kursbuch.web.admin import accounts as service

    path = with_tables(
        database, lambda all_, actor: service.create(all_, actor, name, email, admin=is_admin)
    )
    _say_link(as_json, name, path, words)


@accounts.command("reset")
@click.argument("name")
@database_option
@common_options
def reset(name: str, database: str | None, as_json: bool, words: Words) -> None:
    """Create a link to set a new password."""
    from kursbuch.web.admin import accounts as service

    path = with_tables(database, lambda all_, actor: service.reset(all_, actor, name))
    _say_link(as_json, name, path, words)


def _say_link(as_json: bool, name: str, path: str, words: Words) -> None:
    link = _account_link(path)
    said = words._("Set a password for {name} here within a week: {link}", name=name, link=link)
    print_report(as_json, {"account": name, "link": link}, [said])


@accounts.command("close")
@click.argument("name")
@database_option
@common_options
def close(name: str, database: str | None, as_json: bool, words: Words) -> None:
    """Lock an account until it is opened again."""
    from kursbuch.web.admin import accounts as service

    found = with_tables(database, lambda all_, actor: service.close(all_, actor, name))
    print_report(as_json, {"closed": found}, [words._("{name} is locked out.", name=found)])


@accounts.command("open")
@click.argument("name")
@database_option
@common_options
def reopen(name: str, database: str | None, as_json: bool, words: Words) -> None:
    """Unlock a closed account."""
    from kursbuch.web.admin import accounts as service

    found = with_tables(database, lambda all_, actor: service.reopen(all_, actor, name))
    print_report(as_json, {"opened": found}, [words._("{name} can log in again.", name=found)])


@accounts.command("promote")
@click.argument("name")
@click.option("--off", is_flag=True, help="Revoke it instead.")
@database_option
@common_options
def promote(name: str, off: bool, database: str | None, as_json: bool, words: Words) -> None:
    """Make an account an administrator, who may use /admin."""
    from kursbuch.web.admin import accounts as service

    found = with_tables(database, lambda all_, actor: service.set_admin(all_, actor, name, not off))
    said = words._("{name} is an administrator.", name=found)
    if off:
        said = words._("{name} is no longer an administrator.", name=found)
    print_report(as_json, {"account": found, "admin": not off}, [said])


@accounts.command("delete")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@database_option
@common_options
def delete(name: str, yes: bool, database: str | None, as_json: bool, words: Words) -> None:
    """Delete an account. Other players can take its seats."""
    from kursbuch.web.admin import accounts as service

    if not yes:
        click.confirm(
            words._("Permanently delete the account of {name}?", name=name), abort=True, err=True
        )
    found = with_tables(database, lambda all_, actor: service.erase(all_, actor, name))
    said = words._("The account of {name} has been deleted.", name=found)
    print_report(as_json, {"deleted": found}, [said])


@admin.group("invitations")
def invitations() -> None:
    """Manage invitations: links to register one account each."""


@invitations.command("create")
@click.argument("for_whom", default="")
@database_option
@common_options
def invite(for_whom: str, database: str | None, as_json: bool, words: Words) -> None:
    """Create an invitation."""
    from kursbuch.web.admin import accounts as service

    path = with_tables(database, lambda all_, actor: service.invite(all_, actor, for_whom))
    link = _account_link(path)
    said = words._("One person can register with this link: {link}", link=link)
    print_report(as_json, {"link": link}, [said])


@invitations.command("list")
@database_option
@common_options
def list_invitations(database: str | None, as_json: bool, words: Words) -> None:
    """List unused invitations."""
    from kursbuch.web.admin import accounts as service

    found = with_tables(database, lambda all_, _: service.invitations(all_))
    report = [{"number": one.id, "note": one.note, "made_at": one.created_at} for one in found]
    lines = [f"{one.id:>4}  {one.created_at:%Y-%m-%d}  {one.note}".rstrip() for one in found]
    print_report(as_json, {"invitations": report}, lines or [words._("There are no invitations.")])


@invitations.command("revoke")
@click.argument("number", type=click.IntRange(1, MOST_NUMBER))
@database_option
@common_options
def revoke(number: int, database: str | None, as_json: bool, words: Words) -> None:
    """Revoke an invitation."""
    from kursbuch.web.admin import accounts as service

    with_tables(database, lambda all_, actor: service.revoke(all_, actor, number))
    said = words._("Invitation {number} is revoked.", number=number)
    print_report(as_json, {"revoked": number}, [said])
