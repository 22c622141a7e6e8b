"""Games recorded by the program Rails-18xx, and how their states compare with ours
(`../shared/peer`, see its README)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from kursbuch.core.registry import Imported
from kursbuch.games.g18xx.components import EXCHANGE_SHARES, PACKET, PLAYERS, POOL, STACK
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.g1835.state import State1835
from kursbuch.games.g18xx.rails18xx import stations, turned
from kursbuch.games.g18xx.state import Pay
from tests.games.g18xx.peer import FOLDER, lines

#: The names of the recorded games that are there.
GAMES = sorted(
    path.stem
    for path in FOLDER.glob("*.rails")
    if (FOLDER / f"{path.stem}.states.jsonl.gz").exists()
)

BOOK = TITLE.ruleset
BOARD = BOOK.components.board
FILE = BOOK.components.file

#: Our names of companies and private railways.
OURS = {
    record.ids_elsewhere["Rails"]: record.id
    for records in (FILE.companies.public, FILE.companies.minors, FILE.companies.privates)
    for record in records
}

Facts = dict[str, Any]


@cache
def states(name: str) -> dict[int, dict[str, Any]]:
    """The recorded states by the number of the action they follow; -1 is the beginning. Their
    rounds are numbered as in the book."""
    found = {}
    number, part, last = 1, 0, "IR_1"
    for state in lines(FOLDER / f"{name}.states.jsonl.gz"):
        kind, _, rest = state["round"].partition("_")
        # Rounds that sell the start packet are counted for themselves; when it is sold, the same
        # round goes on as the first stock round.
        if state["round"] != last and (kind == "IR" or (kind == "SR" and rest != "1")):
            number, part = number + 1, 0
        if kind == "OR" and state["round"] != last:
            part += 1
        if kind in ("IR", "SR", "OR"):
            last = state["round"]
        within = kind in ("IR", "SR", "OR") or "_in_OR_" in state["round"]
        # What comes between rounds, or after the last, has no number in the book.
        state["book"] = (number, part) if within else None
        found[state["i"]] = state
    return found


def _counted(certificates: dict[str, list[str]]) -> dict[str, list[str]]:
    return {OURS[name]: sorted(held) for name, held in certificates.items() if held}


def recorded_facts(state: dict[str, Any], names: tuple[str, ...]) -> Facts:
    """What a recorded state says, in our words."""
    facts: Facts = {
        "bank": state["bank"],
        "phase": state["phase"],
        "priority": state["priority"],
        "tiles": {},
    }
    if state["book"] is not None:
        facts["round"] = state["book"]
    for hex, (tile, orientation) in state["tiles"].items():
        kind = BOARD.tile(tile)
        facts["tiles"][hex] = (tile, kind.lowest[turned(kind, orientation)])
    for player in state["players"]:
        own = f"player {names.index(player['name'])}"
        minors = [name for name in player["certificates"] if name[0] == "M" and name[1:].isdigit()]
        facts[f"{own} cash"] = player["cash"]
        facts[f"{own} limit"] = (player["certs"], player["limit"])
        facts[f"{own} papers"] = sorted(OURS[name] for name in (*player["privates"], *minors))
        facts[f"{own} certificates"] = _counted(
            {name: held for name, held in player["certificates"].items() if name not in minors}
        )
    for company in state["companies"]:
        own = OURS[company["id"]]
        facts[f"{own} cash"] = company["cash"]
        facts[f"{own} operating"] = company["floated"] and not company["closed"]
        facts[f"{own} trains"] = sorted(train.partition("_")[0] for train in company["trains"])
        facts[f"{own} tokens"] = sorted(_tokens(state, company["tokens"]))
        if not company["closed"]:
            facts[f"{own} tokens left"] = company["tokens_free"]
        if company["floated"] and not company["closed"]:
            facts[f"{own} director"] = company["president"]
            facts[f"{own} revenue"] = company["last_revenue"]
        if company["floated"] and "price" in company:
            facts[f"{own} price"] = (company["price"], company["space"], tuple(company["stack"]))
    banks = state["bank_portfolios"]
    new = Counter[tuple[str, str]]()
    for place in ("IPO", "Unavailable"):
        for name, held in banks[place]["certificates"].items():
            if not (name[0] == "M" and name[1:].isdigit()):
                new.update((OURS[name], certificate) for certificate in held)
    facts["unsold"] = dict(new)
    facts["pool"] = _counted(banks["Pool"]["certificates"])
    facts["new trains"] = sorted(
        train.partition("_")[0]
        for place in ("IPO", "Unavailable")
        for train in banks[place]["trains"]
    )
    facts["pool trains"] = sorted(train.partition("_")[0] for train in banks["Pool"]["trains"])
    facts["scrapped"] = sorted(train.partition("_")[0] for train in banks["ScrapHeap"]["trains"])
    return facts


def _tokens(state: dict[str, Any], tokens: list[str]) -> Iterator[tuple[str, int]]:
    """Markers as hex and number of our stop."""
    for token in tokens:
        hex, _, city = token.partition("/")
        if hex in state["tiles"]:
            tile, orientation = state["tiles"][hex]
            kind = BOARD.tile(tile)
            yield hex, stations(kind, turned(kind, orientation))[int(city) - 1]
        else:
            record = BOARD.records[BOARD.number(hex)]
            order = record.stops_elsewhere.get("Rails") or list(range(len(record.stops)))
            yield hex, order[int(city) - 1]


def facts_of(state: State1835, names: tuple[str, ...]) -> Facts:
    """The same of a state of ours."""
    game = BOOK
    ledger = state.ledger
    facts: Facts = {
        "bank": ledger.held("money", "bank"),
        "phase": FILE.phases[state.phase].starts_with_train or "2",
        "priority": names[
            # That program moves the marker with every purchase, we at the end of the round.
            state.priority if state.round.part else game.shares.next_priority(state)
        ],
        "round": (state.round.number, state.round.part),
        "tiles": {hex: tuple(laid) for hex, laid in state.layout.tiles.items()},
    }
    if backwards(state):
        # There the marker goes to anyone who is next; it counts only at the end of the round.
        del facts["priority"]
    for seat in range(state.seats):
        own, holder = f"player {seat}", PLAYERS[seat]
        facts[f"{own} cash"] = game.cash(state, seat)
        facts[f"{own} limit"] = (
            game.shares.count_certificates(state, seat),
            game.shares.certificate_limit(state, seat),
        )
        facts[f"{own} papers"] = sorted(game.privates_and_minors(state, seat))
        facts[f"{own} certificates"] = _held(state, holder)
    for own, company in state.companies.items():
        facts[f"{own} cash"] = game.money(state, own)
        facts[f"{own} operating"] = company.operating
        facts[f"{own} trains"] = sorted(game.trains(state, own))
        tokens = sorted(
            (station.hex, station.stop)
            for station in state.layout.stations
            if station.company == own
        )
        left = game.tokens(state, own)
        (home,) = game.components.homes[own]
        if company.operating and home.stop is None and home.hex not in state.layout.tiles:
            # There Baden's marker stands in the hex already; the book places it with the first tile.
            tokens.append((home.hex, 0))
            left -= 1
        facts[f"{own} tokens"] = tokens
        if not company.closed:
            facts[f"{own} tokens left"] = left
        if company.operating:
            facts[f"{own} director"] = names[game.control.decider(state, own)]
            facts[f"{own} revenue"] = company.revenue
    for step in state.agenda:
        if isinstance(step, Pay):
            # There the revenue is entered with the dividend.
            facts[f"{step.company} revenue"] = None
    for own, company in state.companies.items():
        if company.cell:
            stack = tuple(state.chart[company.cell])
            facts[f"{own} price"] = (game.market.price(state, own), company.cell, stack)
    new = Counter[tuple[str, str]]()
    for name in game.public:
        for place in (STACK, PACKET, EXCHANGE_SHARES):
            for certificate, count in game.certificates(state, place, name).items():
                new[name, certificate] += count
    facts["unsold"] = dict(new)
    facts["pool"] = _held(state, POOL)
    facts["new trains"] = sorted(game.trains(state, STACK))
    facts["pool trains"] = sorted(game.trains(state, POOL))
    facts["scrapped"] = sorted(game.trains(state, "box"))
    return facts


def backwards(state: State1835) -> bool:
    """Whether turns go backwards in a variant of the start packet."""
    turn = state.packet_turns
    if state.round.number > 1 or state.round.part:
        return False
    return (state.house.packet == "clemens" and 0 < turn <= state.seats) or (
        state.house.packet == "snake" and state.seats < turn <= 2 * state.seats
    )


def _held(state: State1835, holder: str) -> dict[str, list[str]]:
    found = {}
    for name in BOOK.public:
        held = BOOK.certificates(state, holder, name)
        if held:
            found[name] = sorted(c for c, count in held.items() for _ in range(count))
    return found


Differences = dict[str, tuple[Any, Any]]


def differences(state: State1835, recorded: dict[str, Any], names: tuple[str, ...]) -> Differences:
    """What differs: ours and theirs."""
    ours, theirs = facts_of(state, names), recorded_facts(recorded, names)
    return {
        name: (ours.get(name), theirs.get(name))
        for name in {**ours, **theirs}
        if ours.get(name) != theirs.get(name)
        and not (name == "round" and name not in theirs)
        and not (name == "priority" and name not in ours)
        and not (name.endswith(" revenue") and ours.get(name) is None)
    }


def compared(
    found: Imported, recorded: dict[int, dict[str, Any]]
) -> Iterator[tuple[int, Differences]]:
    """What differs after every action, and at the start (-1)."""
    game = found.game
    position = game.at(0)
    yield -1, differences(position.state, recorded[-1], game.names)
    done = 0
    for action, moves in sorted(found.reached.items(), key=lambda item: item[1]):
        for move in game.moves[done:moves]:
            position.perform(move.action)
        done = moves
        yield action, differences(position.state, recorded[action], game.names)
