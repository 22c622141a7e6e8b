"""Import of 1835 games recorded by the program Rails-18xx."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from kursbuch.core.corrections import NOBODY, Correct, player
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.registry import Imported, OtherGame, Progress, Remark
from kursbuch.core.state import Step
from kursbuch.core.title import Title
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import Done, LayTile, PlaceStation
from kursbuch.games.g18xx.components import BANK, BOX, PACKET, POOL
from kursbuch.games.g18xx.g1835.rails18xx import answers, replay
from kursbuch.games.g18xx.g1835.rails18xx.replay import COMPANY_KINDS, Replay
from kursbuch.games.g18xx.g1835.rails18xx.terms import Names, candidates, translated, unknown
from kursbuch.games.g18xx.g1835.ruleset import PRUSSIA
from kursbuch.games.g18xx.g1835.state import (
    FREE_REVENUE,
    PAYS_BEYOND_BANK,
    ExchangeOffer,
    PacketTurn,
    PrussiaOffer,
)
from kursbuch.games.g18xx.map.track import Laid
from kursbuch.games.g18xx.rails18xx import (
    Act,
    CannotTake,
    Needs,
    current,
    read,
    readings,
    search,
    turned,
)
from kursbuch.games.g18xx.state import (
    Build,
    BuyTrains,
    EndTurn,
    Home,
    Pay,
    PlaceToken,
    RaiseMoney,
    StockTurn,
    Surplus,
    Swap,
    TrainOffer,
)

#: Turning correction mode on or off changes nothing.
MODES = ("CorrectionModeAction",)

#: A correction that changes nothing in our game.
NOTHING = Correct(NOBODY, "", ())
TAKEN_OVER = N_(
    "In action {actions} something was corrected by hand. It is taken over as a correction."
)


def _texts(act: Act) -> Iterator[str]:
    """All text in the fields of an action, except who made it."""
    for name, value in act.fields.items():
        if name != "playerName":
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, str):
                    yield part


def _cash(replay: Replay, act: Act) -> Correct | None:
    """Translate a payment between the bank and a holder."""
    amount = act["amount"]
    if not isinstance(amount, int) or isinstance(amount, bool):
        return None
    for text in _texts(act):
        name = " ".join(text.split())
        names = replay.game.names
        holder = player(names.index(name)) if name in names else replay.terms.names.get(name, "")
        if holder and not amount:
            return NOTHING
        if holder:
            source, target = (BANK, holder) if amount > 0 else (holder, BANK)
            return Correct(NOBODY, "money", (source, target, str(abs(amount))))
    return None


def _price(replay: Replay, act: Act) -> Correct | None:
    """Translate the move of a price marker by one cell."""
    company = replay.terms.names.get(act.company)
    chart = replay.ruleset.chart
    ways = {"UP": chart.up, "DOWN": chart.down, "LEFT": chart.left, "RIGHT": chart.right}
    way = next((ways[text.upper()] for text in _texts(act) if text.upper() in ways), None)
    if company is None or way is None:
        return None
    here = replay.state.companies[company].cell
    there = way.get(here, here)
    return Correct(NOBODY, "price", (company, there)) if there != here else None


def _close(replay: Replay, act: Act) -> Correct | None:
    """Translate the closing of a private."""
    privates = replay.ruleset.components.privates
    for text in _texts(act):
        paper = replay.terms.names.get(text, "")
        if paper in privates:
            seat = replay.ruleset.owner(replay.state, paper)
            source = PACKET if seat is None else player(seat)
            return Correct(NOBODY, "paper", (paper, source, BOX))
    return None


def _tile(replay: Replay, act: Act) -> Correct | None:
    """Translate a tile laid by hand; a printed hex counts as a tile there, so it removes ours."""
    hex = str(act["locationCoordinates"] or act["hexName"] or "")
    tiles = act["sTileIds"] or act["tileIds"] or [act["tileNumber"]]
    tile = str(tiles[0]) if isinstance(tiles, list) and len(tiles) == 1 else ""
    turn = act["orientation"] if act["rotation"] is None else act["rotation"]
    board = replay.ruleset.components.board
    if not isinstance(turn, int):
        return None
    if tile in board.tiles:
        rotation = turned(board.tile(tile), turn)
        replay.terms.turned[hex] = rotation
        lowest = board.tile(tile).lowest[rotation]
        if replay.state.layout.tiles.get(hex) == Laid(tile, lowest):
            return NOTHING
        return Correct(NOBODY, "tile", (hex, tile, str(lowest)))
    return Correct(NOBODY, "no-tile", (hex,)) if hex in replay.state.layout.tiles else None


def _train(replay: Replay, act: Act) -> Correct | None:
    """Translate the transfer of a train."""
    train = replay.terms.train(act["trainId"])
    given = [act[name] for name in ("sourceOwnerName", "destOwnerName")]
    sides = [_depot(replay, str(name)) for name in given]
    for name, side in zip(given, sides, strict=True):
        if name and not side:
            raise unknown(name, act)
    if train not in replay.ruleset.components.train_order or not all(sides):
        return None
    replay.terms.trains[str(act["trainId"])] = sides[1]
    return Correct(NOBODY, "train", (train, *sides))


def _depot(replay: Replay, name: str) -> str:
    """The holder that Rails calls for example "Bank Pool" or "Trash/Scrap Heap"."""
    place = name.removeprefix("Bank").strip(" _")
    if "Trash" in place or "Scrap" in place:
        return BOX
    found = {"IPO": BANK, "Pool": POOL}.get(place) or replay.terms.names.get(place, "")
    companies = replay.state.companies
    return found if found in (BANK, POOL, *companies) else ""


CORRECTIONS: Mapping[str, Callable[[Replay, Act], Correct | None]] = {
    "CashCorrectionAction": _cash,
    "CorrectCash": _cash,
    "AdjustSharePrice": _price,
    "ClosePrivate": _close,
    "MapCorrectionAction": _tile,
    "TrainCorrectionAction": _train,
}

#: Steps of a multi-step correction that do not change the map.
STEPS = frozenset(
    {"SELECT_HEX", "SELECT_TILE", "SELECT_ORIENTATION", "CONFIRM", "RELAY_BASETOKENS"}
)

#: Type of tiles and tokens laid by hand, in newer versions.
BY_HAND = 99


def _by_hand(replay: Replay, act: Act) -> Correct | None:
    """Translate a tile or token laid as a correction."""
    move = replay.terms.building(act, 0)
    if isinstance(move, LayTile):
        if replay.state.layout.tiles.get(move.hex) == Laid(move.tile, move.rotation):
            return NOTHING
        return Correct(NOBODY, "tile", (move.hex, move.tile, str(move.rotation)))
    assert isinstance(move, PlaceStation)
    company = replay.terms.company(act)
    return Correct(NOBODY, "station", (company, move.hex, str(move.stop + 1)))


def corrected(replay: Replay) -> bool:
    """Take over the next action if it is a correction."""
    act: Act = replay.next()
    if act.kind in MODES or act["stepName"] in STEPS:
        replay.take([replay.head])
        return True
    translate: Callable[[Replay, Act], Any] | None = CORRECTIONS.get(act.kind)
    if act.kind in ("LayTile", "LayBaseToken") and act["type"] == BY_HAND:
        translate = _by_hand
    if translate is None:
        return False
    action = translate(replay, act)
    if action is NOTHING:
        replay.take([replay.head])
        return True
    if action is None:
        raise replay.cannot(
            "Action {number} ({kind}) is a correction of which it is not clear what it changes."
        )
    replay.memory.corrected.append(act.number)
    replay.take([replay.head], action)
    return True


#: Kinds of actions that occur in games of this family.
KINDS = {
    "BuyCertificate",
    "BuyStartItem",
    "DiscardTrain",
    "FoldIntoPrussian",
    "NullAction",
    "SellShares",
    "StartCompany",
    *COMPANY_KINDS,
}

#: Steps caused by Prussia's formation or surplus trains.
_FORMING = (PrussiaOffer, ExchangeOffer, Swap, Surplus)


def known(act: Act) -> None:
    """Raise unless an action is of a possible kind."""
    if act.kind not in (*KINDS, *CORRECTIONS, *MODES):
        raise CannotTake(
            "Action {number} is of a kind that cannot be imported: {kind}.",
            number=act.number,
            kind=act.kind,
        )


def after_end(replay: Replay) -> None:
    """Skip an action after the end that our game has done by itself."""
    act = replay.next()
    known(act)
    idle = act.kind == "NullAction" or (act.kind == "SetDividend" and _earned(replay, act, None))
    if not idle:
        raise replay.cannot("Action {number} ({kind}) comes after the end of the game.")
    replay.take([replay.head])


def happened(replay: Replay, step: Step) -> bool:
    """Skip the next action if our game has done it already."""
    memory, state = replay.memory, replay.state
    act = replay.next()
    known(act)
    match act.kind:
        case "NullAction" if act.mode in ("PASS", "AUTOPASS"):
            while memory.passed:
                if memory.passed.pop(0) == act.seat:
                    replay.take([replay.head])
                    return True
            return _superfluous(replay, act, step)
        case "NullAction" if act.mode == "DONE":
            done = _ahead(replay) and not (isinstance(step, StockTurn) and step.acted)
        case "NullAction":
            done = _skipped(replay, step)
        case "SetDividend":
            done = _earned(replay, act, step)
        case "DiscardTrain":
            company = replay.terms.company(act)
            # Exchanges may still bring Prussia surplus trains.
            waits = company == PRUSSIA and isinstance(step, _FORMING)
            trains = len(replay.ruleset.trains(state, company))
            done = not waits and trains <= replay.ruleset.depot.train_limit(state, company)
        case "FoldIntoPrussian":
            papers = replay.terms.folded(act)
            done = not isinstance(step, _FORMING) and all(
                replay.ruleset.owner(state, paper) is None for paper in papers
            )
        case "BuyTrain":
            # A purchase may be repeated after a forced sale.
            company = replay.terms.company(act)
            done = memory.trains.get(str(act["trainUniqueId"])) == company
        case "LayTile" | "LayBaseToken":
            _check_missed(replay, act, step)
            done = False
        case _:
            done = False
    if act.kind in COMPANY_KINDS and (company := replay.terms.company(act)) in memory.open:
        del memory.open[: memory.open.index(company)]
    elif act.kind in ("BuyCertificate", "BuyStartItem", "StartCompany"):
        memory.open.clear()
        memory.passed.clear()
    if done:
        replay.take([replay.head])
        if act.mode == "DONE" and memory.open:
            memory.open.pop(0)
    return done


def _superfluous(replay: Replay, act: Act, step: Step) -> bool:
    """Whether a pass has no effect: an open point, asked once, since our game may not have come so
    far."""
    memory = replay.memory
    if memory.pass_asked == act.number or (
        isinstance(step, PacketTurn | StockTurn) and step.seat == act.seat
    ):
        return False
    taken = replay.pick("", 2)
    memory.pass_asked = act.number
    if taken:
        replay.take([replay.head])
    return bool(taken)


def _check_missed(replay: Replay, act: Act, step: Step) -> None:
    """Raise if our game has skipped this step because nothing was legal in it."""
    company = replay.terms.company(act)
    if company not in replay.memory.open or (
        getattr(step, "company", company) == company and not isinstance(step, Pay | BuyTrains)
    ):
        return
    raise replay.unfit(act)


def _ahead(replay: Replay) -> bool:
    """Whether a turn that is still open in the file has ended in our game."""
    return len(replay.memory.open) > 1 or not any(
        isinstance(below, EndTurn) for below in replay.state.agenda
    )


def _skipped(replay: Replay, step: Step) -> bool:
    """Whether the file skips a step that our game has left already."""
    if isinstance(step, PacketTurn | StockTurn):
        return True
    for place in replay.rest():
        act = replay.actions[place]
        if act.kind == "NullAction" and act.mode == "SKIP":
            continue
        if act.kind == "NullAction" and act.mode == "DONE":
            return _ahead(replay)
        return act.kind == "SetDividend" and _earned(replay, act, step, check=False)
    return False


def _earned(replay: Replay, act: Act, step: Step | None, *, check: bool = True) -> bool:
    """Whether our game has booked the revenue already: minors share it automatically, and a revenue
    of 0 is not asked about."""
    memory = replay.memory
    company = replay.terms.company(act)
    if company not in memory.earned or company not in memory.open:
        return False
    if isinstance(step, Build | PlaceToken | Pay) and step.company == company:
        return False
    recorded = int(act["actualRevenue"] or 0)
    ran = company in replay.state.round.acted or getattr(step, "company", "") == company
    if recorded != memory.earned[company] and not ran:
        # It may be the revenue of the previous round.
        return False
    if check and memory.earned.pop(company) != recorded:
        raise Needs(FREE_REVENUE)
    return True


#: Function that answers each step of our game.
ANSWERS: Mapping[type[Step], Callable[[Replay, Any], None]] = {
    PacketTurn: answers.packet,
    StockTurn: answers.stock,
    Swap: answers.swap,
    Build: answers.build,
    PlaceToken: answers.place,
    Home: answers.home,
    Pay: answers.pay,
    BuyTrains: answers.trains,
    TrainOffer: answers.offer,
    RaiseMoney: answers.raise_money,
    Surplus: answers.surplus,
    PrussiaOffer: answers.prussia,
    ExchangeOffer: answers.exchange_offer,
}

#: Steps that complete the previous action.
_BELONGING = (Swap, Home, TrainOffer)


class FileReplay(Replay):
    """One attempt to replay the whole file."""

    def run(self, progress: Progress | None) -> KursbuchError | None:
        """Replay the actions one by one; return what stopped it, if anything."""
        try:
            while self.head < len(self.actions):
                if progress is not None:
                    progress(self.head, len(self.actions))
                replay.settle(self)
                if not self.game.over and (replay.empty(self) or corrected(self)):
                    continue
                if self.game.over:
                    after_end(self)
                else:
                    self._answer()
            while not self.game.over and isinstance(self.state.agenda[-1], _BELONGING):
                self._ask(self.state.agenda[-1])
            replay.settle(self)
        except KursbuchError as stop:
            return stop
        self._finish()
        self.reach()
        return None

    def remarks(self) -> list[Remark]:
        found = super().remarks()
        if self.memory.corrected:
            found.append(Remark(tuple(self.memory.corrected), TAKEN_OVER, {}))
        return found

    def stop(self) -> None:
        """End the game after the last action taken over."""
        self.game.rewind(len(self.game.moves) - self.memory.idle)
        self.reach()

    def _answer(self) -> None:
        """Answer the current step of our game."""
        step = self.state.agenda[-1]
        if isinstance(step, _BELONGING) or not happened(self, step):
            if isinstance(step, Surplus | RaiseMoney) and self.next().kind == "NullAction":
                # These steps cannot be skipped, so a null action has no effect.
                self.take([self.head])
            else:
                self._ask(step)

    def _ask(self, step: Step) -> None:
        answer = ANSWERS.get(type(step))
        if answer is None:
            raise self.unfit(self.next())
        answer(self, step)

    def _finish(self) -> None:
        """Pass the steps left at the end of a finished game."""
        moves = len(self.game.moves)
        for _ in range(4):
            step = self.state.agenda[-1] if self.state.agenda else None
            if not isinstance(step, Build | PlaceToken | BuyTrains):
                break
            try:
                self.game.apply(Done(self.decider()))
            except IllegalAction:
                break
        if not self.game.over:
            self.game.rewind(moves)


#: Kinds of actions without effect on the game.
IDLE = {"ReachDestinations", "RequestTurn", "UserComment", "Comment"}


def import_rails(
    title: Title[Any], data: bytes, *, partial: bool = False, progress: Progress | None = None
) -> Imported:
    """Import the game of a save file.

    Options beyond the rulebook are set only where an action needs them.
    """
    save = read(data)
    if save.game != title.id:
        raise OtherGame(
            "This is a game of {game}; only those of {title} can be read.",
            game=save.game,
            title=title.name,
        )
    options, unknown = translated(save.options)
    if unknown and not partial:
        raise KursbuchError(unknown[0].template, **unknown[0].params)
    lost: KursbuchError | None = None
    try:
        ways = readings(save.actions)
    except KursbuchError as error:
        if not partial:
            raise
        lost = error
        number = error.params["number"]
        assert isinstance(number, int)
        ways = readings([act for act in save.actions if act.number < number])
    names = Names(title.ruleset, save.players)  # type: ignore[attr-defined]
    seed = "rails " + hashlib.sha256(data).hexdigest()[:16]
    may = candidates(save.options)
    best: tuple[FileReplay, KursbuchError | None] | None = None
    for kept in ways:
        actions, unread = _current(kept, names)
        if unread is not None and not partial:
            raise unread
        lost = lost or unread
        first = FileReplay(Game(title, save.players, options, seed=seed), actions, may)
        replay, stopped = search(first, _with_option, progress)
        if stopped is not None:
            replay.stop()
        if best is None or stopped is None or replay.count() > best[0].count():
            best = replay, stopped
        if stopped is None:
            break
    assert best is not None
    replay, stopped = best
    if stopped is not None and not partial:
        raise stopped
    return Imported(
        replay.game,
        len(save.actions),
        replay.count() if stopped or lost else len(save.actions),
        replay.memory.reached,
        frozenset(replay.memory.ahead),
        (*unknown, *replay.remarks()),
        stopped or lost,
    )


def _current(kept: Iterable[Act], names: Names) -> tuple[list[Act], CannotTake | None]:
    """Effective actions with current names, and what stopped the translation, if anything."""
    actions: list[Act] = []
    for act in kept:
        try:
            if act.kind in IDLE or act.kind == "GameAction":
                continue
            known(act)
            act = names.current(current(act))
        except CannotTake as unread:
            return actions, unread
        if not (act.kind == "NullAction" and act.mode == "START_GAME"):
            actions.append(act)
    return actions, None


def _with_option(replay: FileReplay, option: str) -> FileReplay | None:
    """Restart with an option, unless it is set already or may not be."""
    if option not in replay.may or replay.state.house.agreed(option):
        return None
    game = replay.game
    fresh = Game(game.title, game.names, {**game.options, option: "on"}, seed=game.seed)
    again = FileReplay(fresh, replay.actions, replay.may, replay.picks)
    again.overruled = replay.overruled
    shown = replay.memory.noted.get(PAYS_BEYOND_BANK, [])
    if option == PAYS_BEYOND_BANK:
        # The restarted game cannot tell which action needed it.
        shown = [replay.next().number]
    if shown:
        again.memory.noted[PAYS_BEYOND_BANK] = shown
    return again
