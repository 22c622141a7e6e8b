"""Railroad Dice (Jens Kappe): one line, five companies, and dice that serve as track, money and shares."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from msgspec.structs import replace

from kursbuch.core.actions import Action
from kursbuch.core.components import Data, PrintedComponent, completed
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.core.state import Decision, Encoding, Ledger
from kursbuch.core.tally import Tally
from kursbuch.core.title import (
    ROUND,
    Audience,
    Option,
    Premoves,
    Result,
    Title,
    hash_data,
    parse_data,
)
from kursbuch.core.words import N_, Words
from kursbuch.games.dice import corrections, drawing, printed
from kursbuch.games.dice.actions import (
    BuildStation,
    DiceAction,
    EndTurn,
    LayTrack,
    OpenTile,
    ReturnDice,
    Roll,
)
from kursbuch.games.dice.components import Board, BoardFile, standard_data
from kursbuch.games.dice.drawing.shapes import COMPANY_COLOURS, OTHER_COMPANY
from kursbuch.games.dice.evaluation import DiceEvaluator
from kursbuch.games.dice.events import (
    BankBroken,
    DirectorAppointed,
    EndCaused,
    ScreensLifted,
    TileOpened,
    YearBegun,
)
from kursbuch.games.dice.geography import Geography
from kursbuch.games.dice.state import (
    BEHIND,
    END_NAMES,
    FRONT,
    QUESTION,
    SEATS,
    Bridge,
    Crossing,
    DiceState,
    End,
    FinalCount,
    Joining,
    Large,
    Opening,
    Piece,
    Reduction,
    Small,
    Turn,
    YearChange,
    encoding,
    on_tile,
    passengers,
    share,
    small,
)
from kursbuch.games.dice.steps import (
    BridgeRules,
    CrossingRules,
    FinalCountRules,
    JoiningRules,
    OpeningRules,
    ReductionRules,
    TurnRules,
    YearChangeRules,
    winners,
)
from kursbuch.games.dice.tally import tally
from kursbuch.games.dice.text import TILE, DiceVoice
from kursbuch.games.dice.track import Layer


class DicePremoves(Premoves[DiceState]):
    """Premoves for turns."""

    def situations(self, state: DiceState, seat: int) -> Iterator[DiceState]:
        yield replace(state, agenda=[Turn(seat)])

    def passing(self, state: DiceState, decision: Decision) -> Action | None:
        return EndTurn(decision.seat) if isinstance(state.agenda[-1], Turn) else None

    def terms(self, state: DiceState, action: Action) -> str:
        """Position of the end of the line used by the action."""
        if isinstance(action, LayTrack | BuildStation):
            end = state.ends[END_NAMES.index(action.end)]
            return f"{end.small} {end.square} {end.front}"
        return ""

    def triggers(self, state: DiceState, seat: int) -> Sequence[str]:
        return [ROUND, TILE]

    def happened(self, event: Event) -> Iterable[str]:
        match event:
            case YearBegun():
                return (ROUND,)
            case TileOpened():
                return (TILE,)
        return ()


#: Number of dice the extended game adds to the bank [option-extended].
EXTENSION = 20


class RailroadDice(Title[DiceState]):
    """The title with its data, steps, texts and drawing."""

    id: ClassVar[str] = "dice"
    name: ClassVar[str] = "Railroad Dice"
    seats: ClassVar[range] = range(2, 5)
    minutes: ClassVar[int] = 75
    summary: ClassVar[str] = N_(
        "Lay dice as track, pay for stations with them, and run the companies with the most passengers."
    )
    audience: ClassVar[Audience | None] = Audience.STRATEGY
    difficulty: ClassVar[int] = 3
    cutout = (36, 171.5, 294, 165.4)
    package: ClassVar[str] = "kursbuch.games.dice"
    data_file: ClassVar[str] = "board.json"
    reconstructed: ClassVar[str] = N_(
        "The squares of the tiles, how many small tiles there are of each type, and three colours are recorded "
        "nowhere and have been reconstructed."
    )
    state_type = DiceState
    action_type = DiceAction
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "bank",
            ("standard", "extended"),
            N_("Dice in the game"),
            (N_("40, as printed"), N_("60, extended game (fwtwr.com, rules 1.2)")),
            "option-extended",
        ),
    )

    def __init__(self, data: bytes | None = None) -> None:
        standard = standard_data()
        given = standard if data is None else completed(data, self.id, standard)
        file = parse_data(given, BoardFile)
        self.data_hash = hash_data(file)
        self.board = Board(file)
        self.geography = Geography(self.board)
        layer = Layer(self.geography)
        self.steps = {
            Opening: OpeningRules(),
            Turn: TurnRules(layer),
            Bridge: BridgeRules(layer),
            Crossing: CrossingRules(layer),
            Joining: JoiningRules(layer),
            Reduction: ReductionRules(self.board),
            YearChange: YearChangeRules(self.board),
            FinalCount: FinalCountRules(self.board),
        }
        self.evaluator = DiceEvaluator(self.geography)
        self.corrections = [kind(self.geography) for kind in corrections.KINDS]

    @property
    def data_is_standard(self) -> bool:
        return self.data_hash == TITLE.data_hash

    def with_data(self, data: bytes) -> RailroadDice:
        return RailroadDice(data)

    def printed_components(self, file: Data, words: Words) -> Sequence[PrintedComponent]:
        return list(printed.components(self.board, file, words))

    def align_data(self, file: Data) -> None:
        printed.align(file)

    # ---- play

    def setup(self, seats: int, options: Mapping[str, str]) -> DiceState:
        """Initial state; the start player is drawn later [setup-1 to setup-8, option-extended]."""
        board = self.board
        added = EXTENSION if options["bank"] == "extended" else 0
        start = board.file.dice.start_per_player
        dice = {FRONT[seat][QUESTION]: start for seat in range(seats) if start}
        dice[on_tile(0)] = 1
        dice["supply"] = board.dice + added - sum(dice.values())
        items: dict[str, dict[str, int]] = {"die": dice, "passengers": {"bank": 0}}
        for index, tile in enumerate(board.tiles):
            used = int(index == board.start_tile)
            items[small(tile.id)] = {"supply": tile.small - used} if tile.small > used else {}
            if used:
                items[small(tile.id)]["landscape"] = used
        for company in board.companies:
            items[share(company.id)] = {"supply": company.shares}
        for stock in board.stocks:
            items[stock.item] = {"card": stock.copies}
        west, east = 3, 1
        return DiceState(
            seats=seats,
            agenda=[Opening()],
            ledger=Ledger(items),
            year=1,
            start=0,
            turns=0,
            landscape=[Small(0, 0, board.start_tile, 0)],
            large=[Large(0, [Piece(board.centre, west, east)])],
            ends=[End(0, board.centre, east), End(0, board.centre, west)],
            directors=[None] * len(board.companies),
            fallen=[False] * seats,
            ending="",
            screened=[],
            added_dice=added,
        )

    def result(self, state: DiceState) -> Result | None:
        """The most passengers win [win-1, win-2]."""
        return None if state.agenda else Result(self.scores(state), winners(state))

    def scores(self, state: DiceState) -> tuple[int, ...]:
        """Passenger counters of 1000 passengers each; 0 if hidden by a screen."""
        return tuple(passengers(state, seat) for seat in range(state.seats))

    def worth(self, state: DiceState) -> tuple[int | None, ...]:
        """None for passengers behind a screen [passenger-3]."""
        return tuple(
            None if seat in state.screened else passengers(state, seat)
            for seat in range(state.seats)
        )

    def tally(self, state: DiceState, events: Sequence[Event]) -> Tally:
        """Passengers carried and expected by source; see `tally`."""
        return tally(self.geography, state, events)

    def view(self, state: DiceState, seat: int | None) -> DiceState:
        """Hide what is behind the others' screens [dice-2, passenger-3].

        The bank's passenger balance is hidden too, since it would reveal their sum. Dice in the bank are open, so
        the total behind all screens is known.
        """
        if not state.agenda:
            return state
        view = self.clone(state)
        view.screened = [other for other in range(state.seats) if other != seat]
        dice, counters = view.ledger.items["die"], view.ledger.items["passengers"]
        counters.pop("bank", None)
        for other in view.screened:
            dice.pop(BEHIND[other], None)
            counters.pop(SEATS[other], None)
        return view

    def determinize(self, view: DiceState, seat: int | None, rng: random.Random) -> DiceState:
        """Distribute unseen dice among the screens; guess the others' passengers near the viewer's own."""
        dice, counters = view.ledger.items["die"], view.ledger.items["passengers"]
        screened = view.screened
        if not screened:
            return view
        for _ in range(self.board.dice + view.added_dice - sum(dice.values())):
            holder = BEHIND[rng.choice(screened)]
            dice[holder] = dice.get(holder, 0) + 1
        own = counters.get(SEATS[seat], 0) if seat is not None else 2 * (view.year - 1)
        for other in screened:
            guess = max(0, own + rng.randint(-2, 2)) if view.year > 2 else own
            if guess:
                counters[SEATS[other]] = guess
        counters["bank"] = -sum(counters.values())
        view.screened = []
        return view

    def uncorrectable(self, state: DiceState, kind: str) -> IllegalAction | None:
        return corrections.uncorrectable(state, kind)

    def encoding(self, seats: int) -> Encoding:
        return encoding(self.board, seats)

    # ---- notation

    def spelling(self) -> Mapping[str, Iterable[str]]:
        board = self.board
        return {
            "COMPANY": [company.id for company in board.companies],
            "TILE": [tile.id for tile in board.tiles],
            "TERRAIN": [record.terrain for record in board.surroundings],
        }

    @cached_property
    def premoves(self) -> Premoves[DiceState]:
        return DicePremoves()

    # ---- text and drawing

    def voice(self, words: Words) -> DiceVoice:
        return DiceVoice(self.geography, words)

    @cached_property
    def colours(self) -> Mapping[str, tuple[str, str]]:
        return {
            f"company:{company.id}": COMPANY_COLOURS.get(company.colour, OTHER_COMPANY)
            for company in self.board.companies
        }

    def draw(self, state: DiceState, words: Words, marks: Sequence[str] = ()) -> str:
        return drawing.draw(state, self.geography, words, marks)

    def opens(self, event: Event) -> bool:
        return isinstance(event, YearBegun)

    def announces(self, event: Event) -> bool:
        return isinstance(
            event, YearBegun | DirectorAppointed | EndCaused | BankBroken | ScreensLifted
        )

    def marks(self, events: Sequence[Event]) -> list[str]:
        return drawing.marks(events)

    def irrevocable(self, action: Action) -> bool:
        """Rolling and actions that end something cannot be taken back."""
        return isinstance(action, Roll | OpenTile | EndTurn | ReturnDice)


TITLE = RailroadDice()
