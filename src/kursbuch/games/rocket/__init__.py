"""Stephenson's Rocket (Reiner Knizia): railway lines, shares, vetoes and mergers in the England of 1830."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from msgspec.structs import replace

from kursbuch.core.actions import Action
from kursbuch.core.components import RECONSTRUCTED, Data, PrintedComponent, completed
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.events import Event
from kursbuch.core.state import Decision, Encoding, Ledger
from kursbuch.core.tally import Tally
from kursbuch.core.title import (
    Audience,
    ObjectionTexts,
    Option,
    Premoves,
    Result,
    Title,
    hash_data,
    parse_data,
)
from kursbuch.core.words import N_, Words
from kursbuch.games.rocket import corrections, drawing, printed
from kursbuch.games.rocket.actions import (
    CallVeto,
    ExtendLine,
    LetStand,
    MoveStation,
    PassVeto,
    PlaceStation,
    RocketAction,
    TakeToken,
)
from kursbuch.games.rocket.components import Board, BoardFile, standard_data
from kursbuch.games.rocket.evaluation import RocketEvaluator
from kursbuch.games.rocket.events import EndReached, LineIsolated, Merged, VetoDecided
from kursbuch.games.rocket.settlement import FinalScoringRules, SettlementRules
from kursbuch.games.rocket.state import (
    SEATS,
    Boards,
    FinalScoring,
    Objection,
    Opening,
    RocketState,
    Settlement,
    Turn,
    Veto,
    encoding,
    is_isolated,
    share,
    token,
)
from kursbuch.games.rocket.steps import ObjectionRules, OpeningRules, TurnRules, VetoRules
from kursbuch.games.rocket.tally import tally
from kursbuch.games.rocket.text import RocketVoice, lengths


class RocketPremoves(Premoves[RocketState]):
    """Premoves for turns, objections and veto rounds."""

    objects: ClassVar[bool] = True

    def __init__(self, boards: Boards) -> None:
        self.boards = boards

    def situations(self, state: RocketState, seat: int) -> Iterator[RocketState]:
        yield replace(state, agenda=[Turn(seat, 1, [])])

    def passing(self, state: RocketState, decision: Decision) -> Action | None:
        return PassVeto(decision.seat) if isinstance(state.agenda[-1], Veto) else None

    def objecting(self, state: RocketState, decision: Decision) -> Action | None:
        return CallVeto(decision.seat) if isinstance(state.agenda[-1], Objection) else None

    def terms(self, state: RocketState, action: Action) -> str:
        """The locomotive's position, the owners of its hex and of station hexes, and the number of tokens left."""
        board = self.boards.of(state)
        match action:
            case ExtendLine(_, name):
                line = next(n for n, record in enumerate(board.lines) if record.id == name)
                return f"{state.locomotive[line]} {state.merged_into[line]}"
            case PlaceStation(_, hex) | MoveStation(_, _, hex):
                place = board.hex_index[hex]
                return f"{state.owner[place]} {state.stations.get(place)}"
            case TakeToken(_, metropolis):
                return str(state.ledger.held(token(metropolis), "map"))
        return ""


class Rocket(Title[RocketState]):
    """The title with its data, steps, texts and drawing."""

    id: ClassVar[str] = "rocket"
    name: ClassVar[str] = "Stephenson's Rocket"
    seats: ClassVar[range] = range(2, 5)
    minutes: ClassVar[int] = 90
    summary: ClassVar[str] = N_(
        "Steer seven railway lines across England, and secure shares, stations and goods before they pay out."
    )
    audience: ClassVar[Audience | None] = Audience.STRATEGY
    difficulty: ClassVar[int] = 3
    cutout = (172, 60, 400, 225)
    package: ClassVar[str] = "kursbuch.games.rocket"
    data_file: ClassVar[str] = "board.json"
    reconstructed: ClassVar[str] = N_(
        "The places of most towns and the edges of the map are recorded nowhere and have been reconstructed."
    )
    objection_texts: ClassVar[ObjectionTexts | None] = ObjectionTexts()
    state_type = RocketState
    action_type = RocketAction
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "railway_towns",
            ("9", "13"),
            N_("Railway towns"),
            (N_("9, as printed"), N_("13, for more scorings")),
            "setup-1",
        ),
        Option(
            "halves",
            ("rounded", "exact"),
            N_("Half payments"),
            (N_("rounded up to £1,000"), N_("paid exactly")),
            "tie-1",
        ),
        Option(
            "money",
            ("open", "hidden"),
            N_("Money of the others"),
            (N_("open"), N_("hidden until the end")),
            "setup-2",
        ),
    )

    def __init__(self, data: bytes | None = None) -> None:
        standard = standard_data()
        given = standard if data is None else completed(data, self.id, standard)
        file = parse_data(given, BoardFile)
        self.data_hash = hash_data(file)
        self.boards = Boards(Board(file), Board(file, optional_towns=True))
        self.steps = {
            Opening: OpeningRules(),
            Turn: TurnRules(self.boards),
            Objection: ObjectionRules(self.boards),
            Veto: VetoRules(self.boards),
            Settlement: SettlementRules(self.boards),
            FinalScoring: FinalScoringRules(self.boards),
        }
        self.evaluator = RocketEvaluator(self.boards)
        self.corrections = [kind(self.boards) for kind in corrections.KINDS]
        self._check_ways()

    def _check_ways(self) -> None:
        """Check that every line can reach something, so that the game cannot stall."""
        for towns in self.options[0].values:
            state = self.setup(2, {**self.option_values({}), "railway_towns": towns})
            board = self.boards.of(state)
            for line, record in enumerate(board.lines):
                if is_isolated(state, board, line):
                    raise KursbuchError(
                        "The map has a gap: line {line} cannot reach anything from {hex}.",
                        line=record.id,
                        hex=record.hex,
                    )

    @property
    def data_is_standard(self) -> bool:
        return self.data_hash == TITLE.data_hash

    def with_data(self, data: bytes) -> Rocket:
        return Rocket(data)

    def printed_components(self, file: Data, words: Words) -> Sequence[PrintedComponent]:
        return list(printed.components(self.packaged_data, file, words))

    def align_data(self, file: Data) -> None:
        printed.align(file)

    def draw_components(self, file: Data, words: Words) -> str:
        doubtful = [
            component.hex
            for component in self.printed_components(file, words)
            if component.hex
            and any(value.source(file) == RECONSTRUCTED for value in component.values)
        ]
        options = self.option_values({"railway_towns": "13"})
        return drawing.draw(
            self.setup(2, options),
            self.boards.wide,
            words,
            [f"{drawing.DOUBT}{name}" for name in doubtful],
        )

    # ---- play

    def setup(self, seats: int, options: Mapping[str, str]) -> RocketState:
        """Initial state; the start player is drawn later [setup-1 to setup-10]."""
        wide = options["railway_towns"] == "13"
        board = self.boards.wide if wide else self.boards.usual
        items = {share(line.id): {"stock": board.shares} for line in board.lines}
        items |= {
            token(board.towns[n].name): {"map": board.towns[n].tokens} for n in board.metropolises
        }
        items |= {f"station:{SEATS[seat]}": {"supply": board.stations} for seat in range(seats)}
        items |= {
            "supplementary": {"stock": board.supplementary},
            "passenger": {"supply": board.passengers},
            "tile": {"supply": board.tiles},
            "money": {"bank": 0},
        }
        owner = [-1] * len(board.places)
        for line, place in enumerate(board.start_hex):
            owner[place] = line
        count = len(board.lines)
        return RocketState(
            seats=seats,
            agenda=[Opening()],
            ledger=Ledger(items),
            start=None,
            owner=owner,
            locomotive=list(board.start_hex),
            facing=[-1] * count,
            stations={},
            connected=list(board.start_bit),
            isolated=[False] * count,
            merged_into=[-1] * count,
            track=[],
            exact=options["halves"] == "exact" or not board.payments.rounded,
            hidden_money=options["money"] == "hidden",
            wide=wide,
        )

    def result(self, state: RocketState) -> Result | None:
        """The most money wins; ties share the victory [goal-1]."""
        if state.agenda:
            return None
        scores = tuple(state.ledger.held("money", SEATS[seat]) for seat in range(state.seats))
        return Result(
            scores, tuple(seat for seat, score in enumerate(scores) if score == max(scores))
        )

    def scores(self, state: RocketState) -> tuple[int, ...]:
        return tuple(state.ledger.held("money", SEATS[seat]) for seat in range(state.seats))

    def worth(self, state: RocketState) -> tuple[int | None, ...]:
        """None for money hidden by the view."""
        money = state.ledger.items["money"]
        hidden = state.hidden_money and bool(state.agenda) and "bank" not in money
        return tuple(
            None if hidden and holder not in money else money.get(holder, 0)
            for holder in SEATS[: state.seats]
        )

    def levels(self, state: RocketState) -> dict[str, int]:
        return lengths(state, self.boards.of(state))

    def tally(self, state: RocketState, events: Sequence[Event]) -> Tally:
        """Money paid and expected by source; see `tally`."""
        return tally(self.boards.of(state), state, events)

    def view(self, state: RocketState, seat: int | None) -> RocketState:
        """All is open, except money with the option for hidden money [setup-2]."""
        if not state.hidden_money or not state.agenda:
            return state
        view = self.clone(state)
        # The bank's balance would reveal money by subtraction.
        own = () if seat is None else (SEATS[seat],)
        money = view.ledger.items["money"]
        view.ledger.items["money"] = {holder: money.get(holder, 0) for holder in own}
        return view

    def hides(self, options: Mapping[str, str]) -> bool:
        return options["money"] == "hidden"

    def uncorrectable(self, state: RocketState, kind: str) -> IllegalAction | None:
        return corrections.uncorrectable(state, kind)

    def encoding(self, seats: int) -> Encoding:
        return encoding(self.boards.wide, seats)

    # ---- notation

    def spelling(self) -> Mapping[str, Iterable[str]]:
        return {"METROPOLIS": self.boards.wide.metropolis_index}

    @cached_property
    def premoves(self) -> Premoves[RocketState]:
        return RocketPremoves(self.boards)

    # ---- text and drawing

    def voice(self, words: Words) -> RocketVoice:
        return RocketVoice(self.boards, words)

    def draw(self, state: RocketState, words: Words, marks: Sequence[str] = ()) -> str:
        return drawing.draw(state, self.boards.of(state), words, marks)

    @cached_property
    def colours(self) -> Mapping[str, tuple[str, str]]:
        lines = self.boards.usual.lines
        return {
            f"line:{line.id}": drawing.LINES.get(line.colour, drawing.OTHER_LINE) for line in lines
        }

    def announces(self, event: Event) -> bool:
        return isinstance(event, VetoDecided | Merged | LineIsolated | EndReached)

    def marks(self, events: Sequence[Event]) -> list[str]:
        return drawing.marks(events)

    def irrevocable(self, action: Action) -> bool:
        return isinstance(action, ExtendLine | PlaceStation)

    def standing_refusal(self, state: RocketState, decision: Decision) -> tuple[str, Action] | None:
        step = state.agenda[-1] if state.agenda else None
        if not isinstance(step, Objection):
            return None
        return self.boards.of(state).lines[step.line].id, LetStand(decision.seat)


TITLE = Rocket()
