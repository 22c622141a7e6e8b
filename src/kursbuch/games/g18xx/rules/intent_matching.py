"""Actions a player may mean by pointing at something without a legal move: a tile, a token, a
share, a train. The rules explain their refusal (`StepRules.attempts`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kursbuch.core.actions import Action
from kursbuch.games.g18xx.actions import BuyShare, BuyTrain, LayTile, PlaceStation, SellShares
from kursbuch.games.g18xx.components import BANK, PLAYERS, POOL
from kursbuch.games.g18xx.map.tiles import shown, successors
from kursbuch.games.g18xx.ruleset import AnyRuleset
from kursbuch.games.g18xx.state import AnyState


def _hex(key: str) -> str:
    """Hex of a map key, empty for other keys."""
    kind, _, name = key.partition(":")
    return name.partition("/")[0] if kind in ("hex", "stop") else ""


def _number(text: str) -> int:
    """Small number at the end of a key, 0 if there is none."""
    return int(text) if text.isdecimal() and len(text) < 3 else 0


def tiles(
    ruleset: AnyRuleset, state: AnyState, seat: int, keys: Sequence[str]
) -> Iterator[LayTile]:
    """Tiles on the hex pointed at: the named one, or any of its successors."""
    board = ruleset.components.board
    hex = next(filter(None, map(_hex, reversed(keys))), "")
    if hex not in board.index or not keys[-1].startswith(("hex:", "stop:", "tile:", "turn:")):
        return
    unlisted = not state.house.printed_upgrades
    following = successors(board, state.layout.tiles, hex, unlisted=unlisted)
    tiles: dict[str, tuple[int, ...]] = {tile.id: tile.rotations for tile in following}
    if len(tiles) < 2:
        # Offer several until one is chosen, if only to be refused.
        tiles = {**dict.fromkeys(list(board.tiles)[:3], (0,)), **tiles}
    named = next((key[5:] for key in keys if key.startswith("tile:")), "")
    if named:
        tiles = {named: tiles.get(named, (0,))}
        turns = [_number(key[5:]) for key in keys if key.startswith("turn:")]
        if turns:
            tiles = {named: (turns[-1],)}
    for tile, rotations in tiles.items():
        yield from (LayTile(seat, hex, tile, rotation) for rotation in rotations)


def token(
    ruleset: AnyRuleset, state: AnyState, seat: int, keys: Sequence[str]
) -> Iterator[PlaceStation]:
    """Tokens on the hex pointed at, in the named stop or any."""
    board, hex = ruleset.components.board, _hex(keys[-1])
    if hex not in board.index:
        return
    stop = keys[-1].partition("/")[2]
    stops = len(shown(board, state.layout.tiles, hex).stops)
    for number in [_number(stop)] if stop else range(max(1, stops)):
        yield PlaceStation(seat, hex, number)


def shares(
    ruleset: AnyRuleset, state: AnyState, seat: int, keys: Sequence[str]
) -> Iterator[Action]:
    """The next new certificate of a company, those in the pool, or one to sell."""
    kind, _, company = keys[-1].partition(":")
    if kind not in ("company", "price") or company not in ruleset.public:
        return
    top = ruleset.shares.top(state, company)
    pool = ruleset.certificates(state, POOL, company)
    if top or not pool:
        yield BuyShare(seat, company, top or "10")
    yield from (BuyShare(seat, company, name, POOL) for name in pool or ([] if top else ["10"]))
    yield from sales(ruleset, state, seat, keys)


def sales(
    ruleset: AnyRuleset, state: AnyState, seat: int, keys: Sequence[str]
) -> Iterator[SellShares]:
    """The smallest certificate of a company, to sell."""
    kind, _, company = keys[-1].partition(":")
    if kind in ("company", "price") and company in ruleset.public:
        held = list(ruleset.certificates(state, PLAYERS[seat], company))
        yield from (SellShares(seat, company, (name,)) for name in held[-1:])


def trains(ruleset: AnyRuleset, seat: int, keys: Sequence[str]) -> Iterator[BuyTrain]:
    """A train of a type, from the bank or the pool."""
    kind, _, name = keys[-1].partition(":")
    source, _, train = name.rpartition(":")
    if kind == "train" and train in ruleset.components.train_records:
        sources = [source] if source in (BANK, POOL) else [BANK, POOL]
        yield from (BuyTrain(seat, train, source) for source in sources)
