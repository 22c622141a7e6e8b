"""The base of 18xx titles: data, setup, results, and connection of the family's parts."""

from __future__ import annotations

import ast
import hashlib
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import add
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from kursbuch.core.actions import Action, Notation
from kursbuch.core.components import Data, PrintedComponent
from kursbuch.core.errors import IllegalAction, require
from kursbuch.core.events import Event
from kursbuch.core.play import Play
from kursbuch.core.state import Encoding, Ledger, Step
from kursbuch.core.tally import Tally
from kursbuch.core.title import LegendPart, Premoves, Result, Title
from kursbuch.core.words import Words
from kursbuch.games.g18xx import corrections, printed
from kursbuch.games.g18xx.actions import FORMS
from kursbuch.games.g18xx.drawing import legend, sheets
from kursbuch.games.g18xx.drawing.faces import token_colours
from kursbuch.games.g18xx.drawing.look import PLAIN, MapLook, Note
from kursbuch.games.g18xx.drawing.map import NO_NOTES, RUNS, map_parts
from kursbuch.games.g18xx.events import ANNOUNCED, OperatingRoundBegan, StockRoundBegan
from kursbuch.games.g18xx.map.track import Layout
from kursbuch.games.g18xx.planner import EighteenPlanner
from kursbuch.games.g18xx.premoves import EighteenPremoves
from kursbuch.games.g18xx.rules import operating_round, stock_round
from kursbuch.games.g18xx.ruleset import Ruleset, Steps
from kursbuch.games.g18xx.state import (
    Build,
    BuyTrains,
    EighteenState,
    PlaceToken,
    Round,
    StockRound,
    StockTurn,
    Variants,
    encoding,
)
from kursbuch.games.g18xx.tally import tally
from kursbuch.games.g18xx.text.voice import Texts
from kursbuch.hexmap import svg

StateT = TypeVar("StateT", bound="EighteenState[Any]")
RulesetT = TypeVar("RulesetT", bound="Ruleset[Any]")


@lru_cache
def cited_names() -> frozenset[str]:
    """Rule names cited by the family's refusals and events."""
    found: set[str] = set()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        if not any(part[:1] == "g" and part[1:].isdecimal() for part in path.parts):
            found.update(_cited(ast.parse(path.read_text("utf-8"))))
    return frozenset(found)


def _cited(tree: ast.AST) -> Iterator[str]:
    """Names in refusals, events and arguments called `rule`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        places = [keyword.value for keyword in node.keywords if keyword.arg == "rule"]
        if getattr(node.func, "id", getattr(node.func, "attr", "")) == "IllegalAction":
            places.append(node.args[0])
        for place in places:
            # The condition in `a if b else c` is not a name.
            tests = [each.test for each in ast.walk(place) if isinstance(each, ast.IfExp)]
            conditions = {id(leaf) for test in tests for leaf in ast.walk(test)}
            for leaf in ast.walk(place):
                if isinstance(leaf, ast.Constant) and id(leaf) not in conditions and leaf.value:
                    yield str(leaf.value)


class EighteenTitle(Title[StateT], Generic[StateT, RulesetT]):
    """A title with its ruleset; `papers` are what players can buy besides shares."""

    #: Rules by kind of step; titles add their own.
    step_rules: ClassVar[Steps] = {**stock_round.STEPS, **operating_round.STEPS}
    #: Corrections a moderator can make, and the steps during which they are possible.
    correction_kinds: ClassVar[Sequence[type[corrections.RulesetCorrection]]] = corrections.KINDS
    correction_steps: ClassVar[tuple[type[Step], ...]] = corrections.OPEN
    #: Actions in the order in which their text forms are tried and listed.
    forms: ClassVar[tuple[type[Action], ...]] = FORMS

    def __init__(self, ruleset: RulesetT, papers: Iterable[str] = ()) -> None:
        self.ruleset = ruleset
        told = {row.players for row in ruleset.components.file.setup.players}
        for count in self.seats:
            require(
                count in told, "The file does not cover a game for {count} players.", count=count
            )
        self.papers = tuple(papers)
        canonical = msgspec.json.encode(ruleset.components.file, order="sorted")
        self.data_hash = hashlib.sha256(canonical).hexdigest()
        self.steps = {kind: rules(ruleset) for kind, rules in self.step_rules.items()}
        self.corrections = [kind(ruleset) for kind in self.correction_kinds]

    # ---- course of play

    @abstractmethod
    def variants(self, options: Mapping[str, str]) -> Variants:
        """Variants for the options of a table."""

    def setup(self, seats: int, options: Mapping[str, str]) -> StateT:
        """The state before the first stock round."""
        ruleset = self.ruleset
        state: StateT = self.state_type(
            seats=seats,
            agenda=[StockRound(1)],
            ledger=Ledger(ruleset.items(seats)),
            house=self.variants(options),
            phase=0,
            round=Round(0),
            priority=0,
            companies=ruleset.companies(),
            chart={},
            layout=Layout(),
        )
        return state

    def clone(self, state: StateT) -> StateT:
        copy = super().clone(msgspec.structs.replace(state, layout=Layout()))
        copy.layout = state.layout
        return copy

    def after_step(self, play: Play[StateT]) -> None:
        self.ruleset.watch_bank(play)

    def purses(self, state: StateT) -> tuple[int, ...]:
        """Cash of each player."""
        return tuple(self.ruleset.cash(state, seat) for seat in range(state.seats))

    def uncorrectable(self, state: StateT, kind: str) -> IllegalAction | None:
        return corrections.uncorrectable(state, kind, self.correction_steps)

    def corrected(self, play: Play[StateT]) -> None:
        """Check the current step again: a correction may have removed its possible actions."""
        agenda = play.state.agenda
        step = agenda[-1] if agenda else None
        if isinstance(step, BuyTrains | Build | PlaceToken | StockTurn) and step.asked:
            rules = self.steps[type(step)]
            if not any(
                rules.choices(play.state, step, seat) for seat in rules.deciders(play.state, step)
            ):
                step.asked = False

    def result(self, state: StateT) -> Result | None:
        """The richest player wins, and equals share the victory [winner]; bankrupt players have
        lost [bankruptcy]."""
        if state.agenda:
            return None
        scores = self._playing(state, self.ruleset.market.wealth(state))
        playing = [seat for seat in range(state.seats) if seat not in state.out]
        best = max(scores[seat] for seat in playing)
        return Result(scores, tuple(seat for seat in playing if scores[seat] == best))

    def scores(self, state: StateT) -> tuple[int, ...]:
        """Cash, noted credits and market value of the shares [final-worth]; until the end also
        holdings without market value, at their price."""
        market = self.ruleset.market
        sums = market.wealth(state)
        if state.agenda:
            sums = list(map(add, sums, market.unsettled(state)))
        return self._playing(state, sums)

    def _playing(self, state: StateT, sums: Sequence[int]) -> tuple[int, ...]:
        """Amounts of the players; bankrupt ones have nothing [bankruptcy]."""
        out = state.out
        return tuple([0 if seat in out else amount for seat, amount in enumerate(sums)])

    def levels(self, state: StateT) -> dict[str, int]:
        """Share prices."""
        market = self.ruleset.market
        return {name: price for name in self.ruleset.public if (price := market.price(state, name))}

    def tally(self, state: StateT, events: Sequence[Event]) -> Tally:
        """Dividends, and shares by what they are worth and cost, by company; trains, runs, prices and directors."""
        return tally(self.ruleset, state, events)

    def encoding(self, seats: int) -> Encoding:
        return encoding(self.ruleset.components, seats)

    def check(self) -> None:
        """Check that every rule name cited by the family is stated by a rule of the title, or
        listed as unstated."""
        stated, unstated = set(self.rules.stated), set(self.rules.game.unstated)
        both, missing = stated & unstated, cited_names() - stated - unstated
        require(
            not missing,
            "The rule index states no rule for these names: {list}.",
            list=", ".join(sorted(missing)),
        )
        require(
            not both,
            "The rule index states these names and calls them unstated: {list}.",
            list=", ".join(sorted(both)),
        )

    # ---- notation

    @cached_property
    def notation(self) -> Notation:
        return Notation(self.forms, self.spelling())

    def spelling(self) -> Mapping[str, Iterable[str]]:
        components = self.ruleset.components
        return {
            "COMPANY": components.homes,
            "PRIVATE": components.privates,
            "PAPER": self.papers,
            "EXCHANGED": (*components.privates, *components.minors),
            "TRAIN": components.train_order,
            "TILE": components.board.tiles,
        }

    def parse(self, text: str, seat: int, state: StateT) -> Action:
        """Parse an action; minors may be written in brackets."""
        return super().parse(_bare(text), seat, state)

    def parse_in(self, language: str, text: str, seat: int, state: StateT) -> Action:
        """Parse an action; minors may be written in brackets."""
        return super().parse_in(language, _bare(text), seat, state)

    # ---- what is said and shown

    def voice(self, words: Words) -> Texts[StateT, RulesetT]:
        return Texts(self.ruleset, words)

    def draw(self, state: StateT, words: Words, marks: Sequence[str] = ()) -> str:
        companies = self.voice(words).shown_companies(state)
        return sheets.draw(state, self.ruleset, words, companies, self.id, marks, look=self.look)

    def legend(self, words: Words) -> list[LegendPart]:
        return legend.parts(self.ruleset, self.look, words, self.id)

    @cached_property
    def colours(self) -> Mapping[str, tuple[str, str]]:
        return {f"company:{name}": look for name, look in token_colours(self.ruleset).items()}

    @cached_property
    def own_colours(self) -> Mapping[str, str]:
        return {
            **{f"seat-{number}": fill for number, (fill, _) in enumerate(svg.SEAT_COLOURS)},
            **{f"run-{number}": colour for number, colour in enumerate(RUNS)},
            **{f"of-{name}": token_colours(self.ruleset)[name][0] for name in self.ruleset.public},
        }

    @cached_property
    def look(self) -> MapLook:
        """Map style."""
        return PLAIN

    @cached_property
    def premoves(self) -> Premoves[StateT]:
        return EighteenPremoves(self.ruleset)

    @cached_property
    def planner(self) -> EighteenPlanner:
        return EighteenPlanner(self.id, self.ruleset, self.look)

    @cached_property
    def style(self) -> str:
        """CSS of all titles, and of this one."""
        return sheets.style() + super().style

    def printed_components(self, file: Data, words: Words) -> Sequence[PrintedComponent]:
        components, sizes = self.ruleset.components, self.look.sizes
        return [*printed.tiles(components, file, words, sizes), *printed.companies(file, words)]

    @cached_property
    def component_notes(self) -> Mapping[str, Note]:
        """Notes on hexes of the map of components, where they differ from those of the map style."""
        return NO_NOTES

    def draw_components(self, file: Data, words: Words) -> str:
        width, height, content, above = map_parts(
            self.ruleset.components.board,
            Layout({}, []),
            looks=token_colours(self.ruleset),
            look=self.look,
            notes=self.component_notes,
        )
        label = words._("Map of {title}", title=self.name)
        content = [*content, *above]
        return svg.document(
            width, height, content, label=label, class_="eighteen", data_title=self.id
        )

    @cached_property
    def pieces(self) -> str:
        return sheets.draw_pieces(self.ruleset, self.look.sizes)

    def seating(self, state: StateT, seats: int) -> Sequence[int]:
        return state.clockwise()

    def opens(self, event: Event) -> bool:
        return isinstance(event, StockRoundBegan | OperatingRoundBegan)

    def announces(self, event: Event) -> bool:
        return self.opens(event) or isinstance(event, ANNOUNCED)

    def marks(self, events: Sequence[Event]) -> list[str]:
        return sheets.marks(events)


def _bare(text: str) -> str:
    return text.replace("(", "").replace(")", "")
