"""Actions of Rails-18xx, and our game along them."""

from __future__ import annotations

from typing import Any

from kursbuch.core.game import Game
from kursbuch.core.words import Words
from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.g1835.rails18xx import FileReplay
from kursbuch.games.g18xx.rails18xx import Act
from kursbuch.games.g18xx.state import EndTurn
from tests.games.g18xx.g1835.table import Scene
from tests.games.g18xx.scene import NAMES

DONE, PASS, SKIP, AUTOPASS = range(4)


def act(kind: str, name: str = "A", **fields: Any) -> tuple[str, int, dict[str, Any]]:
    return kind, NAMES.index(name), fields


def null(mode: int, name: str = "A") -> tuple[str, int, dict[str, Any]]:
    return act("NullAction", name, mode=mode)


def acts(*given: tuple[str, int, dict[str, Any]]) -> list[Act]:
    return [Act(number, *one) for number, one in enumerate(given)]


def follow(
    scene: Scene, *given: tuple[str, int, dict[str, Any]], may: tuple[str, ...] = ()
) -> list[str]:
    """Our moves for these actions; the scene is then where they lead to."""
    replay = along(scene, *given, may=may)
    return [replay.game.format(move.action) for move in replay.game.moves]


def along(
    scene: Scene, *given: tuple[str, int, dict[str, Any]], may: tuple[str, ...] = ()
) -> FileReplay:
    """The same with all that is known about it."""
    replay = begun(scene, *given, may=may)
    stopped = replay.run(None)
    if stopped is not None:
        raise stopped
    assert replay.count() == len(given)
    return replay


def begun(
    scene: Scene, *given: tuple[str, int, dict[str, Any]], may: tuple[str, ...] = ()
) -> FileReplay:
    """The same before the first action."""
    game = Game(TITLE, NAMES[: scene.state.seats], seed="x")
    game.position = scene.position
    game.states = {0: TITLE.encode(scene.state)}
    replay = FileReplay(game, acts(*given), list(may))
    for company in (step.company for step in scene.state.agenda if isinstance(step, EndTurn)):
        replay.memory.open.append(company)
    return replay


def remarks(replay: FileReplay) -> list[str]:
    """What is said at the end, in English."""
    return [remark.text(Words()) for remark in replay.remarks()]


def tile(company: str, hex: str, number: str, orientation: int, **more: Any) -> Any:
    return act(
        "LayTile",
        companyName=company,
        chosenHexName=hex,
        sLaidTileId=number,
        orientation=orientation,
        **more,
    )


def train(company: str, unique: str, source: str, price: int, name: str = "A") -> Any:
    return act(
        "BuyTrain",
        name,
        companyName=company,
        trainUniqueId=unique,
        typeName=unique.partition("_")[0],
        fromName=source,
        pricePaid=price,
    )


def sale(name: str, company: str, share: int, number: int = 1) -> Any:
    return act("SellShares", name, companyName=company, share=share, number=number)


def certificate(name: str, company: str, percent: int, source: str = "Bank_IPO") -> Any:
    return act("BuyCertificate", name, companyName=company, sharePerCert=percent, fromName=source)


def packet() -> Scene:
    scene = Scene()
    scene.state.agenda.append(TITLE.setup(4, TITLE.option_values({})).agenda[0])
    return scene.on()
