"""`kursbuch titles`: the games that can be played."""

from __future__ import annotations

import click

from kursbuch.cli.common import common_options, emit_json
from kursbuch.core import registry
from kursbuch.core.words import Words


@click.command("titles")
@common_options
def command(as_json: bool, words: Words) -> None:
    """List the games with their numbers of players and options."""
    found = registry.titles()
    if as_json:
        emit_json(
            {
                "titles": [
                    {
                        "id": title.id,
                        "name": title.name,
                        "players": [title.seats[0], title.seats[-1]],
                        "minutes": title.minutes,
                        "options": {option.name: option.values for option in title.options},
                    }
                    for title in found.values()
                ]
            }
        )
        return
    for title in found.values():
        print(
            words._(
                "{id}  {name}, {low} to {high} players, {lasts}",
                id=f"{title.id:<8}",
                name=title.name,
                low=title.seats[0],
                high=title.seats[-1],
                lasts=words.lasting(title.minutes),
            )
        )
        for option in title.options:
            print(f"            --option {option.name}=…  {words._(option.label)}:")
            for value, label in zip(option.values, option.labels, strict=True):
                print(f"              {value:<8}  {words._(label)}")
