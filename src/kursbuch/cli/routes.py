"""`kursbuch routes`: the best runs on a position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

import kursbuch
from kursbuch.cli.common import (
    common_options,
    data_option,
    output_option,
    print_report,
    read_data,
    read_text,
    write_file,
    write_text,
)
from kursbuch.cli.records import load, picture, picture_kind
from kursbuch.core.errors import KursbuchError
from kursbuch.core.planner import Earned, Plan, PlanError, Planner, read_plan
from kursbuch.core.record_format import HEADING
from kursbuch.core.title import Title
from kursbuch.core.voice import Voice
from kursbuch.core.words import Words


@click.command("routes")
@click.argument("file")
@click.option(
    "--move",
    type=click.IntRange(0),
    metavar="N",
    help="Use the position after N moves of a record.",
)
@click.option(
    "--company",
    "companies",
    multiple=True,
    metavar="ID",
    help="Compute only this company. Can be used multiple times.",
)
@click.option(
    "--train",
    "trains",
    multiple=True,
    metavar="TRAIN",
    help="Use this train instead of its own. Can be used multiple times.",
)
@click.option("--withhold", is_flag=True, help="Draw the best runs for withholding.")
@output_option("OUT", "Draw the runs to this file (.svg or .png).", required=False)
@data_option
@common_options
def command(
    file: str,
    move: int | None,
    companies: tuple[str, ...],
    trains: tuple[str, ...],
    withhold: bool,
    output: str | None,
    data: str | None,
    as_json: bool,
    words: Words,
) -> None:
    """Find the best runs on a position.

    FILE is a record or a position file (docs/routes.md). Without --company, all companies with trains
    are computed.
    """
    kind = picture_kind(output) if output is not None else ""
    title, plan = _position(file, move, data, words)
    planner = _planner(title)
    plan = planner.check(plan)
    if trains:
        if len(companies) != 1:
            raise KursbuchError("--train needs one --company that is to run these trains.")
        plan = planner.with_trains(plan, companies[0], trains)
    chosen = companies or [one.id for one in planner.companies if plan.trains.get(one.id)]
    if output is not None and len(chosen) != 1:
        raise KursbuchError("A picture shows the runs of one company: choose it with --company.")
    found = [planner.best(plan, company) for company in chosen]
    if output is not None and found:
        names = {one.id: one.name for one in planner.companies}
        drawn = (found[0].saved if withhold else None) or found[0]
        svg = planner.draw(plan, drawn, "", names[drawn.company])
        content = picture(svg, kind, None)
        if output == "-":
            write_text(content.decode())
            return
        write_file(output, content)
    report = _json(title, plan, planner, found)
    print_report(as_json, report, _lines(title, plan, planner, found, words))


def _position(
    file: str, move: int | None, data: str | None, words: Words
) -> tuple[Title[Any], Plan]:
    """Load the title and position of a file."""
    text = read_text(file)
    if text.lstrip("\ufeff").startswith(HEADING.split()[0]):
        game = load(text, data, words)
        state = game.at(len(game.moves) if move is None else move).state
        return game.title, _planner(game.title).of_state(state)
    if move is not None:
        raise KursbuchError("{path} is not a record of a game, so it has no moves.", path=file)
    plan = read_plan(text, Path(file).suffix[1:].lower())
    corrected = read_data(data)
    try:
        title = kursbuch.title(plan.title)
    except KursbuchError as error:
        raise PlanError("title", plan.title, error).in_text(text) from None
    title = title if corrected is None else title.with_data(corrected)
    try:
        _planner(title).check(plan)
    except PlanError as error:
        raise error.in_text(text) from None
    return title, plan


def _planner(title: Title[Any]) -> Planner[Any]:
    if title.planner is None:
        raise KursbuchError("{title} has no trains that run on track.", title=title.name)
    return title.planner


def _json(
    title: Title[Any], plan: Plan, planner: Planner[Any], found: list[Earned]
) -> dict[str, Any]:
    names = {one.id: one.name for one in planner.companies}
    return {
        "title": title.id,
        "phase": plan.phase,
        "companies": [
            {
                "id": earned.company,
                "name": names[earned.company],
                "trains": plan.trains.get(earned.company, ()),
                "duties": plan.duties.get(earned.company, ()),
                **_earned_json(earned),
                "saved": None if earned.saved is None else _earned_json(earned.saved),
            }
            for earned in found
        ],
    }


def _earned_json(earned: Earned) -> dict[str, Any]:
    return {
        "total": earned.total,
        "mail": earned.mail,
        "runs": [msgspec.to_builtins(run) for run in earned.runs],
        "idle": earned.idle,
    }


def _lines(
    title: Title[Any], plan: Plan, planner: Planner[Any], found: list[Earned], words: Words
) -> list[str]:
    """The result as text."""
    names = {one.id: one.name for one in planner.companies}
    lines = [words._("{title}, phase {phase}", title=title.name, phase=plan.phase)]
    if not found:
        return [*lines, words._("No company has a train.")]
    voice = title.voice(words)
    for earned in found:
        total = _total(earned, voice)
        lines.append(f"{earned.company}  {names[earned.company]}: {total}")
        lines += _runs(earned, words)
        if earned.saved is not None:
            total = _total(earned.saved, voice)
            lines.append(f"  {words._('If it is withheld: {total}', total=total)}")
            lines += _runs(earned.saved, words)
        if not earned.stations:
            lines.append(f"    {words._('There is no station of this company on the map.')}")
        elif not plan.trains.get(earned.company):
            lines.append(f"    {words._('This company has no train.')}")
        elif earned.unmet:
            places = ", ".join(plan.duties[earned.company])
            lines.append(f"    {words._('No run can come to {places}.', places=places)}")
    return lines


def _total(earned: Earned, voice: Voice[Any]) -> str:
    total = voice.money(earned.total)
    if not earned.mail:
        return total
    mail = voice.money(earned.mail)
    return voice.words._("{total}, {mail} of it for the mail", total=total, mail=mail)


def _runs(earned: Earned, words: Words) -> list[str]:
    """One line per train."""
    lines = [f"    {run.train:<4} {run.text(words)}" for run in earned.runs]
    return lines + [f"    {train:<4} {words._('does not run')}" for train in earned.idle]
