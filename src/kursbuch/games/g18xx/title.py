"""What the titles of the 18xx family have in common as titles: their data, the course of play, the result."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import add
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.core.play import Play
from kursbuch.core.state import Encoding, Ledger, Step
from kursbuch.core.title import LegendPart, Premoves, Result, Title
from kursbuch.core.words import Words
from kursbuch.games.g18xx import corrections
from kursbuch.games.g18xx.drawing import legend, sheets, table
from kursbuch.games.g18xx.drawing.look import PLAIN, MapLook
from kursbuch.games.g18xx.events import ANNOUNCED, OperatingRoundBegan, StockRoundBegan
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.notation import FORMS, Form, Notation, encoding
from kursbuch.games.g18xx.planner import EighteenPlanner
from kursbuch.games.g18xx.premoves import EighteenPremoves
from kursbuch.games.g18xx.rules import operating_round, stock_round
from kursbuch.games.g18xx.ruleset import Ruleset, watch_bank
from kursbuch.games.g18xx.state import (
    Build,
    BuyTrains,
    EighteenState,
    Place,
    Round,
    StockRound,
    StockTurn,
)
from kursbuch.games.g18xx.text.voice import Texts
from kursbuch.games.g18xx.variants import Variants

StateT = TypeVar("StateT", bound="EighteenState[Any]")
BookT = TypeVar("BookT", bound="Ruleset[Any]")


class EighteenTitle(Title[StateT], Generic[StateT, BookT]):
    """A title with its book of rules; `papers` are what its players can buy beside shares. Subclasses
    add the steps of their own to `steps`."""

    #: What a moderator can correct, and the steps during which that is possible.
    correction_kinds: ClassVar[Sequence[type[corrections.OfBook]]] = corrections.KINDS
    correction_steps: ClassVar[tuple[type[Step], ...]] = corrections.OPEN
    #: The text forms of its actions.
    forms: ClassVar[tuple[Form, ...]] = FORMS

    def __init__(self, book: BookT, papers: Iterable[str] = ()) -> None:
        self.book = book
        self.notation = Notation(self.forms, book.components, papers)
        canonical = msgspec.json.encode(book.components.file, order="sorted")
        self.data_hash = hashlib.sha256(canonical).hexdigest()
        self.steps = {**stock_round.steps(book), **operating_round.steps(book)}
        self.corrections = [kind(book) for kind in self.correction_kinds]

    # ---- course of play

    @abstractmethod
    def house(self, options: Mapping[str, str]) -> Variants:
        """What the table has agreed on, by the options of the title."""

    def setup(self, seats: int, options: Mapping[str, str]) -> StateT:
        """The state before the first stock round."""
        book = self.book
        state: StateT = self.state_type(
            seats=seats,
            agenda=[StockRound(1)],
            ledger=Ledger(book.items(seats)),
            house=self.house(options),
            phase=0,
            round=Round(0),
            priority=0,
            companies=book.companies(),
            chart={},
            layout=Layout({}, []),
        )
        return state

    def after_step(self, play: Play[StateT]) -> None:
        watch_bank(play)

    def purses(self, state: StateT) -> tuple[int, ...]:
        """What players have in cash."""
        return tuple(self.book.cash(state, seat) for seat in range(state.seats))

    def uncorrectable(self, state: StateT, kind: str) -> IllegalAction | None:
        return corrections.uncorrectable(state, kind, self.correction_steps)

    def corrected(self, play: Play[StateT]) -> None:
        """What could be done in a step may not be possible any more: it is looked at again."""
        agenda = play.state.agenda
        step = agenda[-1] if agenda else None
        if isinstance(step, BuyTrains | Build | Place | StockTurn) and step.asked:
            rules = self.steps[type(step)]
            if not any(
                rules.choices(play.state, step, seat) for seat in rules.deciders(play.state, step)
            ):
                step.asked = False

    def result(self, state: StateT) -> Result | None:
        """The richest wins; equals share the victory [winner]. Who is bankrupt has lost
        [bankruptcy]."""
        if state.agenda:
            return None
        scores = self._playing(state, self.book.market.wealth(state))
        playing = [seat for seat in range(state.seats) if seat not in state.out]
        best = max(scores[seat] for seat in playing)
        return Result(scores, tuple(seat for seat in playing if scores[seat] == best))

    def scores(self, state: StateT) -> tuple[int, ...]:
        """Cash, noted credits and the market value of the shares [final-worth]; until the end also
        what has no market value yet, at its price."""
        market = self.book.market
        sums = market.wealth(state)
        if state.agenda:
            sums = list(map(add, sums, market.unsettled(state)))
        return self._playing(state, sums)

    def _playing(self, state: StateT, sums: Sequence[int]) -> tuple[int, ...]:
        """The sums of the players; whoever is bankrupt has nothing [bankruptcy]."""
        out = state.out
        return tuple([0 if seat in out else amount for seat, amount in enumerate(sums)])

    def levels(self, state: StateT) -> dict[str, int]:
        """The share prices."""
        market = self.book.market
        return {name: price for name in self.book.public if (price := market.price(state, name))}

    def encoding(self, seats: int) -> Encoding:
        return encoding(self.book.components, seats)

    # ---- notation

    def format(self, action: Action) -> str:
        return self.notation.format(action)

    def parse(self, text: str, seat: int, state: StateT) -> Action:
        return self.notation.parse(text, seat)

    # ---- what is said and shown

    def voice(self, words: Words) -> Texts[BookT]:
        return Texts(self.book, words)

    def draw(self, state: StateT, words: Words, marks: Sequence[str] = ()) -> str:
        companies = self.voice(words).shown_companies(state)
        return table.draw(state, self.book, words, companies, self.id, marks, look=self.look)

    def legend(self, words: Words) -> list[LegendPart]:
        return legend.parts(self.book, self.look, words, self.id)

    @cached_property
    def colours(self) -> Mapping[str, tuple[str, str]]:
        return {f"company:{name}": look for name, look in sheets.looks(self.book).items()}

    @cached_property
    def look(self) -> MapLook:
        """How its map looks."""
        return PLAIN

    @cached_property
    def ahead(self) -> Premoves[StateT]:
        return EighteenPremoves(self.book)

    @cached_property
    def planner(self) -> EighteenPlanner:
        return EighteenPlanner(self.id, self.book, self.look)

    @cached_property
    def style(self) -> str:
        """The colours of all titles, and those of its own."""
        return sheets.style() + super().style

    @cached_property
    def pieces(self) -> str:
        return sheets.draw_pieces(self.book, self.look.sizes)

    def seating(self, state: StateT, seats: int) -> Sequence[int]:
        return state.clockwise()

    def opens(self, event: Event) -> bool:
        return isinstance(event, StockRoundBegan | OperatingRoundBegan)

    def announces(self, event: Event) -> bool:
        return self.opens(event) or isinstance(event, ANNOUNCED)

    def marks(self, events: Sequence[Event]) -> list[str]:
        return sheets.marks(events)
